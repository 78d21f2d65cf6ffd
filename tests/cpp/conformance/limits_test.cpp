// A second copy of defaults and ranges. Tests that read them from the declarations cannot detect a
// wrong declaration, and a changed default would change the models of old links.

#include <gtest/gtest.h>

#include <algorithm>

#include "phasor/registry.h"

namespace phasor::test {
namespace {

/// Choices are written as their index, booleans as 0 or 1.
struct Limits {
  const char *encoding, *parameter;
  double default_value, min, max;
};

// clang-format off
constexpr Limits kLimits[] = {
    {"alibi", "form", 0, 0, 4},
    {"alibi", "bias_max", 8, 0.125, 64},
    {"alibi", "right_factor", 1, 0, 1000},
    {"alibi", "max_seq_len", 64, 1, 1048576},
    {"binary", "order", 0, 0, 1},
    {"cope", "npos", 64, 1, 65536},
    {"cope", "placement", 0, 0, 1},
    {"cope", "init_std", 1, 0, 100},
    {"cope", "seed", 0, 0, kMaxPosition},
    {"dape", "bias", 0, 0, 3},
    {"dape", "right", 0, 0, 1},
    {"dape", "mlp_width", 32, 1, 1024},
    {"dape", "negative_slope", 0.01, 0, 1},
    {"dape", "seed", 0, 0, kMaxPosition},
    {"deberta", "terms", 0, 0, 2},
    {"deberta", "position_buckets", 256, 0, 4096},
    {"deberta", "max_relative_positions", 512, 1, 1048576},
    {"deberta", "init_std", 1, 0, 100},
    {"deberta", "seed", 0, 0, kMaxPosition},
    {"fire", "init_c", 0.1, 0.0001, 1000},
    {"fire", "init_l", 512, 1, 1e6},
    {"fire", "eps", 1e-6, 1e-12, 1},
    {"fire", "mlp_width", 32, 1, 1024},
    {"fire", "seed", 0, 0, kMaxPosition},
    {"fourier", "sigma", 1, 0.0001, 10000},
    {"fourier", "features", 0, 0, 65536},
    {"fourier", "order", 0, 0, 1},
    {"fourier", "matrix", 0, 0, 1},
    {"fourier", "two_pi", 1, 0, 1},
    {"fourier", "extent", 64, 0.001, 1e9},
    {"fourier", "normalise", 0, 0, 1},
    {"fourier", "seed", 0, 0, kMaxPosition},
    {"grape_a", "gate", 0, 0, 2},
    {"grape_a", "gate_scale", 0, 0, 1000},
    {"grape_a", "seed", 0, 0, kMaxPosition},
    {"index", "start", 0, 0, 1},
    {"kerple", "form", 0, 0, 2},
    {"kerple", "right", 0, 0, 1},
    {"kerple", "seed", 0, 0, kMaxPosition},
    {"learned", "max_length", 512, 1, 65536},
    {"learned", "row_offset", 0, 0, 65535},
    {"learned", "scaled", 0, 0, 1},
    {"learned", "seed", 0, 0, kMaxPosition},
    {"liere", "block", 4, 2, 256},
    {"liere", "axes", 2, 1, 3},
    {"liere", "spread", 0.75, 0, 1000},
    {"liere", "columns", 8, 1, 1048576},
    {"liere", "seed", 0, 0, kMaxPosition},
    {"mrope", "base", 1e6, 1.001, 1e12},
    {"mrope", "layout", 1, 0, 1},
    {"mrope", "arrangement", 0, 0, 2},
    {"mrope", "temporal_pairs", 0, 0, 524288},
    {"mrope", "rotary_fraction", 1, 0, 1},
    {"mrope", "rotary_dim", 0, 0, 1048576},
    {"mrope", "kept_fraction", 1, 0, 1},
    {"mrope", "scaling", 0, 0, 8},
    {"mrope", "factor", 4, 1, 1e6},
    {"mrope", "original_length", 2048, 2, kMaxPosition},
    {"mrope", "max_length", 0, 0, kMaxPosition},
    {"mrope", "sequence_length", 0, 0, kMaxPosition},
    {"mrope", "attention_factor", 0, 0, 1000},
    {"mrope", "beta_fast", 32, 0.001, 1e6},
    {"mrope", "beta_slow", 1, 0.001, 1e6},
    {"mrope", "truncate", 1, 0, 1},
    {"mrope", "mscale", 0, 0, 1000},
    {"mrope", "mscale_all_dim", 0, 0, 1000},
    {"mrope", "low_freq_factor", 1, 0.001, 1e6},
    {"mrope", "high_freq_factor", 4, 0.001, 1e6},
    {"mrope", "magnitude", 0, 0, 1},
    {"mrope", "beta_0", 1.25, 0.001, 1e6},
    {"mrope", "beta_1", 0.75, 0.001, 1e6},
    {"mrope", "gamma_0", 16, 0.001, 1e6},
    {"mrope", "gamma_1", 2, 0.001, 1e6},
    {"multi_frequency", "start", 0, 0, 1},
    {"nerf", "levels", 10, 1, 32},
    {"nerf", "include_input", 0, 0, 1},
    {"nerf", "sampling", 0, 0, 1},
    {"nerf", "factor_pi", 1, 0, 1},
    {"nerf", "extent", 1024, 0.001, 1e9},
    {"normalised_index", "convention", 0, 0, 2},
    {"normalised_index", "range", 0, 0, 1},
    {"pope", "base", 10000, 1.001, 1e12},
    {"pope", "seed", 0, 0, kMaxPosition},
    {"relative_bias", "max_length", 2048, 1, 65536},
    {"relative_bias", "placement", 0, 0, 1},
    {"relative_bias", "beyond", 0, 0, 1},
    {"relative_bias", "per_head", 0, 0, 1},
    {"relative_bias", "init_std", 1, 0, 100},
    {"relative_bias", "seed", 0, 0, kMaxPosition},
    {"rope", "base", 10000, 1.001, 1e12},
    {"rope", "layout", 0, 0, 1},
    {"rope", "direction", 0, 0, 1},
    {"rope", "rotary_offset", 0, 0, 1048576},
    {"rope", "start_tokens", 0, 0, kMaxPosition},
    {"rope", "rotary_fraction", 1, 0, 1},
    {"rope", "rotary_dim", 0, 0, 1048576},
    {"rope", "kept_fraction", 1, 0, 1},
    {"rope", "scaling", 0, 0, 8},
    {"rope", "factor", 4, 1, 1e6},
    {"rope", "original_length", 2048, 2, kMaxPosition},
    {"rope", "max_length", 0, 0, kMaxPosition},
    {"rope", "sequence_length", 0, 0, kMaxPosition},
    {"rope", "attention_factor", 0, 0, 1000},
    {"rope", "beta_fast", 32, 0.001, 1e6},
    {"rope", "beta_slow", 1, 0.001, 1e6},
    {"rope", "truncate", 1, 0, 1},
    {"rope", "mscale", 0, 0, 1000},
    {"rope", "mscale_all_dim", 0, 0, 1000},
    {"rope", "low_freq_factor", 1, 0.001, 1e6},
    {"rope", "high_freq_factor", 4, 0.001, 1e6},
    {"rope", "magnitude", 0, 0, 1},
    {"rope", "beta_0", 1.25, 0.001, 1e6},
    {"rope", "beta_1", 0.75, 0.001, 1e6},
    {"rope", "gamma_0", 16, 0.001, 1e6},
    {"rope", "gamma_1", 2, 0.001, 1e6},
    {"rope", "remap", 0, 0, 5},
    {"rope", "window", 512, 1, kMaxPosition},
    {"rope", "group", 8, 1, kMaxPosition},
    {"rope", "leak", 16, 1, 1e9},
    {"rope", "sink_tokens", 10, 0, kMaxPosition},
    {"rope", "max_distance", 512, 0, kMaxPosition},
    {"rope", "chunk", 512, 1, 1073741823},
    {"rope", "max_position", 767, 0, kMaxPosition},
    {"rope", "training_length", 0, 0, kMaxPosition},
    {"rope_2d", "convention", 0, 0, 5},
    {"rope_2d", "base", 1, 1, 1e9},
    {"rope_2d", "columns", 8, 1, 1048576},
    {"rope_2d", "rows", 8, 1, 1048576},
    {"rope_2d", "max_freq", 10, 2, 1e6},
    {"rope_2d", "prefix_tokens", 0, 0, 1048576},
    {"rope_2d", "rotary_dim", 0, 0, 1048576},
    {"rope_fourier", "base", 10000, 1.001, 1e12},
    {"rope_fourier", "floor_length", 0, 0, kMaxPosition},
    {"rope_fourier", "pairs", 0, 0, 524288},
    {"rope_fourier", "rest", 0, 0, 1},
    {"rope_fourier", "noise", 0.3, 0, 100},
    {"rope_fourier", "seed", 0, 0, kMaxPosition},
    {"rope_mixed", "base", 10, 1.001, 1e9},
    {"rope_mixed", "columns", 8, 1, 1048576},
    {"rope_mixed", "seed", 0, 0, kMaxPosition},
    {"sandwich", "db", 128, 2, 4096},
    {"sandwich", "base", 10000, 1.001, 1e9},
    {"sandwich", "index", 0, 0, 1},
    {"shaw", "clip", 16, 1, 4096},
    {"shaw", "direction", 0, 0, 1},
    {"shaw", "values", 1, 0, 1},
    {"shaw", "per_head", 0, 0, 1},
    {"shaw", "init_std", 1, 0, 100},
    {"shaw", "seed", 0, 0, kMaxPosition},
    {"sin_cos", "start", 0, 0, 1},
    {"sine", "start", 0, 0, 1},
    {"sinusoidal", "base", 10000, 1.001, 1e9},
    {"sinusoidal", "layout", 0, 0, 1},
    {"sinusoidal", "frequencies", 0, 0, 2},
    {"sinusoidal", "odd_width", 0, 0, 2},
    {"sinusoidal", "min_timescale", 1, 1e-6, 1e9},
    {"sinusoidal", "max_timescale", 10000, 1e-6, 1e9},
    {"sinusoidal", "padding_idx", -1, -1, kMaxPosition},
    {"sinusoidal", "scaled", 0, 0, 1},
    {"sinusoidal_grid", "convention", 0, 0, 2},
    {"sinusoidal_grid", "base", 10000, 1.001, 1e9},
    {"sinusoidal_grid", "min_timescale", 1, 1e-6, 1e9},
    {"sinusoidal_grid", "max_timescale", 10000, 1e-6, 1e9},
    {"t5", "num_buckets", 32, 2, 4096},
    {"t5", "max_distance", 128, 2, 1048576},
    {"t5", "bidirectional", 1, 0, 1},
    {"t5", "multiplier", 1, -1000, 1000},
    {"t5", "init_std", 1, 0, 100},
    {"t5", "seed", 0, 0, kMaxPosition},
    {"transformer_xl", "base", 10000, 1.001, 1e9},
    {"transformer_xl", "layout", 0, 0, 1},
    {"transformer_xl", "clamp_len", 0, 0, 1048576},
    {"transformer_xl", "seed", 0, 0, kMaxPosition},
    {"xpos", "base", 10000, 1.001, 1e9},
    {"xpos", "layout", 0, 0, 1},
    {"xpos", "scale_base", 512, 1, 1e9},
    {"xpos", "gamma", 0.4, 0.001, 1000},
    {"xpos", "length", 0, 0, kMaxPosition},
    {"xpos", "center", 0, 0, 1},
};
// clang-format on

const ParamInfo* spec_of(const EncodingInfo& type, std::string_view name) {
  const auto specs = type.params;
  const auto limit = std::find_if(specs.begin(), specs.end(),
                                  [&](const ParamInfo& spec) { return spec.name == name; });
  return limit == specs.end() ? nullptr : &*limit;
}

TEST(ConformanceLimits, DefaultsAndRangesMatchTheTable) {
  for (const Limits& limits : kLimits) {
    const EncodingInfo* type = find_encoding(limits.encoding);
    ASSERT_NE(type, nullptr) << limits.encoding;
    const ParamInfo* spec = spec_of(*type, limits.parameter);
    ASSERT_NE(spec, nullptr) << limits.encoding << " " << limits.parameter;
    EXPECT_EQ(spec->default_value, limits.default_value)
        << limits.encoding << " " << limits.parameter;
    EXPECT_EQ(spec->min, limits.min) << limits.encoding << " " << limits.parameter;
    EXPECT_EQ(spec->max, limits.max) << limits.encoding << " " << limits.parameter;
  }
}

// Encodings without an entry in the table are skipped.
TEST(ConformanceLimits, TableListsEveryParameterOfItsEncodings) {
  for (const EncodingInfo* type : encodings()) {
    const auto of_type = [&](const Limits& limits) { return limits.encoding == type->id; };
    if (std::none_of(std::begin(kLimits), std::end(kLimits), of_type)) continue;
    for (const ParamInfo& spec : type->params) {
      if (spec.kind == ParamKind::tensor) continue;
      EXPECT_TRUE(
          std::any_of(std::begin(kLimits), std::end(kLimits),
                      [&](const Limits& l) { return of_type(l) && l.parameter == spec.name; }))
          << type->id << " " << spec.name;
    }
  }
}

}  // namespace
}  // namespace phasor::test
