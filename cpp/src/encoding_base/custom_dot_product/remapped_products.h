#pragma once
// RoPE at the distances of a Remap: each range of keys has its own rotated copies of queries and
// keys, all of which depend on their own position alone, so that a cache turns a key once. A tile
// wholly in one range takes one product; at a border both are formed, for the panels it runs
// through, and each pair takes its own.

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

/// `config` must outlive what is made.
std::unique_ptr<DotProductState> remapped_products(const RemapConfig& config, int head_dim,
                                                   bool requires_grad);
/// At most how many bytes that takes.
double remapped_bytes(const RemapConfig& config, int queries, int keys, int head_dim,
                      bool requires_grad);

}  // namespace phasor
