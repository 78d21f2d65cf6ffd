#include <gtest/gtest.h>

#include "gradients.h"
#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

EncodingConfig alibi(const std::string& form) {
  return {.id = "alibi", .params = {{"form", form}}};
}

Tensor bias_of(const std::string& form, int heads, int queries, int keys, double position_offset) {
  return value_of(attention_bias(alibi(form), heads, queries, keys, position_offset));
}

// The authors' recursion: a geometric series for a power of two, else that of the next lower power
// followed by every second slope of twice that power.
std::vector<double> authors_slopes(int heads) {
  const int power_of_two = 1 << static_cast<int>(std::floor(std::log2(heads)));
  if (power_of_two == heads) {
    const double first_slope = std::pow(2.0, -std::pow(2.0, -(std::log2(heads) - 3.0)));
    std::vector<double> slopes_of_power = {first_slope};
    while (static_cast<int>(slopes_of_power.size()) < heads)
      slopes_of_power.push_back(slopes_of_power.back() * first_slope);
    return slopes_of_power;
  }
  std::vector<double> all = authors_slopes(power_of_two);
  const std::vector<double> doubled_slopes = authors_slopes(2 * power_of_two);
  for (std::size_t i = 0; static_cast<int>(all.size()) < heads; i += 2)
    all.push_back(doubled_slopes[i]);
  return all;
}

TEST(Alibi, SlopesMatchTheAuthorsRecursion) {
  for (int heads = 1; heads <= 64; ++heads) {
    const Tensor bias = bias_of("causal", heads, 1, 1, 1);  // a query one step after its key
    const std::vector<double> expected = authors_slopes(heads);
    for (std::size_t h = 0; h < expected.size(); ++h) {
      EXPECT_NEAR(static_cast<double>(-bias.data[h]) / expected[h], 1.0, 1e-6)
          << heads << " heads, head " << h;
    }
  }
}

TEST(Alibi, SlopesOfSixHeadsAreNotMonotone) {
  EXPECT_EQ(bias_of("causal", 6, 1, 1, 1).data,
            (std::vector<float>{-0.25f, -0.0625f, -0.015625f, -0.00390625f, -0.5f, -0.125f}));
}

TEST(Alibi, FormsMatchTheirFormulas) {
  const int heads = 3, queries = 4, keys = 7;
  const double position_offset = 2;
  const std::vector<double> m = authors_slopes(heads);
  const Tensor symmetric = bias_of("symmetric", heads, queries, keys, position_offset),
               causal_result = bias_of("causal", heads, queries, keys, position_offset),
               shifted = bias_of("row_shifted", heads, queries, keys, position_offset);
  for (int h = 0; h < heads; ++h) {
    for (int r = 0; r < queries; ++r) {
      for (int j = 0; j < keys; ++j) {
        const double i = position_offset + r, slope = m[static_cast<std::size_t>(h)];
        EXPECT_NEAR(static_cast<double>(matrix(symmetric, h).row(r)[j]), -slope * std::fabs(i - j),
                    1e-6);
        EXPECT_NEAR(static_cast<double>(matrix(causal_result, h).row(r)[j]),
                    -slope * std::max(i - j, 0.0), 1e-6);
        EXPECT_NEAR(static_cast<double>(matrix(shifted, h).row(r)[j]), slope * j, 1e-6);
      }
    }
  }
}

// A reversed text gives reversed outputs: without a mask the symmetric form cannot distinguish
// left from right.
TEST(Alibi, SymmetricFormDoesNotDistinguishLeftFromRight) {
  const int length = 9, dim = 8;
  const Tensor x = dyadic(91, {length, dim});
  std::vector<int> reversed_positions;
  for (int p = length - 1; p >= 0; --p) reversed_positions.push_back(p);
  Tensor reversed_x({length, dim});
  for (int p = 0; p < length; ++p)
    std::copy_n(matrix(x).row(reversed_positions[static_cast<std::size_t>(p)]), dim,
                matrix(reversed_x).row(p));
  for (const auto& [form, distinguishes] : {std::pair<std::string, bool>{"symmetric", false},
                                            {"causal", true},
                                            {"row_shifted", true}}) {
    SelfAttentionConfig config;
    config.heads = 2;
    config.encoding = alibi(form);
    ASSERT_OK_AND_ASSIGN(AttentionResult result, self_attention(x, config));
    ASSERT_OK_AND_ASSIGN(AttentionResult reversed_result, self_attention(reversed_x, config));
    ASSERT_OK_AND_ASSIGN(
        PermutationError error,
        permutation_error(result.output, reversed_result.output, reversed_positions));
    EXPECT_EQ(error.max_abs_diff > 1e-3, distinguishes) << form << " " << error.max_abs_diff;
  }
}

// The forms differ by a constant in each row, which cancels in the softmax, as long as the right
// side is hidden.
TEST(Alibi, FormsAreEquivalentUnderACausalMask) {
  const Tensor q = dyadic(92, {3, 5, 8}), k = dyadic(93, {3, 9, 8}), v = dyadic(94, {3, 9, 8});
  for (const bool is_causal : {true, false}) {
    AttentionConfig config;
    config.mask = is_causal ? Mask::causal : Mask::none;
    config.outputs.weights = true;
    AttentionResult causal_result, other_result;
    config.encoding = alibi("causal");
    ASSERT_OK_AND_ASSIGN(causal_result, attention(q, k, v, config));
    for (const std::string form : {"symmetric", "row_shifted"}) {
      config.encoding = alibi(form);
      ASSERT_OK_AND_ASSIGN(other_result, attention(q, k, v, config));
      const double difference =
          largest_error(other_result.weights.data, causal_result.weights.data);
      if (is_causal) {
        EXPECT_LT(difference, 2e-6) << form;
      } else {
        EXPECT_GT(difference, 1e-2) << form;
      }
    }
  }
}

TEST(Alibi, QueryHeadsThatShareKeysKeepTheirSlopes) {
  const Tensor q = dyadic(95, {4, 3, 4}), k = dyadic(96, {1, 3, 4}), v = dyadic(97, {1, 3, 4});
  AttentionConfig config;
  config.encoding = alibi("symmetric");
  config.outputs.bias = true;
  ASSERT_OK_AND_ASSIGN(AttentionResult actual, attention(q, k, v, config));
  EXPECT_EQ(actual.bias.data, bias_of("symmetric", 4, 3, 3, 0).data);
}

// MPT's slopes as its code computes them: 2^(-bias_max k / p) for the next higher power of two p,
// every second one first.
TEST(Alibi, BiasMaxSetsTheLargestExponent) {
  for (const double bias_max : {8.0, 16.0}) {
    for (const int heads : {1, 3, 4, 6, 12, 16}) {
      int power = 1;
      while (power < heads) power *= 2;
      std::vector<double> all, mpt;
      for (int k = 1; k <= power; ++k) all.push_back(std::pow(2.0, -bias_max * k / power));
      if (power == heads) {
        mpt = all;
      } else {
        for (int first : {1, 0}) {
          for (int k = first; k < power; k += 2) mpt.push_back(all[static_cast<std::size_t>(k)]);
        }
      }
      EncodingConfig config = alibi("causal");
      config.params["bias_max"] = bias_max;
      ASSERT_OK_AND_ASSIGN(Tensor bias, attention_bias(config, heads, 1, 1, 1));
      for (int h = 0; h < heads; ++h) {
        EXPECT_NEAR(static_cast<double>(-bias.data[static_cast<std::size_t>(h)]) /
                        mpt[static_cast<std::size_t>(h)],
                    1.0, 1e-6);
      }
    }
  }
}

TEST(Alibi, MptFormMeasuresFromMaxSeqLen) {
  EncodingConfig config = alibi("mpt");
  config.params["max_seq_len"] = 5.0;
  ASSERT_OK_AND_ASSIGN(Tensor actual, attention_bias(config, 1, 2, 5, 0));
  for (int r = 0; r < 2; ++r) {
    for (int j = 0; j < 5; ++j)
      EXPECT_EQ(matrix(actual).row(r)[j], static_cast<float>(j - 4) / 256);
  }
}

TEST(Alibi, RightFactorScalesTheRightSide) {
  EncodingConfig config = alibi("symmetric");
  config.params["right_factor"] = 3.0;
  ASSERT_OK_AND_ASSIGN(Tensor actual, attention_bias(config, 1, 1, 5, 2));
  for (int j = 0; j < 5; ++j)
    EXPECT_EQ(actual.data[static_cast<std::size_t>(j)] * 256,
              static_cast<float>(j < 2 ? j - 2 : 3 * (2 - j)));
  config = alibi("causal");
  config.params["right_factor"] = 3.0;
  EXPECT_EQ(
      attention_bias(config, 1, 1, 1, 0).status().message(),
      "right_factor: 3 has no effect; only form \"symmetric\" has a separate slope to the right");
}

TEST(Alibi, HalfHeadsFormBiasesOneSidePerHead) {
  for (const int heads : {1, 4, 5}) {
    const int half = (heads + 1) / 2;
    const std::vector<double> m = authors_slopes(half);
    const Tensor actual = bias_of("half_heads", heads, 1, 7, 3);
    for (int h = 0; h < heads; ++h) {
      for (int j = 0; j < 7; ++j) {
        const double distance = h < half ? std::max(3 - j, 0) : std::max(j - 3, 0);
        EXPECT_NEAR(static_cast<double>(matrix(actual, h).row(0)[j]),
                    -m[static_cast<std::size_t>(h % half)] * distance, 1e-6);
      }
    }
  }
}

// In a padded batch, positions count only tokens that are not padding.
TEST(Alibi, UsesGivenPositions) {
  ASSERT_OK_AND_ASSIGN(Tensor actual,
                       attention_bias(alibi("row_shifted"), 1, std::vector<double>{2},
                                      std::vector<double>{0, 0, 0, 1, 2}));
  EXPECT_EQ(actual.data, (std::vector<float>{0, 0, 0, 1.0f / 256, 2.0f / 256}));
  ASSERT_OK_AND_ASSIGN(actual, attention_bias(alibi("symmetric"), 1, std::vector<double>{2, 0.5},
                                              std::vector<double>{0, 7}));
  EXPECT_EQ(actual.data, (std::vector<float>{-2.0f / 256, -5.0f / 256, -0.5f / 256, -6.5f / 256}));
}

constexpr const char* kForms[] = {"symmetric", "causal", "row_shifted", "mpt", "half_heads"};

// The bias is linear in the slopes, so twice the slopes of the paper double it.
TEST(Alibi, UsesGivenSlopes) {
  for (const std::string form : kForms) {
    for (const int heads : {1, 4, 5}) {
      const int slope_count = form == "half_heads" ? (heads + 1) / 2 : heads;
      const std::vector<double> m = authors_slopes(slope_count);
      Tensor slopes({heads});
      for (int h = 0; h < heads; ++h)
        slopes.data[static_cast<std::size_t>(h)] =
            static_cast<float>(2 * m[static_cast<std::size_t>(h % slope_count)]);
      EncodingConfig config = alibi(form);
      config.params["slopes"] = slopes;
      ASSERT_OK_AND_ASSIGN(Tensor actual, attention_bias(config, heads, 4, 7, 2));
      std::vector<double> expected;
      for (const float x : bias_of(form, heads, 4, 7, 2).data)
        expected.push_back(2 * static_cast<double>(x));
      EXPECT_LT(largest_error(actual.data, expected), 1e-6) << form << " " << heads;
    }
  }
}

TEST(Alibi, GradientsOfGivenSlopesMatchFiniteDifferences) {
  for (const std::string form : kForms) {
    EncodingConfig config = alibi(form);
    config.params["slopes"] = Tensor({3}, {0.5f, -0.25f, 1.0f});
    if (form == "symmetric") config.params["right_factor"] = 2.5;
    if (form == "mpt") config.params["max_seq_len"] = 9.0;
    EXPECT_EQ(expect_gradients({.config = config, .heads = 3}), 1) << form;
    EXPECT_EQ(expect_gradients({.config = config, .heads = 3, .queries = {0, 60, 3, 60}}), 1)
        << form;
  }
}

TEST(Alibi, RejectsInvalidSlopes) {
  EncodingConfig config = alibi("symmetric");
  config.params["slopes"] = Tensor({3}, {1, 1, 1});
  EXPECT_EQ(attention_bias(config, 2, 1, 1, 0).status().message(),
            "slopes: has shape 3; expected 2 (heads)");
  config.params["bias_max"] = 4.0;
  EXPECT_EQ(attention_bias(config, 3, 1, 1, 0).status().message(),
            "bias_max: 4 has no effect if slopes are set");
}

}  // namespace
}  // namespace phasor::test
