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

/// Where the sine and the cosine of one frequency stand in a row of a sinusoidal table.
enum class WaveLayout {
  interleaved,   ///< channels 2t and 2t + 1
  concatenated,  ///< channels t and t + number of frequencies
};

/// The matrix M_k of a sinusoidal table with these frequencies (radians per token): pe[p + k] = M_k pe[p] for every p.
/// It turns each (sine, cosine) pair: sin' = cos(w k) sin + sin(w k) cos, cos' = -sin(w k) sin + cos(w k) cos.
/// out (2 frequencies, 2 frequencies). Vaswani et al. 2017, section 3.5, claim it; k may be negative or fractional.
Status shift_matrix(std::span<const double> frequencies, double k, WaveLayout layout, Tensor& out);

/// Largest |table[p + k] - M table[p]| over all rows, for a table (rows, width) of consecutive positions and M (width, width).
Status shift_residual(const Tensor& table, const Tensor& shift, int k, double& out);

}  // namespace phasor
