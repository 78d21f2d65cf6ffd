#include "rope/rope_parameters.h"

#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "phasor/positions.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor {

namespace {

std::vector<double> to_doubles(const Tensor* tensor) {
  return tensor == nullptr ? std::vector<double>()
                           : std::vector<double>(tensor->data.begin(), tensor->data.end());
}

RopeScaling read_scaling(const ResolvedParams& values) {
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
          .short_factor = to_doubles(values.tensor("short_factor")),
          .long_factor = to_doubles(values.tensor("long_factor")),
          .magnitude = values.choice<LongRopeMagnitude>("magnitude"),
          .beta_0 = values.real("beta_0"),
          .beta_1 = values.real("beta_1"),
          .gamma_0 = values.real("gamma_0"),
          .gamma_1 = values.real("gamma_1")};
}

Status read_rotary_dim(const ResolvedParams& values, int dim, int& out) {
  const double rotary_fraction = values.real("rotary_fraction");
  const int rotary_dim = values.integer("rotary_dim");
  if (rotary_dim > 0 && rotary_fraction < 1) {
    return invalid(
        "rotary_dim: {} cannot be combined with rotary_fraction {}; expected one of them",
        rotary_dim, rotary_fraction);
  }
  if (rotary_dim > dim) return invalid("rotary_dim: {} exceeds dim {}", rotary_dim, dim);
  out = rotary_dim > 0 ? rotary_dim : static_cast<int>(dim * rotary_fraction);
  if (out >= 2 && out % 2 == 0) return {};
  if (rotary_dim > 0)
    return invalid(
        "rotary_dim: {} is odd; expected an even number, because rope rotates channels in pairs",
        rotary_dim);
  if (rotary_fraction < 1) {
    return invalid(
        "rotary_fraction: {} of {} channels is {}; expected an even number of at least 2, because "
        "rope rotates channels in pairs",
        rotary_fraction, dim, out);
  }
  return invalid(
      "dim: {} is odd; expected an even dim per head, because rope rotates channels in pairs", dim);
}

}  // namespace

void keep_fastest_pairs(double kept_fraction, std::vector<double>& frequencies) {
  const double dim = 2.0 * static_cast<double>(frequencies.size());
  const auto kept_pairs = static_cast<std::ptrdiff_t>(std::floor(kept_fraction * dim / 2.0));
  std::fill(frequencies.begin() + kept_pairs, frequencies.end(), 0.0);
}

Status read_rope_frequencies(const ResolvedParams& values, int dim, RopeFrequencies& out) {
  int rotary_dim = 0;
  PHASOR_TRY(read_rotary_dim(values, dim, rotary_dim));
  Frequencies scaled_rope;
  PHASOR_TRY(scaled_frequencies(read_scaling(values), rotary_dim, values.real("base"))
                 .move_to(scaled_rope));
  out.frequencies = std::move(scaled_rope.inv_freq);
  out.attention_factor = scaled_rope.attention_factor;
  out.original_frequencies = inverse_frequencies(rotary_dim / 2, rotary_dim, values.real("base"));
  keep_fastest_pairs(values.real("kept_fraction"), out.original_frequencies);
  keep_fastest_pairs(values.real("kept_fraction"), out.frequencies);
  return {};
}

}  // namespace phasor
