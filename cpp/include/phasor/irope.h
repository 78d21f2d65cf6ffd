#pragma once
// iRoPE (Llama 4; the layers also SmolLM3): most layers have RoPE, every interval-th has no
// position at all and instead multiplies its queries by a temperature that grows with the position.

#include "phasor/result.h"

namespace phasor {

/// Whether a layer, counted from 0, uses RoPE: all but each `interval`-th. Hugging Face calls the
/// list of these answers no_rope_layers, although its 1 means that the layer does use RoPE. An
/// interval below 1 leaves RoPE in every layer.
constexpr bool uses_rope(int layer, int interval = 4) {
  return interval < 1 || (layer + 1) % interval != 0;
}

/// What a layer without RoPE multiplies a query by (Llama 4): ln(1 + floor((position + 1) /
/// floor_scale)) attn_scale + 1. Refused when position is not from 0 to kMaxPosition, floor_scale
/// is not above 0, or attn_scale is not finite.
Result<double> query_temperature(double position, double floor_scale = 8192,
                                 double attn_scale = 0.1);

}  // namespace phasor
