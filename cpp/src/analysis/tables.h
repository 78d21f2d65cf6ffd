#pragma once
// What every measurement on a table asks first.

#include "math/sentence.h"
#include "phasor/tensor.h"

namespace phasor {

inline Status check_table(const Tensor& table, int rows_needed = 1) {
  if (table.rank() != 2 || table.empty()) {
    return Status::invalid("table: its shape is " + to_words(table.shape) + "; rows x width is needed");
  }
  if (table.shape[0] < rows_needed) {
    return Status::invalid("table: " + std::to_string(table.shape[0]) + " rows are too few; at least " + std::to_string(rows_needed) +
                           " are needed");
  }
  return check_finite("table", table.data);
}

}  // namespace phasor
