#pragma once
// RoPE at the distances of a Remap: each range of keys has separate rotated copies of queries and
// keys. A copy depends on one position only, so that a cache rotates a key once. A tile within one
// range needs one product. For panels that cross a border, the products of both ranges are
// computed, and each pair selects one.

#include "phasor/custom_dot_product.h"
#include "phasor/rope.h"
#include "sinusoid/rotate_tokens.h"

namespace phasor {

struct RemapConfig {
  Remap remap{};
  PairLayout layout = PairLayout::interleaved;
  std::vector<double> frequencies{};
  double attention_factor = 1;  ///< factor on cosines and sines
};

/// `config` must outlive the result.
std::unique_ptr<DotProductState> remapped_products(const RemapConfig& config, int head_dim,
                                                   bool requires_grad);
/// Upper bound on the memory of remapped_products, in bytes.
double remapped_bytes(const RemapConfig& config, int queries, int keys, int head_dim,
                      bool requires_grad);

}  // namespace phasor
