#pragma once

#include <span>
#include <vector>

#include "core/format_error.h"
#include "phasor/tensor.h"

namespace phasor {

struct CentredRows {
  std::vector<double> mean;    ///< (dim)
  std::vector<double> values;  ///< (rows, dim)

  std::span<const double> row(int r) const {
    return {values.data() + static_cast<std::size_t>(r) * mean.size(), mean.size()};
  }
};

/// Bytes needed for the centred rows, the covariance matrix of the channels and its eigenvectors.
double eigenvector_bytes(int rows, int dim);

/// Selects rows 0, row_step, 2 * row_step, ... of a table and subtracts their mean.
CentredRows centre_rows(const Tensor& table, int row_step);

Status check_table(const Tensor& table, int min_rows = 1);

}  // namespace phasor
