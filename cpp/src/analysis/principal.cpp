#include "analysis/tables.h"
#include "math/eigen_map.h"
#include "math/symmetric.h"
#include "phasor/analysis.h"

namespace phasor {

Status principal_components(const Tensor& table, int components, Principal& out) {
  PHASOR_TRY(check_table(table));
  const int rows = table.shape[0], width = table.shape[1];
  PHASOR_TRY(check_range("width", width, 1, 1024));
  PHASOR_TRY(check_range("components", components, 1, width));
  const Eigen::MatrixXd values = eigen(matrix(table)).cast<double>();
  const Eigen::MatrixXd centred = values.rowwise() - values.colwise().mean();
  const SymmetricEigen solved = symmetric_eigen(gram(centred));
  const double total = solved.values.cwiseMax(0.0).sum();
  out = {.coordinates = Tensor({rows, components}), .explained = Tensor({components})};
  for (int k = 0; k < components; ++k) {
    const int which = width - 1 - k;  // eigenvalues come in rising order
    Eigen::VectorXd direction = solved.vectors.col(which);
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction[largest] < 0) direction = -direction;
    eigen(matrix(out.coordinates)).col(k) = centred.lazyProduct(direction).cast<float>();
    out.explained.data[static_cast<std::size_t>(k)] = total > 0 ? static_cast<float>(std::max(0.0, solved.values[which]) / total) : 0.0f;
  }
  return {};
}

}  // namespace phasor
