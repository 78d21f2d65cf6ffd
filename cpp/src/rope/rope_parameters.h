#pragma once
// The parameters that all RoPE variants share: number of rotated channels and frequency scaling.

#include <algorithm>
#include <array>
#include <vector>

#include "phasor/encoding.h"
#include "phasor/rope.h"

namespace phasor {

inline constexpr ParamInfo kRopeParameters[] = {
    ParamInfo::real("rotary_fraction", 1, 0, 1, "",
                    "Fraction of rotated channels; frequencies are base^(-2t / rotated channels)"),
    ParamInfo::integer("rotary_dim", 0, 0, 1048576, "channels",
                       "Number of rotated channels; 0: set by rotary_fraction"),
    ParamInfo::real("kept_fraction", 1, 0, 1, "",
                    "p-RoPE: fraction of pairs to rotate, fastest first"),
    ParamInfo::choice(
        "scaling",
        "none, linear, ntk_aware, dynamic_ntk, by_parts, yarn, longrope, llama3, part_ntk",
        "Frequency scaling for texts longer than in training: linear (Gemma 3), "
        "dynamic_ntk (InternLM2), yarn (DeepSeek, gpt-oss), longrope (Phi-3), llama3 (Llama 3.1); "
        "others come from papers and forums"),
    ParamInfo::log_real("factor", 4, 1, 1e6, "", "Context extension factor")
        .only_with("scaling",
                   "linear, ntk_aware, dynamic_ntk, by_parts, yarn, longrope, llama3, part_ntk"),
    ParamInfo::integer("original_length", 2048, 2, 2147483647, "tokens",
                       "Context length of the original training")
        .only_with("scaling", "dynamic_ntk, by_parts, yarn, longrope, llama3, part_ntk"),
    ParamInfo::integer("max_length", 0, 0, 2147483647, "tokens",
                       "longrope: context length after extension; 0: factor times original_length")
        .only_with("scaling", "longrope"),
    ParamInfo::integer(
        "sequence_length", 0, 0, 2147483647, "tokens",
        "dynamic_ntk and longrope: length of the text; 0: not longer than original_length")
        .only_with("scaling", "dynamic_ntk, longrope"),
    ParamInfo::real("attention_factor", 0, 0, 1000, "",
                    "Factor applied to cosines and sines; 0: determined by the scaling"),
    ParamInfo::log_real("beta_fast", 32, 1e-3, 1e6, "turns",
                        "by_parts and yarn: frequencies with at least this many rotations in "
                        "original_length are unchanged")
        .only_with("scaling", "by_parts, yarn"),
    ParamInfo::log_real(
        "beta_slow", 1, 1e-3, 1e6, "turns",
        "by_parts and yarn: frequencies with at most this many rotations are divided by the factor")
        .only_with("scaling", "by_parts, yarn"),
    ParamInfo::boolean(
        "truncate", true,
        "by_parts and yarn: rounds the ends of the ramp to whole pairs (not in gpt-oss)")
        .only_with("scaling", "by_parts, yarn"),
    ParamInfo::real("mscale", 0, 0, 1000, "",
                    "yarn: mscale of DeepSeek's attention factor; 0: the paper's factor")
        .only_with("scaling", "yarn"),
    ParamInfo::real(
        "mscale_all_dim", 0, 0, 1000, "",
        "yarn: mscale of the divisor in DeepSeek's attention factor; 0: the paper's factor")
        .only_with("scaling", "yarn"),
    ParamInfo::log_real(
        "low_freq_factor", 1, 1e-3, 1e6, "turns",
        "llama3: frequencies with at most this many rotations are divided by the factor")
        .only_with("scaling", "llama3"),
    ParamInfo::log_real("high_freq_factor", 4, 1e-3, 1e6, "turns",
                        "llama3: frequencies with at least this many rotations are unchanged")
        .only_with("scaling", "llama3"),
    ParamInfo::tensor("short_factor", "pairs",
                      "longrope: divisor of each frequency up to original_length; default: 1")
        .only_with("scaling", "longrope"),
    ParamInfo::tensor("long_factor", "pairs",
                      "longrope: divisor of each frequency beyond original_length; default: factor")
        .only_with("scaling", "longrope"),
    ParamInfo::choice("magnitude", "su, yarn",
                      "longrope: attention factor, su: sqrt(1 + ln s / ln original_length) "
                      "(Phi-3), yarn: 0.1 ln s + 1")
        .only_with("scaling", "longrope"),
    ParamInfo::log_real("beta_0", 1.25, 1e-3, 1e6, "turns",
                        "part_ntk: start of the ramp from NTK-aware to linear")
        .only_with("scaling", "part_ntk"),
    ParamInfo::log_real("beta_1", 0.75, 1e-3, 1e6, "turns",
                        "part_ntk: end of the ramp from NTK-aware to linear")
        .only_with("scaling", "part_ntk"),
    ParamInfo::log_real("gamma_0", 16, 1e-3, 1e6, "turns",
                        "part_ntk: start of the ramp from original to scaled frequencies")
        .only_with("scaling", "part_ntk"),
    ParamInfo::log_real("gamma_1", 2, 1e-3, 1e6, "turns",
                        "part_ntk: end of the ramp from original to scaled frequencies")
        .only_with("scaling", "part_ntk"),
};

template <std::size_t count>
constexpr auto with_rope_parameters(const std::array<ParamInfo, count>& encoding_params) {
  std::array<ParamInfo, count + std::size(kRopeParameters)> all_params;
  std::copy(std::begin(kRopeParameters), std::end(kRopeParameters),
            std::copy(encoding_params.begin(), encoding_params.end(), all_params.begin()));
  return all_params;
}

/// The rotary frequencies of a head, in radians per token.
struct RopeFrequencies {
  std::vector<double> original_frequencies{};  ///< base^(-2t/rotary_dim)
  /// Frequencies after scaling; 0 for the channel pairs that kept_fraction excludes
  std::vector<double> frequencies{};
  double attention_factor = 1;  ///< multiplies cosines and sines
};

/// Reads `base` and the other parameters of RoPE. Rejects invalid dims and combinations.
Status read_rope_frequencies(const ResolvedParams& values, int dim, RopeFrequencies& out);

/// Keeps the first floor(kept_fraction * n) of n frequencies and sets the rest to 0 (p-RoPE,
/// Barbero et al. 2024).
void keep_fastest_pairs(double kept_fraction, std::vector<double>& frequencies);

}  // namespace phasor
