// Context extension of RoPE, compared with the aims of the methods or with published code.

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <numbers>

#include "numbers.h"
#include "phasor/phasor.h"
#include "phasor/rope.h"
#include "results.h"

namespace phasor::test::rope_scaling_test {
namespace {

constexpr int kDim = 64;
constexpr double kBase = 10000;

Frequencies frequencies(const RopeScaling& scaling, int dim = kDim, double base = kBase) {
  Frequencies out = value_of(scaled_frequencies(scaling, dim, base));
  EXPECT_EQ(static_cast<int>(out.inv_freq.size()), dim / 2);
  return out;
}

std::string message(const RopeScaling& scaling, int dim = kDim, double base = kBase) {
  return scaled_frequencies(scaling, dim, base).status().message();
}

double original(int t) { return std::exp(-2.0 * t / kDim * std::log(kBase)); }
double rotations(int t, double length) { return length * original(t) / (2 * std::numbers::pi); }

TEST(RopeFrequencies, NtkKeepsTheFastestPairAndSlowsTheSlowestByTheFactor) {
  const std::vector<double> w =
      frequencies({.type = RopeScalingType::ntk_aware, .factor = 8}).inv_freq;
  EXPECT_EQ(w[0], 1.0);
  EXPECT_NEAR(w.back() * 8 / original(kDim / 2 - 1), 1.0, 1e-12);
  for (std::size_t t = 2; t < w.size(); ++t) EXPECT_NEAR(w[t] / w[t - 1], w[1] / w[0], 1e-12);
  EXPECT_EQ(frequencies({.type = RopeScalingType::ntk_aware, .factor = 8}, 2).inv_freq,
            std::vector<double>{1});
}

TEST(RopeFrequencies, DynamicNtkSlowsPairsOfLongerTexts) {
  const auto scaled = [](double length) {
    return frequencies({.type = RopeScalingType::dynamic_ntk,
                        .factor = 2,
                        .original_length = 1024,
                        .sequence_length = length})
        .inv_freq;
  };
  const std::vector<double> unscaled = frequencies({}).inv_freq;
  for (const double length : {0.0, 1.0, 1024.0}) EXPECT_EQ(scaled(length), unscaled);
  EXPECT_LT(scaled(1025).back(), unscaled.back());
  EXPECT_NEAR(scaled(2048).back() * 3 / unscaled.back(), 1.0,
              1e-12);  // 2 * 2 - (2 - 1)
  EXPECT_GT(scaled(2048).back(), scaled(4096).back());
}

TEST(RopeFrequencies, ByPartsKeepsFastPairsAndDividesSlowOnes) {
  constexpr double kLength = 4096, kFactor = 16;
  const RopeScaling scaling{
      .type = RopeScalingType::by_parts, .factor = kFactor, .original_length = kLength};
  const Frequencies actual = frequencies(scaling);
  int kept = 0, slowed = 0;
  double before = 1;
  for (int t = 0; t < kDim / 2; ++t) {
    const double share = actual.inv_freq[static_cast<std::size_t>(t)] / original(t);
    // Rounding to whole pairs moves the ends of the ramp outwards by less than one pair.
    if (rotations(t, kLength) > 32 * std::pow(kBase, 2.0 / kDim)) {
      EXPECT_NEAR(share, 1.0, 1e-12) << t;
      ++kept;
    }
    if (rotations(t, kLength) < 1 / std::pow(kBase, 2.0 / kDim)) {
      EXPECT_NEAR(share, 1 / kFactor, 1e-12) << t;
      ++slowed;
    }
    EXPECT_LE(share, before + 1e-12);
    before = share;
  }
  EXPECT_GT(kept, 5);
  EXPECT_GT(slowed, 5);
  EXPECT_EQ(actual.attention_factor, 1.0);

  RopeScaling yarn = scaling;
  yarn.type = RopeScalingType::yarn;
  EXPECT_EQ(frequencies(yarn).inv_freq, actual.inv_freq);
  EXPECT_NEAR(frequencies(yarn).attention_factor, 1.0 + std::log10(kFactor) * std::log(10.0) / 10,
              1e-12);
}

TEST(RopeFrequencies, YarnAndLongRopeHaveAttentionFactors) {
  RopeScaling yarn{.type = RopeScalingType::yarn,
                   .factor = 40,
                   .original_length = 4096,
                   .mscale = 1,
                   .mscale_all_dim = 1};
  EXPECT_NEAR(frequencies(yarn).attention_factor, 1.0, 1e-15);  // DeepSeek-V3
  yarn.mscale_all_dim = 0;
  // mscale has no effect alone.
  EXPECT_NEAR(frequencies(yarn).attention_factor, 1.3688879454113936, 1e-12);
  yarn.attention_factor = 1.25;
  EXPECT_EQ(frequencies(yarn).attention_factor, 1.25);
  EXPECT_EQ(frequencies({.type = RopeScalingType::yarn, .factor = 1}).attention_factor, 1.0);

  RopeScaling longrope{
      .type = RopeScalingType::longrope, .original_length = 4096, .max_length = 131072};
  // Phi-3: sqrt(1 + 5/12)
  EXPECT_NEAR(frequencies(longrope).attention_factor, 1.1902380714238083, 1e-12);
  longrope.max_length = 0;
  longrope.factor = 32;
  EXPECT_NEAR(frequencies(longrope).attention_factor, 1.1902380714238083, 1e-12);
  longrope.magnitude = LongRopeMagnitude::yarn;
  EXPECT_NEAR(frequencies(longrope).attention_factor, 1 + 0.1 * std::log(32.0), 1e-12);
  longrope.factor = 1;
  EXPECT_EQ(frequencies(longrope).attention_factor, 1.0);
}

TEST(RopeFrequencies, LongRopeSelectsFactorsByTheLengthOfTheText) {
  RopeScaling s{.type = RopeScalingType::longrope, .factor = 4, .original_length = 100};
  s.short_factor = {1, 2, 4, 8};
  s.long_factor = {1, 10, 100, 1000};
  const std::vector<double> unscaled = {1, 0.1, 0.01, 0.001};
  for (const double length : {0.0, 100.0, 101.0}) {
    s.sequence_length = length;
    const std::vector<double>& factors = length > 100 ? s.long_factor : s.short_factor;
    const std::vector<double> w = frequencies(s, 8).inv_freq;
    for (std::size_t t = 0; t < 4; ++t) EXPECT_NEAR(w[t] * factors[t] / unscaled[t], 1.0, 1e-12);
  }
  s.short_factor = s.long_factor = {};
  EXPECT_NEAR(frequencies(s, 8).inv_freq[1], 0.1 / 4, 1e-15);  // divided by factor
}

// The three branches of Meta's code.
TEST(RopeFrequencies, Llama3HasThreeBands) {
  constexpr double kLength = 8192, kFactor = 8, kLow = 1, kHigh = 4;
  const std::vector<double> w =
      frequencies({.type = RopeScalingType::llama3, .factor = kFactor, .original_length = kLength},
                  128, 500000)
          .inv_freq;
  int bands[3] = {};
  for (int t = 0; t < 64; ++t) {
    const double v = std::pow(500000.0, -t / 64.0), wavelength = 2 * std::numbers::pi / v;
    double expected = 0;
    if (wavelength < kLength / kHigh) {
      expected = v;
      ++bands[0];
    } else if (wavelength > kLength / kLow) {
      expected = v / kFactor;
      ++bands[1];
    } else {
      const double smooth = (kLength / wavelength - kLow) / (kHigh - kLow);
      expected = (1 - smooth) * v / kFactor + smooth * v;
      ++bands[2];
    }
    EXPECT_NEAR(w[static_cast<std::size_t>(t)] / expected, 1.0, 1e-12) << t;
  }
  for (const int count : bands) EXPECT_GT(count, 2);
}

TEST(RopeFrequencies, PartNtkStaysBetweenOriginalAndDivided) {
  const std::vector<double> w =
      frequencies({.type = RopeScalingType::part_ntk, .factor = 4}).inv_freq;
  EXPECT_EQ(w[0], 1.0);
  EXPECT_NEAR(w.back(), original(kDim / 2 - 1) / 4, 1e-15);
  for (int t = 0; t < kDim / 2; ++t) {
    EXPECT_LE(w[static_cast<std::size_t>(t)], original(t) * (1 + 1e-12));
    EXPECT_GE(w[static_cast<std::size_t>(t)], original(t) / 4 * (1 - 1e-12));
  }
}

// Llama 4 has both limits at 1: frequencies with fewer periods are reduced, all others are
// unchanged, as in the comparisons of wavelengths in transformers.
TEST(RopeFrequencies, Llama3WithEqualLimitsIsAStep) {
  const std::vector<double> w = frequencies({.type = RopeScalingType::llama3,
                                             .factor = 16,
                                             .original_length = 1024,
                                             .low_freq_factor = 1,
                                             .high_freq_factor = 1})
                                    .inv_freq;
  int slowed = 0;
  for (int t = 0; t < kDim / 2; ++t) {
    const bool is_slow = rotations(t, 1024) < 1;
    slowed += is_slow ? 1 : 0;
    EXPECT_NEAR(w[static_cast<std::size_t>(t)] / original(t), is_slow ? 1.0 / 16 : 1.0, 1e-12) << t;
  }
  EXPECT_GT(slowed, 5);
  EXPECT_LT(slowed, kDim / 2 - 5);
}

// Kimi K2 has one limit for both ends of the ramp: pairs 0 to 19 stay, 20 to 31 are divided.
TEST(RopeFrequencies, YarnWithEqualLimitsIsAStep) {
  const RopeScaling scaling{.type = RopeScalingType::yarn,
                            .factor = 32,
                            .original_length = 4096,
                            .beta_fast = 1,
                            .beta_slow = 1,
                            .mscale = 1,
                            .mscale_all_dim = 1};
  const Frequencies actual = value_of(scaled_frequencies(scaling, 64, 50000));
  for (int t = 0; t < 32; ++t) {
    const double original = std::pow(50000, -2.0 * t / 64);
    EXPECT_NEAR(actual.inv_freq[static_cast<std::size_t>(t)] / original, t < 20 ? 1 : 1.0 / 32,
                1e-12)
        << t;
  }
  EXPECT_EQ(actual.attention_factor, 1);
}

TEST(RopeFrequencies, RejectsInvalidParameters) {
  EXPECT_EQ(message({}, 7),
            "dim: 7 is odd; expected an even number, because channels are rotated in pairs");
  EXPECT_EQ(message({}, 8, 1), "base: 1 is outside 1 to 1e+300");
  EXPECT_EQ(message({.factor = 0.5}), "factor: 0.5 is outside 1 to 1000000");
  EXPECT_EQ(message({.original_length = std::nan("")}),
            "original_length: NaN is outside 2 to 2147483647");
  EXPECT_EQ(message({.type = RopeScalingType::yarn, .beta_fast = 0.5, .beta_slow = 1}),
            "beta_fast: 0.5 is below beta_slow, which is 1");
  EXPECT_EQ(message({.type = RopeScalingType::llama3, .low_freq_factor = 4, .high_freq_factor = 2}),
            "high_freq_factor: 2 is below low_freq_factor, which is 4");
  EXPECT_EQ(message({.type = RopeScalingType::part_ntk, .gamma_0 = 1}),
            "gamma_0: 1 is not above gamma_1, which is 2");
  EXPECT_EQ(
      message({.type = RopeScalingType::longrope, .original_length = 4096, .max_length = 2048}),
      "max_length: 2048 is below original_length, which is 4096");
  EXPECT_EQ(message({.type = RopeScalingType::linear, .short_factor = {1, 2}}),
            "short_factor: has no effect; it applies only to scaling longrope");
  EXPECT_EQ(message({.type = RopeScalingType::longrope, .long_factor = {1, 2}}),
            "long_factor: has 2 values; expected one per rotated channel pair, 32");
  EXPECT_EQ(message({.type = RopeScalingType::longrope, .long_factor = {1, 0}}, 4),
            "long_factor[1]: 0 is outside 1e-06 to 1000000000");
}

// A pair is x + iy, rotated by multiplication with m e^(i p w). At a million tokens, angles in
// float32 would be wrong by 0.06.
TEST(RopeFrequencies, MatchComplexMultiplicationAtOneMillion) {
  const Tensor x = dyadic(155, {1, 1, kDim});
  for (const char* scaling :
       {"none", "linear", "ntk_aware", "by_parts", "yarn", "llama3", "part_ntk"}) {
    for (const std::string layout : {"interleaved", "half_split"}) {
      const EncodingConfig config{
          .id = "rope", .params = {{"scaling", std::string(scaling)}, {"layout", layout}}};
      const auto choices =
          std::vector<std::string>{"none", "linear",   "ntk_aware", "dynamic_ntk", "by_parts",
                                   "yarn", "longrope", "llama3",    "part_ntk"};
      RopeScaling options;
      options.type = static_cast<RopeScalingType>(
          std::find(choices.begin(), choices.end(), scaling) - choices.begin());
      const Frequencies expected = frequencies(options);
      for (const double position : {1e6, -1e6, 1e6 + 0.5}) {
        Tensor y = x;
        ASSERT_OK_AND_ASSIGN(y, apply_rotary(config, Role::key, std::vector<double>{position}, y));
        for (std::size_t t = 0; t < kDim / 2; ++t) {
          const std::size_t a = layout == "interleaved" ? 2 * t : t,
                            b = layout == "interleaved" ? 2 * t + 1 : t + kDim / 2;
          const std::complex<long double> pair(static_cast<long double>(x.data[a]),
                                               static_cast<long double>(x.data[b]));
          const std::complex<long double> z =
              pair * std::polar(static_cast<long double>(expected.attention_factor),
                                static_cast<long double>(position) *
                                    static_cast<long double>(expected.inv_freq[t]));
          ASSERT_LT(error(static_cast<double>(y.data[a]), static_cast<double>(z.real())), 1e-6)
              << scaling << " " << position;
          ASSERT_LT(error(static_cast<double>(y.data[b]), static_cast<double>(z.imag())), 1e-6)
              << scaling << " " << position;
        }
      }
    }
  }
}

}  // namespace
}  // namespace phasor::test::rope_scaling_test
