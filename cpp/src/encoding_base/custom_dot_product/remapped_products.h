#pragma once
// Computes RoPE scores at the distances given by a Remap. Each range uses a rotated copy of the
// queries and one of the keys. A rotated key depends on its own position only, so a cache rotates
// it once per copy. For panels that span two ranges, both products are computed and one is selected
// per pair.

#include "phasor/custom_dot_product.h"
#include "phasor/rope.h"
#include "sinusoid/rotate_tokens.h"

namespace phasor {

struct RemapConfig {
  Remap remap{};
  PairLayout layout = PairLayout::interleaved;
  std::vector<double> frequencies{};
  double attention_factor = 1;  ///< multiplies cosines and sines
};

/// `config` must outlive the result.
std::unique_ptr<DotProductState> create_remapped_products(const RemapConfig& config, int head_dim,
                                                          bool requires_grad);
/// Upper bound on the bytes that the result of create_remapped_products allocates.
double compute_remapped_bytes(const RemapConfig& config, int queries, int keys, int head_dim,
                              bool requires_grad);

}  // namespace phasor
