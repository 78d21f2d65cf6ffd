#include "analysis/table_analysis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/format_error.h"
#include "kernels/gemm.h"
#include "math/symmetric_eigen.h"
#include "phasor/analysis.h"

namespace phasor {

namespace {

void normalise(std::span<float> row) {
  double sum_of_squares = 0;
  for (const float x : row) sum_of_squares += static_cast<double>(x) * static_cast<double>(x);
  if (sum_of_squares == 0) return;
  for (float& x : row) x = static_cast<float>(static_cast<double>(x) / std::sqrt(sum_of_squares));
}

}  // namespace

Result<Tensor> similarity(const Tensor& table, SimilarityMetric metric) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_table(table));
    const int rows = table.shape[0];
    PHASOR_TRY(check_size("table", "a similarity", {rows, rows}));
    PHASOR_TRY(check_memory("table", array_bytes({rows, rows}) + array_bytes(table.shape) +
                                         kernels::packed_matrix_bytes(rows, table.shape[1])));
    Tensor normalised_table = table;
    if (metric == SimilarityMetric::cosine) {
      for (int r = 0; r < rows; ++r)
        normalise({matrix(normalised_table).row(r), static_cast<std::size_t>(table.shape[1])});
    }
    out = kernels::gemm(1, matrix(normalised_table),
                        kernels::PackedMatrix(kernels::Transpose::yes, matrix(normalised_table)));
    return check_result("table", out.data, "a dot product");
  });
}

Result<DistanceProfile> distance_profile(const Tensor& square_matrix) {
  return Result<DistanceProfile>::from([&](DistanceProfile& out) -> Status {
    PHASOR_TRY(check_tensor("matrix", square_matrix));
    if (square_matrix.rank() != 2 || square_matrix.empty() ||
        square_matrix.shape[0] != square_matrix.shape[1]) {
      return invalid("matrix: has shape {}; expected length x length", square_matrix.shape);
    }
    PHASOR_TRY(check_memory("matrix", 3 * array_bytes({2 * square_matrix.shape[0]})));
    const int length = square_matrix.shape[0], entries = 2 * length - 1;
    out = {
        .mean = Tensor({entries}), .min = Tensor({entries}), .max = Tensor({entries}), .spread = 0};
    for (int e = 0; e < entries; ++e) {
      const int distance = e - (length - 1);
      double sum = 0;
      float min_value = std::numeric_limits<float>::infinity(), max_value = -min_value;
      const int begin = std::max(0, -distance), end = std::min(length, length - distance);
      for (int i = begin; i < end; ++i) {
        const float value = matrix(square_matrix).row(i)[i + distance];
        sum += static_cast<double>(value);
        min_value = std::min(min_value, value);
        max_value = std::max(max_value, value);
      }
      const std::size_t index = static_cast<std::size_t>(e);
      out.mean.data[index] = static_cast<float>(sum / (end - begin));
      out.min.data[index] = min_value;
      out.max.data[index] = max_value;
      out.spread =
          std::max(out.spread, static_cast<double>(max_value) - static_cast<double>(min_value));
    }
    return {};
  });
}

namespace {

double squared_distance(const float* a, const float* b, int dim) {
  double sum = 0;
  for (int c = 0; c < dim; ++c) {
    const double difference = static_cast<double>(a[c]) - static_cast<double>(b[c]);
    sum += difference * difference;
  }
  return sum;
}

}  // namespace

Result<TableStatistics> table_statistics(const Tensor& table) {
  return Result<TableStatistics>::from([&](TableStatistics& out) -> Status {
    PHASOR_TRY(check_table(table));
    const int rows = table.shape[0], dim = table.shape[1];
    // Limits the number of rows, because the search for the closest rows compares all pairs.
    PHASOR_TRY(check_range("rows", rows, 1, 16384));
    PHASOR_TRY(check_memory("table", array_bytes({dim})));
    const std::vector<float> origin(static_cast<std::size_t>(dim));
    out = {};
    out.min_norm = std::numeric_limits<double>::infinity();
    for (const float value : table.data)
      out.max_abs = std::max(out.max_abs, std::fabs(static_cast<double>(value)));
    double smallest_distance = std::numeric_limits<double>::infinity();
    for (int i = 0; i < rows; ++i) {
      const double norm = std::sqrt(squared_distance(matrix(table).row(i), origin.data(), dim));
      out.mean_norm += norm / rows;
      out.min_norm = std::min(out.min_norm, norm);
      out.max_norm = std::max(out.max_norm, norm);
      for (int j = i + 1; j < rows; ++j) {
        const double distance = squared_distance(matrix(table).row(i), matrix(table).row(j), dim);
        if (distance < smallest_distance) {
          smallest_distance = distance;
          out.closest_first = i;
          out.closest_second = j;
        }
      }
    }
    out.closest_distance = rows > 1 ? std::sqrt(smallest_distance) : 0;
    return {};
  });
}

Result<PrincipalComponents> principal_components(const Tensor& table, int components) {
  return Result<PrincipalComponents>::from([&](PrincipalComponents& out) -> Status {
    PHASOR_TRY(check_table(table));
    const int rows = table.shape[0], dim = table.shape[1];
    PHASOR_TRY(check_range("dim", dim, 1, 1024));
    PHASOR_TRY(check_range("components", components, 1, dim));
    PHASOR_TRY(check_size("table", "principal components", {rows, components}));
    PHASOR_TRY(
        check_memory("table", array_bytes({rows, components}) + eigenvector_bytes(rows, dim)));
    const CentredRows centred_rows = centre_rows(table, 1);
    SymmetricEigen eigen = symmetric_eigen(gram_matrix(centred_rows.values, dim), dim);
    double total_variance = 0;
    for (double& value : eigen.eigenvalues) total_variance += value = std::max(value, 0.0);
    out = {.coordinates = Tensor({rows, components}),
           .explained_variance_ratio = Tensor({components})};
    for (int k = 0; k < components; ++k) {
      const auto largest_eigenvalue =
          std::max_element(eigen.eigenvalues.begin(), eigen.eigenvalues.end());
      const std::span<const double> direction =
          eigen.eigenvector(static_cast<int>(largest_eigenvalue - eigen.eigenvalues.begin()));
      const double largest_component =
          *std::max_element(direction.begin(), direction.end(),
                            [](double a, double b) { return std::fabs(a) < std::fabs(b); });
      const double sign = largest_component < 0 ? -1 : 1;
      for (int r = 0; r < rows; ++r)
        matrix(out.coordinates).row(r)[k] =
            static_cast<float>(sign * dot(centred_rows.row(r), direction));
      out.explained_variance_ratio.data[static_cast<std::size_t>(k)] =
          total_variance > 0 ? static_cast<float>(*largest_eigenvalue / total_variance) : 0.0f;
      *largest_eigenvalue = -1;  // excludes this direction from the next search
    }
    PHASOR_TRY(check_result("table", out.coordinates.data, "a principal component"));
    return check_result("table", out.explained_variance_ratio.data, "an explained variance ratio");
  });
}

double eigenvector_bytes(int rows, int dim) {
  return sizeof(double) * (static_cast<double>(rows) * dim + 3.0 * dim * dim + 8.0 * dim);
}

CentredRows centre_rows(const Tensor& table, int row_step) {
  const int rows = (table.shape[0] + row_step - 1) / row_step, dim = table.shape[1];
  const std::size_t columns = static_cast<std::size_t>(dim);
  CentredRows out{std::vector<double>(columns),
                  std::vector<double>(static_cast<std::size_t>(rows) * columns)};
  for (int r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c)
      out.mean[c] += static_cast<double>(matrix(table).row(r * row_step)[c]) / rows;
  }
  for (int r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      out.values[static_cast<std::size_t>(r) * columns + c] =
          static_cast<double>(matrix(table).row(r * row_step)[c]) - out.mean[c];
    }
  }
  return out;
}

Status check_table(const Tensor& table, int min_rows) {
  PHASOR_TRY(check_tensor("table", table));
  if (table.rank() != 2 || table.empty()) {
    return invalid("table: has shape {}; expected rows x dim", table.shape);
  }
  if (table.shape[0] < min_rows) {
    return invalid("table: has {} rows; expected at least {}", table.shape[0], min_rows);
  }
  return {};
}

}  // namespace phasor
