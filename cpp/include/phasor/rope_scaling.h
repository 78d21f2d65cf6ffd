#pragma once
// Context extension of RoPE as one description: the frequencies a model rotates with when it reads
// texts longer than those of its first training.

#include <vector>

#include "phasor/frequencies.h"
#include "phasor/result.h"

namespace phasor {

/// How the frequencies v_t = base^(-2t/width) of the original training are changed.
enum class RopeMethod {
  none,    ///< not at all
  linear,  ///< v_t / factor: position interpolation (Chen et al. 2023, arXiv 2306.15595)
  /// base * factor^(d/(d-2)): the fastest pair keeps its speed, the slowest is slowed by factor
  /// (bloc97 2023)
  ntk_aware,
  dynamic_ntk,  ///< ntk_aware growing with sequence_length beyond original_length (emozilla 2023)
  /// Fast pairs stay, slow ones are interpolated, a ramp between (Peng et al. 2023, arXiv
  /// 2309.00071, 3.2)
  by_parts,
  yarn,  ///< by_parts, with an attention factor (the same paper, 3.4)
  /// v_t / lambda_t with searched factors per pair (Ding et al. 2024, arXiv 2402.13753)
  longrope,
  llama3,  ///< by wavelength, in three bands (Llama 3.1)
  /// The class "part NTK" of the YaRN repository: linear, NTK-aware and original frequencies in two
  /// ramps
  part_ntk,
};

/// How LongRoPE's attention factor grows with the extension s.
enum class LongRopeMagnitude {
  su,    ///< sqrt(1 + ln s / ln original_length)
  yarn,  ///< 0.1 ln s + 1
};

/// A method reads only the fields whose comments name it, or name none. Lengths are in tokens.
struct RopeScaling {
  RopeMethod method = RopeMethod::none;
  /// How many times longer the context becomes; at least 1 (all but dynamic_ntk and longrope:
  /// exactly)
  double factor = 4;
  /// Context of the original training (all but none, linear and ntk_aware)
  double original_length = 2048;
  /// longrope: context after extension; 0: factor * original_length
  double max_length = 0;
  /// dynamic_ntk, longrope: length of the text being read; 0: not beyond original_length
  double sequence_length = 0;
  /// Multiplies cosines and sines; 0: the method's own, which is 1 except for yarn and longrope
  double attention_factor = 0;
  /// by_parts, yarn: pairs that turn more often than this within original_length stay
  double beta_fast = 32;
  /// by_parts, yarn: pairs that turn less often than this are interpolated in full
  double beta_slow = 1;
  /// by_parts, yarn: the ends of the ramp are rounded to whole pairs (gpt-oss: not)
  bool truncate = true;
  /// yarn (DeepSeek): with mscale_all_dim, attention factor m(mscale) / m(mscale_all_dim); 0: not
  /// used
  double mscale = 0;
  double mscale_all_dim = 0;  ///< yarn (DeepSeek), see mscale
  /// llama3: wavelengths above original_length / this are interpolated in full
  double low_freq_factor = 1;
  double high_freq_factor = 4;         ///< llama3: wavelengths below original_length / this stay
  std::vector<double> short_factor{};  ///< longrope: lambda_t up to original_length; empty: 1
  std::vector<double> long_factor{};   ///< longrope: lambda_t beyond it; empty: factor
  LongRopeMagnitude magnitude = LongRopeMagnitude::su;
  double beta_0 = 1.25;  ///< part_ntk: turns where the ramp from NTK-aware to linear begins
  double beta_1 = 0.75;  ///< part_ntk: and where it ends
  double gamma_0 = 16;   ///< part_ntk: turns where the ramp from original to scaled begins
  double gamma_1 = 2;    ///< part_ntk: and where it ends
};

/// The frequencies after scaling, formed in double. width: channels that are rotated (even); base
/// above 1. Invalid and contradictory fields are named.
Result<Frequencies> scaled_frequencies(const RopeScaling& scaling, int width, double base);

}  // namespace phasor
