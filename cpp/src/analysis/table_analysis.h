#pragma once
// Checks and matrix functions shared by the analyses of tables.

#include <span>
#include <vector>

#include "core/format_error.h"
#include "phasor/tensor.h"

namespace phasor {

/// The rows of a table minus their mean.
struct CentredRows {
  std::vector<double> mean;    ///< (dim)
  std::vector<double> values;  ///< (rows, dim)

  std::span<const double> row(int r) const {
    return {values.data() + static_cast<std::size_t>(r) * mean.size(), mean.size()};
  }
};

/// Memory in bytes of the centred rows, the covariance of the channels and its eigenvectors.
double eigenvector_bytes(int rows, int dim);

/// Rows 0, row_step, 2 row_step ... of a table, minus their mean.
CentredRows centre_rows(const Tensor& table, int row_step);

Status check_table(const Tensor& table, int min_rows = 1);

}  // namespace phasor
