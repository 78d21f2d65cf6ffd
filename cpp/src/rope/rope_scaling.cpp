// The formulas behind phasor/rope.h. Where code and papers differ, this file follows the code that
// models run:
// - The limits of YaRN's ramp are clamped to [0, d - 1], although there are d/2 pairs
//   (jquesnelle/yarn, Hugging Face), and an empty ramp becomes 0.001 wide. If the limits cross, the
//   ramp is reversed, as in that code.
// - The paper of YaRN defines the temperature t of the logits by sqrt(1/t) = 0.1 ln s + 1; code
//   multiplies the cosines and sines of both q and k by sqrt(1/t).
// - Hugging Face uses mscale only together with mscale_all_dim; DeepSeek's own code takes a missing
//   mscale_all_dim as 0.

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

using PerPair = std::vector<double>;  // one frequency or interpolation weight per pair

// The rotary dim, the base, and the frequencies before scaling.
struct UnscaledRope {
  int dim;
  double base;
  PerPair frequencies;
};

// Frequencies with the base base * scale^(d/(d-2)). A single pair always rotates by one radian per
// token, whatever the base.
PerPair rebase(const UnscaledRope& origin, double scale) {
  const double d = origin.dim;
  if (origin.dim == 2) return origin.frequencies;
  return inverse_frequencies(origin.dim / 2, d, origin.base * power(scale, d / (d - 2.0)));
}

// The fractional index of the pair that completes this many rotations in `length` tokens.
double find_pair_index(double rotations, const UnscaledRope& origin, double length) {
  return origin.dim * std::log(length / (rotations * 2.0 * std::numbers::pi)) /
         (2.0 * std::log(origin.base));
}

// 0 up to the pair with `fast` rotations, 1 from the pair with `slow` rotations on, linear in
// between.
PerPair make_ramp(double fast, double slow, const UnscaledRope& origin,
                  const RopeScaling& scaling) {
  double low = find_pair_index(fast, origin, scaling.original_length),
         high = find_pair_index(slow, origin, scaling.original_length);
  if (scaling.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, origin.dim - 1.0);
  if (low == high) high += 0.001;
  PerPair out(origin.frequencies.size());
  for (std::size_t t = 0; t < out.size(); ++t)
    out[t] = std::clamp((static_cast<double>(t) - low) / (high - low), 0.0, 1.0);
  return out;
}

// from_t (1 - share_t) + to_t share_t
PerPair blend(const PerPair& from, const PerPair& to, const PerPair& share) {
  PerPair out(from.size());
  for (std::size_t t = 0; t < out.size(); ++t)
    out[t] = from[t] * (1.0 - share[t]) + to[t] * share[t];
  return out;
}

PerPair divide(const PerPair& frequencies, double factor) {
  PerPair out = frequencies;
  for (double& w : out) w /= factor;
  return out;
}

PerPair scale_llama3(const UnscaledRope& origin, const RopeScaling& s) {
  PerPair share(origin.frequencies.size());  // share of the original frequency
  for (std::size_t t = 0; t < share.size(); ++t) {
    const double rotations = s.original_length * origin.frequencies[t] / (2.0 * std::numbers::pi);
    // Llama 4 has equal factors: a step instead of a ramp.
    const double ramp = s.high_freq_factor - s.low_freq_factor;
    share[t] = ramp > 0 ? std::clamp((rotations - s.low_freq_factor) / ramp, 0.0, 1.0)
               : rotations < s.low_freq_factor ? 0.0
                                               : 1.0;
  }
  return blend(divide(origin.frequencies, s.factor), origin.frequencies, share);
}

PerPair scale_longrope(const UnscaledRope& origin, const RopeScaling& s) {
  const bool is_long_text = s.sequence_length > s.original_length;
  const std::vector<double>& factors = is_long_text ? s.long_factor : s.short_factor;
  PerPair out = origin.frequencies;
  for (std::size_t t = 0; t < out.size(); ++t)
    out[t] /= factors.empty() ? (is_long_text ? s.factor : 1.0) : factors[t];
  return out;
}

PerPair scale_part_ntk(const UnscaledRope& origin, RopeScaling s) {
  s.truncate = true;
  const PerPair slow = blend(rebase(origin, s.factor), divide(origin.frequencies, s.factor),
                             make_ramp(s.beta_0, s.beta_1, origin, s));
  return blend(origin.frequencies, slow, make_ramp(s.gamma_0, s.gamma_1, origin, s));
}

PerPair scale_frequencies(const UnscaledRope& origin, const RopeScaling& s) {
  switch (s.type) {
    case RopeScalingType::none: break;
    case RopeScalingType::linear: return divide(origin.frequencies, s.factor);
    case RopeScalingType::ntk_aware: return rebase(origin, s.factor);
    case RopeScalingType::dynamic_ntk: {
      const double length = std::max(s.sequence_length, s.original_length);
      return rebase(origin, s.factor * length / s.original_length - (s.factor - 1.0));
    }
    case RopeScalingType::by_parts:
    case RopeScalingType::yarn:
      return blend(origin.frequencies, divide(origin.frequencies, s.factor),
                   make_ramp(s.beta_fast, s.beta_slow, origin, s));
    case RopeScalingType::longrope: return scale_longrope(origin, s);
    case RopeScalingType::llama3: return scale_llama3(origin, s);
    case RopeScalingType::part_ntk: return scale_part_ntk(origin, s);
  }
  return origin.frequencies;
}

double yarn_magnitude(double extension, double mscale) {
  return extension <= 1.0 ? 1.0 : 0.1 * mscale * std::log(extension) + 1.0;
}

double default_attention_factor(const RopeScaling& s) {
  if (s.type == RopeScalingType::yarn) {
    if (s.mscale > 0 && s.mscale_all_dim > 0)
      return yarn_magnitude(s.factor, s.mscale) / yarn_magnitude(s.factor, s.mscale_all_dim);
    return yarn_magnitude(s.factor, 1.0);
  }
  if (s.type == RopeScalingType::longrope) {
    const double extension = s.max_length > 0 ? s.max_length / s.original_length : s.factor;
    if (s.magnitude == LongRopeMagnitude::yarn) return yarn_magnitude(extension, 1.0);
    return extension <= 1.0 ? 1.0
                            : std::sqrt(1.0 + std::log(extension) / std::log(s.original_length));
  }
  return 1.0;
}

Status check_above(const char* name, double value, const char* other, double bound) {
  if (!is_finite(value)) return invalid("{}: {} is not a finite number", name, value);
  if (value > bound) return {};
  if (other == nullptr) return invalid("{}: {} is not above {}", name, value, bound);
  return invalid("{}: {} is not above {}, which is {}", name, value, other, bound);
}

Status check_factors(const char* name, const std::vector<double>& factors, const RopeScaling& s,
                     int pairs) {
  if (factors.empty()) return {};
  if (s.type != RopeScalingType::longrope)
    return invalid("{}: has no effect; only the scaling longrope uses it", name);
  if (static_cast<int>(factors.size()) != pairs) {
    return invalid("{}: has {} numbers, but {} pairs of channels are rotated", name, factors.size(),
                   pairs);
  }
  for (std::size_t t = 0; t < factors.size(); ++t) {
    PHASOR_TRY(check_range(format_error("{}[{}]", name, t).c_str(), factors[t], 1e-6, 1e9));
  }
  return {};
}

Status check_scaling(const RopeScaling& s, int dim, double base) {
  if (dim % 2 != 0) return invalid("dim: {} is odd, but pairs of channels are rotated", dim);
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
      // Kimi K2 has equal limits: a step instead of a ramp.
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
        scaling.attention_factor > 0 ? scaling.attention_factor : default_attention_factor(scaling);
    return {};
  });
}

}  // namespace phasor
