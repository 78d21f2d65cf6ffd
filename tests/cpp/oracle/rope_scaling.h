#pragma once
// The frequencies of RoPE after context extension, as in the code of each method (Hugging Face
// modeling_rope_utils.py, jquesnelle/yarn), and which pairs are rotated.

#include <algorithm>
#include <numbers>

#include "oracle.h"

namespace phasor::test {

struct RopeFrequencies {
  Vector original;    ///< base^(-2t/d)
  Vector scaled;      ///< after context extension
  double factor = 1;  ///< on cosines and sines
};

/// Parameters shared by rope and mrope, except their `base`.
class RopeScalingOracle {
 public:
  explicit RopeScalingOracle(const Settings& s) : s_(s) {
    const int rotary_dim = s.integer("rotary_dim");
    dim_ = rotary_dim > 0 ? rotary_dim
                          : static_cast<int>(s.geometry.dim * s.number("rotary_fraction"));
    base_ = s.number("base");
    length_ = s.number("original_length");
    factor_ = s.number("factor");
  }

  RopeFrequencies frequencies() const {
    RopeFrequencies out{.original = inverse_powers(base_), .scaled = {}, .factor = factor()};
    out.scaled = scale_frequencies(out.original, s_.word("scaling"));
    // p-RoPE: the int(p d / 2) fastest pairs are rotated; the exponents are unchanged.
    const int kept_pairs = static_cast<int>(s_.number("kept_fraction") * dim_ / 2);
    for (int t = kept_pairs; t < dim_ / 2; ++t)
      out.original[static_cast<std::size_t>(t)] = out.scaled[static_cast<std::size_t>(t)] = 0;
    return out;
  }

 private:
  Vector inverse_powers(double base) const {
    Vector v;
    for (int t = 0; t < dim_ / 2; ++t) v.push_back(1 / std::pow(base, 2.0 * t / dim_));
    return v;
  }

  Vector ntk_frequencies(double length_ratio) const {
    return inverse_powers(dim_ > 2 ? base_ * std::pow(length_ratio, dim_ / (dim_ - 2.0)) : base_);
  }

  // The fractional index of the pair with this number of periods in the original context.
  double pair_index(double rotations) const {
    return dim_ * std::log(length_ / (rotations * 2 * std::numbers::pi)) / (2 * std::log(base_));
  }

  // 0 below the pair with `fast_rotations` periods, 1 above the one with `slow_rotations` periods.
  double ramp(double t, double fast_rotations, double slow_rotations, bool truncate) const {
    double low = pair_index(fast_rotations), high = pair_index(slow_rotations);
    if (truncate) {
      low = std::floor(low);
      high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    high = std::min(high, dim_ - 1.0);
    if (low == high) high += 0.001;
    return std::clamp((t - low) / (high - low), 0.0, 1.0);
  }

  Vector scale_frequencies(const Vector& v, const std::string& method) const {
    Vector out = v;
    if (method == "ntk_aware") return ntk_frequencies(factor_);
    if (method == "dynamic_ntk") {
      const double sequence = std::max(s_.number("sequence_length"), length_);
      return ntk_frequencies(factor_ * sequence / length_ - (factor_ - 1));
    }
    const Vector ntk = ntk_frequencies(factor_);
    for (std::size_t t = 0; t < v.size(); ++t) {
      const double pair = static_cast<double>(t), interpolated = v[t] / factor_;
      if (method == "linear") out[t] = interpolated;
      if (method == "by_parts" || method == "yarn") {
        const double extrapolated =
            1 - ramp(pair, s_.number("beta_fast"), s_.number("beta_slow"), s_.flag("truncate"));
        out[t] = interpolated * (1 - extrapolated) + v[t] * extrapolated;
      }
      if (method == "llama3") out[t] = llama3(v[t]);
      if (method == "longrope") out[t] = v[t] / longrope(t);
      if (method == "part_ntk") {
        const double interpolation = ramp(pair, s_.number("beta_0"), s_.number("beta_1"), true),
                     original_weight = ramp(pair, s_.number("gamma_0"), s_.number("gamma_1"), true);
        const double ntk_interpolated = ntk[t] * (1 - interpolation) + interpolated * interpolation;
        out[t] = v[t] * (1 - original_weight) + ntk_interpolated * original_weight;
      }
    }
    return out;
  }

  double llama3(double v) const {
    const double low = s_.number("low_freq_factor"), high = s_.number("high_freq_factor"),
                 wavelength = 2 * std::numbers::pi / v;
    if (wavelength > length_ / low) return v / factor_;
    if (wavelength < length_ / high) return v;
    const double smooth = (length_ / wavelength - low) / (high - low);
    return (1 - smooth) * v / factor_ + smooth * v;
  }

  double longrope(std::size_t t) const {
    const bool is_extended = s_.number("sequence_length") > length_;
    const Tensor* factors = s_.array(is_extended ? "long_factor" : "short_factor");
    if (factors != nullptr) return static_cast<double>(factors->data[t]);
    return is_extended ? factor_ : 1;
  }

  static double yarn_factor(double length_ratio, double mscale) {
    return length_ratio <= 1 ? 1 : 0.1 * mscale * std::log(length_ratio) + 1;
  }

  double factor() const {
    const std::string method = s_.word("scaling");
    if (s_.number("attention_factor") > 0) return s_.number("attention_factor");
    if (method == "yarn") {
      const double mscale = s_.number("mscale"), all = s_.number("mscale_all_dim");
      return mscale > 0 && all > 0 ? yarn_factor(factor_, mscale) / yarn_factor(factor_, all)
                                   : yarn_factor(factor_, 1);
    }
    if (method != "longrope") return 1;
    const double max_length = s_.number("max_length"),
                 length_ratio = max_length > 0 ? max_length / length_ : factor_;
    if (s_.word("magnitude") == "yarn") return yarn_factor(length_ratio, 1);
    return length_ratio <= 1 ? 1 : std::sqrt(1 + std::log(length_ratio) / std::log(length_));
  }

  const Settings& s_;
  int dim_ = 0;  // rotated channels
  double base_ = 0, length_ = 0, factor_ = 0;
};

}  // namespace phasor::test
