#pragma once
// The sizes and configuration of attention calls with sinks.

#include <limits>

#include "attention_inputs.h"
#include "phasor/phasor.h"

namespace phasor::test::sinks_test {

inline constexpr float kNone = -std::numeric_limits<float>::infinity();
inline constexpr Sizes kSizes{4, 2, 300, 300, 8, 5};  // more keys than a tile has

inline AttentionConfig config_of(std::vector<float> sinks, const char* encoding = "alibi") {
  AttentionConfig config{.encoding = {.id = encoding}, .mask = Mask::causal};
  const int heads = static_cast<int>(sinks.size());
  config.options.sinks = Tensor({heads}, std::move(sinks));
  config.outputs = {.weights = true, .softmax_stats = true, .sink_weights = true};
  return config;
}

}  // namespace phasor::test::sinks_test
