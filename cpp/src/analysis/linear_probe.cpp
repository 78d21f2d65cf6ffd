#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/table_analysis.h"
#include "math/symmetric_eigen.h"
#include "phasor/analysis.h"

namespace phasor {

Result<LinearProbe> linear_probe(const Tensor& table, double ridge) {
  return Result<LinearProbe>::from([&](LinearProbe& out) -> Status {
    PHASOR_TRY(check_table(table, 4));
    if (!(ridge > 0 && std::isfinite(ridge)))
      return invalid("ridge: {} is not a positive number", ridge);
    const int rows = table.shape[0], dim = table.shape[1];
    PHASOR_TRY(check_range("dim", dim, 1, 1024));
    PHASOR_TRY(check_memory("table", array_bytes({rows}) + eigenvector_bytes(rows, dim)));
    // Centres rows and positions, so that the intercept is not penalised.
    const CentredRows centred_rows = centre_rows(table, 2);
    const int training_rows = (rows + 1) / 2;
    const double mean_position = training_rows - 1;  // training positions are 0, 2, 4, ...
    std::vector<double> xt_y(static_cast<std::size_t>(dim)), weights(static_cast<std::size_t>(dim));
    for (int r = 0; r < training_rows; ++r) add(2.0 * r - mean_position, centred_rows.row(r), xt_y);
    // Weights (X^T X + ridge I)^-1 X^T y, computed in the eigenbasis of X^T X.
    const SymmetricEigen eigen = symmetric_eigen(gram_matrix(centred_rows.values, dim), dim);
    // Skips directions in which rows differ only by rounding errors, which a small ridge would
    // amplify.
    const double rounding_error =
        std::numeric_limits<double>::epsilon() * dim *
        *std::max_element(eigen.eigenvalues.begin(), eigen.eigenvalues.end());
    for (int k = 0; k < dim; ++k) {
      const double eigenvalue = eigen.eigenvalues[static_cast<std::size_t>(k)];
      if (eigenvalue <= rounding_error) continue;
      const double coefficient = dot(eigen.eigenvector(k), xt_y) / (eigenvalue + ridge);
      add(coefficient, eigen.eigenvector(k), weights);
    }

    out = {};
    out.predictions = Tensor({rows});
    double squared_error = 0, variance = 0, test_mean = 0;
    const int test_rows = rows / 2;
    for (int r = 1; r < rows; r += 2) test_mean += static_cast<double>(r) / test_rows;
    for (int r = 0; r < rows; ++r) {
      double predicted_position = mean_position;
      for (int c = 0; c < dim; ++c) {
        const std::size_t index = static_cast<std::size_t>(c);
        predicted_position +=
            (static_cast<double>(matrix(table).row(r)[c]) - centred_rows.mean[index]) *
            weights[index];
      }
      out.predictions.data[static_cast<std::size_t>(r)] = static_cast<float>(predicted_position);
      if (r % 2 == 0) continue;
      squared_error += (predicted_position - r) * (predicted_position - r);
      variance += (r - test_mean) * (r - test_mean);
      out.mean_absolute_error += std::fabs(predicted_position - r) / test_rows;
    }
    out.r_squared = 1.0 - squared_error / variance;
    PHASOR_TRY(check_result("table", out.predictions.data, "a predicted position"));
    return check_result("table", out.r_squared, "the prediction error");
  });
}

}  // namespace phasor
