#pragma once
// Inputs of attention for tests of encoding objects.
#include "numbers.h"
#include "phasor/phasor.h"

namespace phasor::test::live {

inline constexpr int kHeads = 2, kTokens = 40, kHeadDim = 8;

inline const Tensor q = dyadic(301, {kHeads, kTokens, kHeadDim}),
                    k = dyadic(302, {kHeads, kTokens, kHeadDim}),
                    v = dyadic(303, {kHeads, kTokens, kHeadDim}),
                    d_output = dyadic(304, {kHeads, kTokens, kHeadDim});
inline const EncodingDims kGeometry{.length = kTokens,
                                    .dim = kHeadDim,
                                    .heads = kHeads,
                                    .v_head_dim = kHeadDim,
                                    .kv_heads = kHeads};

inline AttentionConfig causal() {
  AttentionConfig config;
  config.mask = Mask::causal;
  return config;
}

}  // namespace phasor::test::live
