#pragma once
// Analyses position tables (similarity, spectrum, principal components) and the outputs of
// attention.

#include <span>
#include <vector>

#include "phasor/attention.h"
#include "phasor/encoding.h"
#include "phasor/result.h"
#include "phasor/tensor.h"

namespace phasor {

enum class SimilarityMetric { cosine, dot };

/// Computes the similarity of every pair of rows of table (rows, dim) as a matrix (rows, rows). The
/// cosine similarity to a row of zeros is 0.
Result<Tensor> similarity(const Tensor& table, SimilarityMetric metric);

/// Similarity as a function of distance. Each tensor has shape (2 * length - 1); entry e is for the
/// distance j - i = e - (length - 1).
struct DistanceProfile {
  Tensor mean;
  Tensor min;
  Tensor max;
  /// Largest max - min at any one distance; 0 if similarity depends on the distance alone.
  double spread = 0;
};

/// Averages a square matrix (length, length), such as similarities or scores, along its diagonals.
Result<DistanceProfile> distance_profile(const Tensor& matrix);

/// Statistics of the rows of a position table.
struct TableStatistics {
  int closest_first = 0;  ///< index of the first of the two closest rows
  /// Index of the second of the two closest rows; closest_first if the table has one row
  int closest_second = 0;
  double closest_distance = 0;  ///< Euclidean distance between the two closest rows
  double max_abs = 0;           ///< largest absolute value in the table
  /// Mean Euclidean norm of the rows, for comparison with the norm of the embeddings
  double mean_norm = 0;
  double min_norm = 0;
  double max_norm = 0;
};
Result<TableStatistics> table_statistics(const Tensor& table);

/// The power spectrum of each channel, from a discrete Fourier transform over positions.
struct Spectrum {
  /// (dim, bins): fraction of the channel's power in each bin. Rows sum to 1, or to 0 for a
  /// constant channel
  Tensor power;
  Tensor wavelength;  ///< (bins), in tokens: length / (bin + 1)
};
/// Computes the spectrum of table (length, dim), with length from 2 to 4096. The mean of each
/// channel is subtracted first.
Result<Spectrum> spectrum(const Tensor& table);

/// Principal components of the rows of a table.
struct PrincipalComponents {
  Tensor coordinates;               ///< (rows, components)
  Tensor explained_variance_ratio;  ///< (components), fractions of the total variance
};
/// `components` is from 1 to dim. The sign of each direction is chosen so that its largest entry is
/// positive.
Result<PrincipalComponents> principal_components(const Tensor& table, int components);

/// A linear probe for the position: ridge regression, fitted on every second row and tested on the
/// others.
struct LinearProbe {
  /// R^2 on the held-out rows: 1 is perfect, 0 is no better than predicting the mean
  double r_squared = 0;
  double mean_absolute_error = 0;  ///< in tokens, on the held-out rows
  Tensor predictions;              ///< (rows), including the fitted rows
};
/// Fits the probe to table (rows, dim), which has at least 4 rows. `ridge` is the penalty on the
/// squared weights, and must be positive.
Result<LinearProbe> linear_probe(const Tensor& table, double ridge);

struct PermutationError {
  double max_abs_diff = 0;  ///< largest absolute difference
  /// (length): largest absolute difference in each token's output, in the order of `after`
  Tensor per_token;
};

/// Compares row p of `after` with row order[p] of `before`, both (length, embed_dim). The
/// difference is 0 up to rounding if the layer is permutation equivariant.
Result<PermutationError> permutation_error(const Tensor& before, const Tensor& after,
                                           std::span<const int> order);

/// A layer's outputs for tokens in permuted and in original order, and the difference between them.
struct PermutationTest {
  AttentionResult result;  ///< for the permuted tokens
  Tensor before;           ///< (length, embed_dim), output for the tokens in original order
  PermutationError error;
};

/// Runs `self_attention` on x (length, embed_dim) and on the permuted x, whose row p is
/// x[order[p]].
Result<PermutationTest> permutation_test(const Tensor& x, std::span<const int> order,
                                         const SelfAttentionConfig& config);

/// Returns the matrix M_k that shifts a sinusoidal table with these frequencies (radians per token)
/// by k positions: pe[p + k] = M_k pe[p] for every p. M_k rotates each (sine, cosine) pair: sin' =
/// cos(w k) sin + sin(w k) cos, cos' = -sin(w k) sin + cos(w k) cos. M_k is (2 F, 2 F) for F
/// frequencies. Vaswani et al. 2017, section 3.5, claim that M_k exists. k may be negative or
/// fractional.
Result<Tensor> shift_matrix(std::span<const double> frequencies, double k, SinusoidLayout layout);

/// Returns the shift matrix (table_dim, table_dim) of an `input` encoding with `dim` channels.
/// Rejects tables for which no such matrix exists, because a channel is not a sinusoid, or a sine
/// has no matching cosine.
Result<Tensor> shift_matrix(const EncodingConfig& config, int dim, double k);

/// Returns the sinusoids in the table of an `input` encoding with `dim` channels. Rejects tables
/// that are not made of sinusoids.
Result<std::vector<Sinusoid>> sinusoids(const EncodingConfig& config, int dim);

/// Measures how far the scores of a `query_key` encoding are from depending only on relative
/// positions (Su et al. 2021, equation 11): returns the largest |<R_m q, R_n k> - <R_0 q, R_(n-m)
/// k>| over all heads and all pairs of positions m and n. q and k are (heads, dim). At most 4096
/// positions, with one coordinate each.
Result<double> relative_position_error(const EncodingConfig& config, const Tensor& q,
                                       const Tensor& k, Positions positions);

/// Largest |table[p + k] - shift table[p]| over all rows p. table (rows, dim) has consecutive
/// positions; shift is (dim, dim).
Result<double> shift_error(const Tensor& table, const Tensor& shift, int k);

}  // namespace phasor
