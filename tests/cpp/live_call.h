#pragma once
// One call of attention, for encodings that are made before it.
#include "numbers.h"
#include "phasor/phasor.h"

namespace phasor::test::live {

inline constexpr int kHeads = 2, kTokens = 40, kWidth = 8;

inline const Tensor q = dyadic(301, {kHeads, kTokens, kWidth}),
                    k = dyadic(302, {kHeads, kTokens, kWidth}),
                    v = dyadic(303, {kHeads, kTokens, kWidth}),
                    d_output = dyadic(304, {kHeads, kTokens, kWidth});
inline const EncodingDims kGeometry{
    .length = kTokens, .width = kWidth, .heads = kHeads, .value_width = kWidth, .kv_heads = kHeads};

inline AttentionConfig causal() {
  AttentionConfig config;
  config.mask = Mask::causal;
  return config;
}

}  // namespace phasor::test::live
