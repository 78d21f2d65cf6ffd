#pragma once
// RoPE: frequencies, their scaling for longer contexts, and remapped distances. For Llama 4: which
// layers use RoPE, and the query temperature in the other layers.

#include <cstdint>
#include <vector>

#include "phasor/result.h"

namespace phasor {

/// The frequencies of a `query_key` encoding that rotates pairs of channels.
struct Frequencies {
  std::vector<double> inv_freq{};  ///< (pairs), radians per token
  /// Factor applied to cosines and sines, so that scores are multiplied by its square
  double attention_factor = 1;
};

/// How scaling changes the frequencies v_t = base^(-2t/dim) of the original training.
enum class RopeScalingType {
  none,    ///< v_t
  linear,  ///< v_t / factor: position interpolation (Chen et al. 2023, arXiv 2306.15595)
  /// base becomes base * factor^(dim/(dim-2)): the frequency of the fastest pair is unchanged, and
  /// that of the slowest is divided by factor (bloc97 2023)
  ntk_aware,
  dynamic_ntk,  ///< ntk_aware, growing with sequence_length beyond original_length (emozilla 2023)
  /// Fast pairs are unchanged and slow pairs are interpolated, with a ramp between them (Peng et
  /// al. 2023, arXiv 2309.00071, 3.2)
  by_parts,
  yarn,  ///< by_parts, with an attention factor (the same paper, 3.4)
  /// v_t / lambda_t, with a factor per pair from a search (Ding et al. 2024, arXiv 2402.13753)
  longrope,
  llama3,  ///< three bands of wavelengths (Llama 3.1)
  /// "Part NTK" of the YaRN repository: original, NTK-aware and linear frequencies for fast, medium
  /// and slow pairs, with ramps in between
  part_ntk,
};

/// LongRoPE's attention factor as a function of s, the ratio of the extended to the original
/// context.
enum class LongRopeMagnitude {
  su,    ///< sqrt(1 + ln s / ln original_length)
  yarn,  ///< 0.1 ln s + 1
};

/// A field whose comment starts with scaling types applies only to those types. Lengths are in
/// tokens, and rotations are counted over original_length.
struct RopeScaling {
  RopeScalingType type = RopeScalingType::none;
  /// Ratio of the extended to the original context, at least 1
  double factor = 4;
  /// Context length of the original training (not used by none, linear and ntk_aware)
  double original_length = 2048;
  /// longrope: context length after extension; 0: factor * original_length
  double max_length = 0;
  /// dynamic_ntk, longrope: current sequence length; 0: at most original_length
  double sequence_length = 0;
  /// Factor applied to cosines and sines; 0: the type's default, which is 1 except for yarn and
  /// longrope
  double attention_factor = 0;
  /// by_parts, yarn: pairs with more than beta_fast rotations are unchanged
  double beta_fast = 32;
  /// by_parts, yarn: pairs with fewer than beta_slow rotations are fully interpolated
  double beta_slow = 1;
  /// by_parts, yarn: rounds the ends of the ramp to whole pairs; false in gpt-oss
  bool truncate = true;
  /// yarn (DeepSeek): if set with mscale_all_dim, the attention factor is m(mscale) /
  /// m(mscale_all_dim); 0: not used
  double mscale = 0;
  double mscale_all_dim = 0;  ///< yarn (DeepSeek), see mscale
  /// llama3: wavelengths above original_length / low_freq_factor are fully interpolated
  double low_freq_factor = 1;
  /// llama3: wavelengths below original_length / high_freq_factor are unchanged
  double high_freq_factor = 4;
  std::vector<double> short_factor{};  ///< longrope: lambda_t up to original_length; empty: 1
  std::vector<double> long_factor{};   ///< longrope: lambda_t beyond original_length; empty: factor
  LongRopeMagnitude magnitude = LongRopeMagnitude::su;
  double beta_0 = 1.25;  ///< part_ntk: rotations at which the ramp from NTK-aware to linear begins
  double beta_1 = 0.75;  ///< part_ntk: rotations at which the ramp to linear ends
  double gamma_0 = 16;   ///< part_ntk: rotations at which the ramp from original to scaled begins
  double gamma_1 = 2;    ///< part_ntk: rotations at which the ramp to scaled ends
};

/// Computes the scaled frequencies in double. `dim` is the even number of rotated channels; base is
/// above 1. Rejects invalid or contradictory fields.
Result<Frequencies> scaled_frequencies(const RopeScaling& scaling, int dim, double base);

/// RoPE at remapped distances, for sequences longer than a model was trained on (parameter `remap`
/// of rope). Each kind is a formula for the distance between query i and key j <= i; a window
/// includes the token itself.
///   self_extend   i - j if < window, else floor(i/G) - floor(j/G) + w - floor(w/G)
///                 (Jin et al. 2024, arXiv 2401.01325; datamllab/LongLM)
///   rerope        min(i - j, window)   (Su 2023, bojone/rerope)
///   leaky_rerope  i - j if < window, else w + (i - j - w) / G   (Su 2023)
///   lm_infinite   i - j inside the window, else max_distance; only the window and the first
///                 sink_tokens are visible   (Han et al. 2023, arXiv 2308.16137)
///   dual_chunk    same chunk of S tokens: i - j; previous chunk: min(i mod S + S, C) - j mod S;
///                 older: min(2S - 1, C) - j mod S   (An et al. 2024, arXiv 2402.17463)
/// If G does not divide w, floor(w/G) makes the distance skip a value at the edge of the window, as
/// in LongLM's code. The paper on dual chunk attention sets C = training length - 1; its code sets
/// C = training length and multiplies q and k by 0.05 ln s + 1, which is not implemented here.
struct Remap {
  enum class Kind : std::uint8_t {
    none,
    self_extend,
    rerope,
    leaky_rerope,
    lm_infinite,
    dual_chunk
  };

  Kind kind = Kind::none;
  double window = 0;  ///< w, or S for dual_chunk
  double group = 1;   ///< G of self_extend and leaky_rerope
  double far = 0;     ///< max_distance, or C for dual_chunk
  /// rerope: the scores of query i are multiplied by max(1, ln(i + 1) / ln(train_length)); 0: no
  /// factor
  double train_length = 0;

  static constexpr int kRanges = 3;
  /// Number of ranges of keys, each with its own formula for the distance. Range 0 is the nearest.
  int ranges() const { return kind == Kind::none ? 1 : kind == Kind::dual_chunk ? 3 : 2; }
  /// The smallest position of a key in this range; -infinity for the last range.
  double first_key(int range, double query) const;
  /// The distance in a range is query_position(range, query) - key_position(range, key).
  double query_position(int range, double query) const;
  double key_position(int range, double key) const;
  /// The index of the rotated key copy for this range. Several ranges may use one copy.
  int key_copy(int range) const { return kind == Kind::dual_chunk ? 0 : range; }
  int key_copies() const { return kind == Kind::dual_chunk ? 1 : ranges(); }

  double distance(double query, double key) const;
  /// Factor applied to the scores of a query at this position.
  double query_factor(double query) const;
};

/// True if the layer, counted from 0, uses RoPE. The layers for which layer + 1 is a multiple of
/// `interval` do not use it; if interval is below 1, all layers do. Hugging Face calls the list of
/// these values no_rope_layers.
constexpr bool uses_rope(int layer, int interval = 4) {
  return interval < 1 || (layer + 1) % interval != 0;
}

/// Factor applied to queries in layers without RoPE (Llama 4): ln(1 + floor((position + 1) /
/// floor_scale)) * attn_scale + 1. Rejects positions outside 0 to kMaxPosition, a floor_scale that
/// is not positive, and an attn_scale that is not finite.
Result<double> query_temperature(double position, double floor_scale = 8192,
                                 double attn_scale = 0.1);

}  // namespace phasor
