#include "math/rope_parameters.h"

#include <algorithm>
#include <cmath>

#include "math/frequency.h"
#include "math/sentence.h"
#include "phasor/positions.h"

namespace phasor {

namespace {

constexpr int kLongest = 2147483647;

std::vector<double> numbers(const Tensor* tensor) {
  return tensor == nullptr ? std::vector<double>() : std::vector<double>(tensor->data.begin(), tensor->data.end());
}

RopeScaling scaling_of(const Values& values) {
  return {.method = values.choice<RopeMethod>("scaling"),
          .factor = values.real("factor"),
          .original_length = values.real("original_length"),
          .max_length = values.real("max_length"),
          .sequence_length = values.real("sequence_length"),
          .attention_factor = values.real("attention_factor"),
          .beta_fast = values.real("beta_fast"),
          .beta_slow = values.real("beta_slow"),
          .truncate = values.boolean("truncate"),
          .mscale = values.real("mscale"),
          .mscale_all_dim = values.real("mscale_all_dim"),
          .low_freq_factor = values.real("low_freq_factor"),
          .high_freq_factor = values.real("high_freq_factor"),
          .short_factor = numbers(values.tensor("short_factor")),
          .long_factor = numbers(values.tensor("long_factor")),
          .magnitude = values.choice<LongRopeMagnitude>("magnitude"),
          .beta_0 = values.real("beta_0"),
          .beta_1 = values.real("beta_1"),
          .gamma_0 = values.real("gamma_0"),
          .gamma_1 = values.real("gamma_1")};
}

Status rotary_width(const Values& values, int width, int& out) {
  const double fraction = values.real("rotary_fraction");
  const int given = values.integer("rotary_width");
  if (given > 0 && fraction < 1) {
    return Status::invalid("rotary_width: " + std::to_string(given) + " is given beside rotary_fraction " + to_words(fraction) +
                           "; only one of them can say how many channels are turned");
  }
  if (given > width) return Status::invalid("rotary_width: " + std::to_string(given) + " is above the width " + std::to_string(width));
  out = given > 0 ? given : static_cast<int>(width * fraction);
  if (out >= 2 && out % 2 == 0) return {};
  if (given > 0) return Status::invalid("rotary_width: " + std::to_string(given) + " is odd, but rope turns pairs of channels");
  if (fraction < 1) {
    return Status::invalid("rotary_fraction: " + to_words(fraction) + " of " + std::to_string(width) + " channels is " +
                           std::to_string(out) + ", but rope turns pairs of channels");
  }
  return Status::invalid("width: " + std::to_string(width) + " is odd, but rope turns pairs of channels and needs an even width per head");
}

}  // namespace

std::vector<ParamSpec> with_rope_parameters(std::vector<ParamSpec> own) {
  const std::vector<ParamSpec> shared = {
      ParamSpec::real("rotary_fraction", 1, 0, 1, "", "Share of the channels that is turned; exponents count within it, the rest passes"),
      ParamSpec::integer("rotary_width", 0, 0, 1048576, "channels", "The same as a number of channels; 0: rotary_fraction decides"),
      ParamSpec::real("kept_fraction", 1, 0, 1, "", "p-RoPE: share of the pairs, fastest first, that turns; the others stand still"),
      ParamSpec::choice("scaling", {"none", "linear", "ntk_aware", "dynamic_ntk", "by_parts", "yarn", "longrope", "llama3", "part_ntk"},
                        "How frequencies change so that longer texts than in training can be read"),
      ParamSpec::log_real("factor", 4, 1, 1e6, "", "How many times longer the context becomes")
          .only_with("scaling", {"linear", "ntk_aware", "dynamic_ntk", "by_parts", "yarn", "longrope", "llama3", "part_ntk"}),
      ParamSpec::integer("original_length", 2048, 2, kLongest, "tokens", "Context of the original training")
          .only_with("scaling", {"dynamic_ntk", "by_parts", "yarn", "longrope", "llama3", "part_ntk"}),
      ParamSpec::integer("max_length", 0, 0, kLongest, "tokens", "longrope: context after extension; 0: factor times original_length")
          .only_with("scaling", {"longrope"}),
      ParamSpec::integer("sequence_length", 0, 0, kLongest, "tokens",
                         "dynamic_ntk and longrope: length of the text being read; 0: not beyond original_length")
          .only_with("scaling", {"dynamic_ntk", "longrope"}),
      ParamSpec::real("attention_factor", 0, 0, 1000, "", "Multiplies cosines and sines; 0: the scaling's own"),
      ParamSpec::log_real("beta_fast", 32, 1e-3, 1e6, "turns", "by_parts and yarn: pairs that turn more often within original_length stay")
          .only_with("scaling", {"by_parts", "yarn"}),
      ParamSpec::log_real("beta_slow", 1, 1e-3, 1e6, "turns",
                          "by_parts and yarn: pairs that turn less often are slowed by the whole factor")
          .only_with("scaling", {"by_parts", "yarn"}),
      ParamSpec::boolean("truncate", true, "by_parts and yarn: the ramp begins and ends at whole pairs")
          .only_with("scaling", {"by_parts", "yarn"}),
      ParamSpec::real("mscale", 0, 0, 1000, "", "yarn: attention factor of DeepSeek, with mscale_all_dim; 0: that of the paper")
          .only_with("scaling", {"yarn"}),
      ParamSpec::real("mscale_all_dim", 0, 0, 1000, "", "yarn: divides what mscale gives; 0: that of the paper")
          .only_with("scaling", {"yarn"}),
      ParamSpec::log_real("low_freq_factor", 1, 1e-3, 1e6, "turns", "llama3: pairs that turn less often are slowed by the whole factor")
          .only_with("scaling", {"llama3"}),
      ParamSpec::log_real("high_freq_factor", 4, 1e-3, 1e6, "turns", "llama3: pairs that turn more often stay")
          .only_with("scaling", {"llama3"}),
      ParamSpec::tensor("short_factor", "pairs", "longrope: divides each frequency up to original_length; 1 unless given")
          .only_with("scaling", {"longrope"}),
      ParamSpec::tensor("long_factor", "pairs", "longrope: divides each frequency beyond it; factor unless given")
          .only_with("scaling", {"longrope"}),
      ParamSpec::choice("magnitude", {"su", "yarn"}, "longrope: attention factor sqrt(1 + ln s / ln original_length), or 0.1 ln s + 1")
          .only_with("scaling", {"longrope"}),
      ParamSpec::log_real("beta_0", 1.25, 1e-3, 1e6, "turns", "part_ntk: where the ramp from NTK-aware to linear begins")
          .only_with("scaling", {"part_ntk"}),
      ParamSpec::log_real("beta_1", 0.75, 1e-3, 1e6, "turns", "part_ntk: where it ends").only_with("scaling", {"part_ntk"}),
      ParamSpec::log_real("gamma_0", 16, 1e-3, 1e6, "turns", "part_ntk: where the ramp from original to scaled begins")
          .only_with("scaling", {"part_ntk"}),
      ParamSpec::log_real("gamma_1", 2, 1e-3, 1e6, "turns", "part_ntk: where it ends").only_with("scaling", {"part_ntk"}),
  };
  own.insert(own.end(), shared.begin(), shared.end());
  return own;
}

void keep_fastest(double kept_fraction, std::vector<double>& frequencies) {
  const double width = 2.0 * static_cast<double>(frequencies.size());
  const auto kept = static_cast<std::ptrdiff_t>(std::floor(kept_fraction * width / 2.0));
  std::fill(frequencies.begin() + kept, frequencies.end(), 0.0);
}

Status rope_frequencies(const Values& values, int width, RopeFrequencies& out) {
  int turned = 0;
  PHASOR_TRY(rotary_width(values, width, turned));
  PHASOR_TRY(rope_frequencies(scaling_of(values), turned, values.real("base"), out.frequencies, out.attention_factor));
  out.original = inverse_frequencies(turned / 2, turned, values.real("base"));
  keep_fastest(values.real("kept_fraction"), out.original);
  keep_fastest(values.real("kept_fraction"), out.frequencies);
  return {};
}

}  // namespace phasor
