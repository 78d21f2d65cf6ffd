#pragma once
// Scores of RoPE with the distances of a Remap. Each range of keys has its own rotated copies of
// queries and keys. A copy depends on one position only, so a cache rotates each key once. A tile
// within one range needs one product. Panels that span two ranges need both products, and each
// pair takes that of its range.

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
std::unique_ptr<DotProductState> remapped_products(const RemapConfig& config, int head_dim,
                                                   bool requires_grad);
/// Upper bound on the memory of remapped_products, in bytes.
double remapped_bytes(const RemapConfig& config, int queries, int keys, int head_dim,
                      bool requires_grad);

}  // namespace phasor
