#pragma once
// Measurements on tables and outputs.

#include <span>

#include "phasor/status.h"
#include "phasor/tensor.h"

namespace phasor {

enum class Measure { cosine, dot };

/// Similarity of every pair of rows. table (rows, width) -> out (rows, rows). The cosine with a zero row is 0.
Status similarity(const Tensor& table, Measure measure, Tensor& out);

struct PermutationError {
  double largest = 0;  ///< largest absolute difference of any number
  Tensor per_token;    ///< (length), the largest difference in each token's output, in the order of `after`
};

/// Undoes a reordering and compares: row p of after (length, width) with row order[p] of before (length, width).
/// A layer that is permutation equivariant gives 0 up to rounding.
Status permutation_error(const Tensor& before, const Tensor& after, std::span<const int> order, PermutationError& out);

}  // namespace phasor
