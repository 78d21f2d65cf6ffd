// The formulas of phasor/rope.h. If a paper and its code differ, this file follows the code:
// - jquesnelle/yarn and Hugging Face clamp the limits of YaRN's ramp to [0, d - 1], although there
//   are d/2 pairs. An empty ramp becomes 0.001 wide. If the limits cross, the ramp is reversed.
// - The YaRN paper defines the temperature t of the logits by sqrt(1/t) = 0.1 ln s + 1. The code
//   multiplies the cosines and sines of both q and k by sqrt(1/t).
// - Hugging Face uses mscale only together with mscale_all_dim. In DeepSeek's own code, the default
//   of mscale_all_dim is 0.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/format_error.h"
#include "math/scalar_math.h"
#include "phasor/positions.h"
#include "phasor/rope.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor {

namespace {

using PairValues = std::vector<double>;  // one frequency or interpolation weight per channel pair

struct UnscaledRope {
  int dim;
  double base;
  PairValues frequencies;
};

// Returns the frequencies with the base multiplied by scale^(d/(d-2)). A single pair has frequency
// 1 with any base.
PairValues rebase(const UnscaledRope& unscaled, double scale) {
  const double d = unscaled.dim;
  if (unscaled.dim == 2) return unscaled.frequencies;
  return inverse_frequencies(unscaled.dim / 2, d, unscaled.base * power(scale, d / (d - 2.0)));
}

// Returns the fractional index of the channel pair that makes `rotations` rotations in `length`
// tokens.
double find_pair_index(double rotations, const UnscaledRope& unscaled, double length) {
  return unscaled.dim * std::log(length / (rotations * 2.0 * std::numbers::pi)) /
         (2.0 * std::log(unscaled.base));
}

// Weights for interpolation: 0 for pairs with at least `fast_rotations` rotations, 1 for pairs with
// at most `slow_rotations` rotations, and a linear ramp in between.
PairValues make_ramp(double fast_rotations, double slow_rotations, const UnscaledRope& unscaled,
                     const RopeScaling& scaling) {
  double ramp_begin = find_pair_index(fast_rotations, unscaled, scaling.original_length),
         ramp_end = find_pair_index(slow_rotations, unscaled, scaling.original_length);
  if (scaling.truncate) {
    ramp_begin = std::floor(ramp_begin);
    ramp_end = std::ceil(ramp_end);
  }
  ramp_begin = std::max(ramp_begin, 0.0);
  ramp_end = std::min(ramp_end, unscaled.dim - 1.0);
  if (ramp_begin == ramp_end) ramp_end += 0.001;
  PairValues out(unscaled.frequencies.size());
  for (std::size_t t = 0; t < out.size(); ++t)
    out[t] = std::clamp((static_cast<double>(t) - ramp_begin) / (ramp_end - ramp_begin), 0.0, 1.0);
  return out;
}

// Computes from_t (1 - weight_t) + to_t weight_t.
PairValues blend(const PairValues& from, const PairValues& to, const PairValues& weights) {
  PairValues out(from.size());
  for (std::size_t t = 0; t < out.size(); ++t)
    out[t] = from[t] * (1.0 - weights[t]) + to[t] * weights[t];
  return out;
}

PairValues divide(const PairValues& frequencies, double factor) {
  PairValues out = frequencies;
  for (double& w : out) w /= factor;
  return out;
}

PairValues scale_llama3(const UnscaledRope& unscaled, const RopeScaling& s) {
  PairValues weights(unscaled.frequencies.size());  // weights of the original frequencies
  for (std::size_t t = 0; t < weights.size(); ++t) {
    const double rotations = s.original_length * unscaled.frequencies[t] / (2.0 * std::numbers::pi);
    // If both factors are equal, the ramp is a step (Llama 4).
    const double ramp = s.high_freq_factor - s.low_freq_factor;
    weights[t] = ramp > 0 ? std::clamp((rotations - s.low_freq_factor) / ramp, 0.0, 1.0)
                 : rotations < s.low_freq_factor ? 0.0
                                                 : 1.0;
  }
  return blend(divide(unscaled.frequencies, s.factor), unscaled.frequencies, weights);
}

PairValues scale_longrope(const UnscaledRope& unscaled, const RopeScaling& s) {
  const bool is_long_text = s.sequence_length > s.original_length;
  const std::vector<double>& factors = is_long_text ? s.long_factor : s.short_factor;
  PairValues out = unscaled.frequencies;
  for (std::size_t t = 0; t < out.size(); ++t)
    out[t] /= factors.empty() ? (is_long_text ? s.factor : 1.0) : factors[t];
  return out;
}

PairValues scale_part_ntk(const UnscaledRope& unscaled, RopeScaling s) {
  s.truncate = true;
  const PairValues ntk_frequencies =
      blend(rebase(unscaled, s.factor), divide(unscaled.frequencies, s.factor),
            make_ramp(s.beta_0, s.beta_1, unscaled, s));
  return blend(unscaled.frequencies, ntk_frequencies, make_ramp(s.gamma_0, s.gamma_1, unscaled, s));
}

PairValues scale_frequencies(const UnscaledRope& unscaled, const RopeScaling& s) {
  switch (s.type) {
    case RopeScalingType::none: break;
    case RopeScalingType::linear: return divide(unscaled.frequencies, s.factor);
    case RopeScalingType::ntk_aware: return rebase(unscaled, s.factor);
    case RopeScalingType::dynamic_ntk: {
      const double length = std::max(s.sequence_length, s.original_length);
      return rebase(unscaled, s.factor * length / s.original_length - (s.factor - 1.0));
    }
    case RopeScalingType::by_parts:
    case RopeScalingType::yarn:
      return blend(unscaled.frequencies, divide(unscaled.frequencies, s.factor),
                   make_ramp(s.beta_fast, s.beta_slow, unscaled, s));
    case RopeScalingType::longrope: return scale_longrope(unscaled, s);
    case RopeScalingType::llama3: return scale_llama3(unscaled, s);
    case RopeScalingType::part_ntk: return scale_part_ntk(unscaled, s);
  }
  return unscaled.frequencies;
}

double compute_yarn_magnitude(double length_ratio, double mscale) {
  return length_ratio <= 1.0 ? 1.0 : 0.1 * mscale * std::log(length_ratio) + 1.0;
}

double compute_attention_factor(const RopeScaling& s) {
  if (s.type == RopeScalingType::yarn) {
    if (s.mscale > 0 && s.mscale_all_dim > 0)
      return compute_yarn_magnitude(s.factor, s.mscale) /
             compute_yarn_magnitude(s.factor, s.mscale_all_dim);
    return compute_yarn_magnitude(s.factor, 1.0);
  }
  if (s.type == RopeScalingType::longrope) {
    const double length_ratio = s.max_length > 0 ? s.max_length / s.original_length : s.factor;
    if (s.magnitude == LongRopeMagnitude::yarn) return compute_yarn_magnitude(length_ratio, 1.0);
    return length_ratio <= 1.0
               ? 1.0
               : std::sqrt(1.0 + std::log(length_ratio) / std::log(s.original_length));
  }
  return 1.0;
}

Status check_above(const char* name, double value, const char* bound_name, double bound) {
  if (!is_finite(value)) return invalid("{}: {} is not a finite number", name, value);
  if (value > bound) return {};
  if (bound_name == nullptr) return invalid("{}: {} is not above {}", name, value, bound);
  return invalid("{}: {} is not above {}, which is {}", name, value, bound_name, bound);
}

Status check_factors(const char* name, const std::vector<double>& factors, const RopeScaling& s,
                     int pairs) {
  if (factors.empty()) return {};
  if (s.type != RopeScalingType::longrope)
    return invalid("{}: has no effect; it applies only to scaling longrope", name);
  if (static_cast<int>(factors.size()) != pairs) {
    return invalid("{}: has {} values; expected one per rotated channel pair, {}", name,
                   factors.size(), pairs);
  }
  for (std::size_t t = 0; t < factors.size(); ++t) {
    PHASOR_TRY(check_range(format_error("{}[{}]", name, t).c_str(), factors[t], 1e-6, 1e9));
  }
  return {};
}

Status check_scaling(const RopeScaling& s, int dim, double base) {
  if (dim % 2 != 0)
    return invalid("dim: {} is odd; expected an even number, because channels are rotated in pairs",
                   dim);
  PHASOR_TRY(check_range("dim", dim, 2, kMaxExtent));
  PHASOR_TRY(check_range("base", base, 1.0 + 1e-9, 1e300));
  PHASOR_TRY(check_range("factor", s.factor, 1, 1e6));
  PHASOR_TRY(check_range("original_length", s.original_length, 2, kMaxPosition));
  PHASOR_TRY(check_range("max_length", s.max_length, 0, kMaxPosition));
  PHASOR_TRY(check_range("sequence_length", s.sequence_length, 0, kMaxPosition));
  PHASOR_TRY(check_range("attention_factor", s.attention_factor, 0, 1e6));
  PHASOR_TRY(check_factors("short_factor", s.short_factor, s, dim / 2));
  PHASOR_TRY(check_factors("long_factor", s.long_factor, s, dim / 2));
  switch (s.type) {
    case RopeScalingType::by_parts:
    case RopeScalingType::yarn: {
      PHASOR_TRY(check_above("beta_slow", s.beta_slow, nullptr, 0));
      // If both limits are equal, the ramp is a step (Kimi K2).
      if (!(s.beta_fast >= s.beta_slow && is_finite(s.beta_fast))) {
        return invalid("beta_fast: {} is below beta_slow, which is {}", s.beta_fast, s.beta_slow);
      }
      PHASOR_TRY(check_range("mscale", s.mscale, 0, 1e6));
      return check_range("mscale_all_dim", s.mscale_all_dim, 0, 1e6);
    }
    case RopeScalingType::longrope:
      if (s.max_length > 0 && s.max_length < s.original_length) {
        return invalid("max_length: {} is below original_length, which is {}", s.max_length,
                       s.original_length);
      }
      return {};
    case RopeScalingType::llama3:
      PHASOR_TRY(check_above("low_freq_factor", s.low_freq_factor, nullptr, 0));
      if (s.high_freq_factor >= s.low_freq_factor && is_finite(s.high_freq_factor)) return {};
      return invalid("high_freq_factor: {} is below low_freq_factor, which is {}",
                     s.high_freq_factor, s.low_freq_factor);
    case RopeScalingType::part_ntk:
      PHASOR_TRY(check_above("beta_1", s.beta_1, nullptr, 0));
      PHASOR_TRY(check_above("beta_0", s.beta_0, "beta_1", s.beta_1));
      PHASOR_TRY(check_above("gamma_1", s.gamma_1, nullptr, 0));
      return check_above("gamma_0", s.gamma_0, "gamma_1", s.gamma_1);
    case RopeScalingType::none:
    case RopeScalingType::linear:
    case RopeScalingType::ntk_aware:
    case RopeScalingType::dynamic_ntk: return {};
  }
  return {};
}

}  // namespace

Result<Frequencies> scaled_frequencies(const RopeScaling& scaling, int dim, double base) {
  return Result<Frequencies>::from([&](Frequencies& out) -> Status {
    PHASOR_TRY(check_scaling(scaling, dim, base));
    PHASOR_TRY(check_memory("dim", 8 * sizeof(double) * static_cast<double>(dim)));
    out.inv_freq = scale_frequencies({dim, base, inverse_frequencies(dim / 2, dim, base)}, scaling);
    out.attention_factor =
        scaling.attention_factor > 0 ? scaling.attention_factor : compute_attention_factor(scaling);
    return {};
  });
}

}  // namespace phasor
