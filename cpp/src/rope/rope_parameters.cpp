#include "rope/rope_parameters.h"

#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "phasor/positions.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor {

namespace {

std::vector<double> numbers(const Tensor* tensor) {
  return tensor == nullptr ? std::vector<double>()
                           : std::vector<double>(tensor->data.begin(), tensor->data.end());
}

RopeScaling scaling_of(const ResolvedParams& values) {
  return {.type = values.choice<RopeScalingType>("scaling"),
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

Status rotary_dim(const ResolvedParams& values, int dim, int& out) {
  const double fraction = values.real("rotary_fraction");
  const int provided = values.integer("rotary_dim");
  if (provided > 0 && fraction < 1) {
    return invalid(
        "rotary_dim: {} cannot be combined with rotary_fraction {}; expected one of them", provided,
        fraction);
  }
  if (provided > dim) return invalid("rotary_dim: {} is above dim {}", provided, dim);
  out = provided > 0 ? provided : static_cast<int>(dim * fraction);
  if (out >= 2 && out % 2 == 0) return {};
  if (provided > 0)
    return invalid("rotary_dim: {} is odd, but rope rotates pairs of channels", provided);
  if (fraction < 1) {
    return invalid("rotary_fraction: {} of {} channels is {}, but rope rotates pairs of channels",
                   fraction, dim, out);
  }
  return invalid(
      "dim: {} is odd, but rope rotates pairs of channels and needs an even dim per head", dim);
}

}  // namespace

void keep_fastest(double kept_fraction, std::vector<double>& frequencies) {
  const double dim = 2.0 * static_cast<double>(frequencies.size());
  const auto kept = static_cast<std::ptrdiff_t>(std::floor(kept_fraction * dim / 2.0));
  std::fill(frequencies.begin() + kept, frequencies.end(), 0.0);
}

Status read_rope_frequencies(const ResolvedParams& values, int dim, RopeFrequencies& out) {
  int rotated = 0;
  PHASOR_TRY(rotary_dim(values, dim, rotated));
  Frequencies scaled;
  PHASOR_TRY(scaled_frequencies(scaling_of(values), rotated, values.real("base")).move_to(scaled));
  out.frequencies = std::move(scaled.inv_freq);
  out.attention_factor = scaled.attention_factor;
  out.original = inverse_frequencies(rotated / 2, rotated, values.real("base"));
  keep_fastest(values.real("kept_fraction"), out.original);
  keep_fastest(values.real("kept_fraction"), out.frequencies);
  return {};
}

}  // namespace phasor
