#include <cmath>

#include "analysis/tables.h"
#include "math/eigen_map.h"
#include "math/symmetric.h"
#include "phasor/analysis.h"

namespace phasor {

Status decodability(const Tensor& table, double ridge, Decodability& out) {
  PHASOR_TRY(check_table(table, 4));
  if (!(ridge > 0 && std::isfinite(ridge))) return Status::invalid("ridge: " + to_words(ridge) + " is not a positive number");
  const int rows = table.shape[0], width = table.shape[1];
  PHASOR_TRY(check_range("width", width, 1, 1024));
  const Eigen::MatrixXd all = eigen(matrix(table)).cast<double>();
  const int seen = (rows + 1) / 2;
  Eigen::MatrixXd known(seen, width);
  Eigen::VectorXd position(seen);
  for (int r = 0; r < seen; ++r) {
    known.row(r) = all.row(2 * r);
    position[r] = 2.0 * r;
  }
  // The intercept is not penalised: both sides are centred and the means put back.
  const Eigen::RowVectorXd mean = known.colwise().mean();
  const double mean_position = position.mean();
  known.rowwise() -= mean;
  position.array() -= mean_position;
  // (X^T X + ridge I)^-1 X^T y, in the directions in which X^T X is diagonal.
  const SymmetricEigen solved = symmetric_eigen(gram(known));
  const Eigen::VectorXd loads = solved.vectors.transpose().lazyProduct(known.transpose().lazyProduct(position));
  const Eigen::VectorXd shrunk = loads.array() / (solved.values.array().cwiseMax(0.0) + ridge);
  const Eigen::VectorXd weights = solved.vectors.lazyProduct(shrunk);

  const Eigen::VectorXd predicted = (all.rowwise() - mean).eval().lazyProduct(weights).array() + mean_position;
  out = {};
  out.predicted = Tensor({rows});
  double residual = 0, variance = 0, mean_unseen = 0;
  const int unseen = rows / 2;
  for (int r = 1; r < rows; r += 2) mean_unseen += static_cast<double>(r) / unseen;
  for (int r = 0; r < rows; ++r) {
    out.predicted.data[static_cast<std::size_t>(r)] = static_cast<float>(predicted[r]);
    if (r % 2 == 0) continue;
    residual += (predicted[r] - r) * (predicted[r] - r);
    variance += (r - mean_unseen) * (r - mean_unseen);
    out.mean_error += std::fabs(predicted[r] - r) / unseen;
  }
  out.r_squared = 1.0 - residual / variance;
  return {};
}

}  // namespace phasor
