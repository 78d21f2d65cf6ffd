#pragma once
// Forget gates (Lin et al. 2025, arXiv 2503.02130): D_ij, the sum of log f_l over l = j + 1 .. i,
// is added to the score of query i and key j. With c_t = log f_0 + .. + log f_t, D_ij = c_i - c_j.
// The sums c are in double, because differences of float32 sums lose all digits after a few
// thousand tokens. For keys after the query, D is 0.

#include <vector>

#include "phasor/tensor.h"

namespace phasor {

class Decay {
 public:
  /// `log_gates` is (heads, tokens) and must not contain positive values. Every D_ij is multiplied
  /// by `factor`.
  Decay(const Tensor& log_gates, double factor);
  static double bytes(const Tensor& log_gates) {
    return sizeof(double) * static_cast<double>(log_gates.data.size());
  }

  /// Adds D to a tile of scores. The first row of the tile is query `first_query`, and its first
  /// column is key `first_key`.
  void add(int head, int first_query, int first_key, const MatrixRef& tile) const;

 private:
  std::vector<double> sums_;  // (heads, tokens)
  std::ptrdiff_t tokens_;
};

/// The gradient dL/d(log f_t): `factor` times the sum of dL/ds_ij over all i >= t > j. It is
/// computed as a suffix sum of each token's gradient as a query minus its gradient as a key.
class DecayGradient {
 public:
  DecayGradient(const Tensor& log_gates, double factor);

  /// Adds the contribution of a tile of scores. d_scores (rows, keys) is the gradient of the scores
  /// after Decay::add().
  void gather(int head, int first_query, int first_key, const ConstMatrixRef& d_scores);
  /// Writes the gradient to d_log_gates (heads, tokens).
  void write(Tensor& d_log_gates) const;

 private:
  std::vector<double> d_sums_;
  std::ptrdiff_t tokens_;
  double factor_;
};

}  // namespace phasor
