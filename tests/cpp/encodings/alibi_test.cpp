#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"

namespace phasor::test {
namespace {

EncodingConfig alibi(const std::string& form) { return {.id = "alibi", .params = {{"form", form}}}; }

Tensor bias_of(const std::string& form, int heads, int queries, int keys, double offset) {
  Tensor out;
  const Status status = bias(alibi(form), heads, queries, keys, offset, out);
  EXPECT_TRUE(status.ok()) << status.message;
  return out;
}

// The authors' recursion: a geometric series for a power of two, else that of the next lower power followed by every second
// slope of twice that power.
std::vector<double> authors_slopes(int heads) {
  const int closest = 1 << static_cast<int>(std::floor(std::log2(heads)));
  if (closest == heads) {
    const double start = std::pow(2.0, -std::pow(2.0, -(std::log2(heads) - 3.0)));
    std::vector<double> series = {start};
    while (static_cast<int>(series.size()) < heads) series.push_back(series.back() * start);
    return series;
  }
  std::vector<double> all = authors_slopes(closest);
  const std::vector<double> twice = authors_slopes(2 * closest);
  for (std::size_t i = 0; static_cast<int>(all.size()) < heads; i += 2) all.push_back(twice[i]);
  return all;
}

TEST(Alibi, SlopesAreThoseOfTheAuthorsForEveryNumberOfHeads) {
  for (int heads = 1; heads <= 64; ++heads) {
    const Tensor one_step = bias_of("causal", heads, 1, 1, 1);  // a query one step after its key
    const std::vector<double> expected = authors_slopes(heads);
    for (std::size_t h = 0; h < expected.size(); ++h) {
      EXPECT_NEAR(static_cast<double>(-one_step.data[h]) / expected[h], 1.0, 1e-6) << heads << " heads, head " << h;
    }
  }
}

TEST(Alibi, SixHeadsAreNotMonotone) {
  EXPECT_EQ(bias_of("causal", 6, 1, 1, 1).data, (std::vector<float>{-0.25f, -0.0625f, -0.015625f, -0.00390625f, -0.5f, -0.125f}));
}

TEST(Alibi, FormsAgainstTheFormula) {
  const int heads = 3, queries = 4, keys = 7;
  const double offset = 2;
  const std::vector<double> m = authors_slopes(heads);
  const Tensor symmetric = bias_of("symmetric", heads, queries, keys, offset), causal = bias_of("causal", heads, queries, keys, offset),
               shifted = bias_of("row_shifted", heads, queries, keys, offset);
  for (int h = 0; h < heads; ++h) {
    for (int r = 0; r < queries; ++r) {
      for (int j = 0; j < keys; ++j) {
        const double i = offset + r, slope = m[static_cast<std::size_t>(h)];
        EXPECT_NEAR(static_cast<double>(matrix(symmetric, h).row(r)[j]), -slope * std::fabs(i - j), 1e-6);
        EXPECT_NEAR(static_cast<double>(matrix(causal, h).row(r)[j]), -slope * std::max(i - j, 0.0), 1e-6);
        EXPECT_NEAR(static_cast<double>(matrix(shifted, h).row(r)[j]), slope * j, 1e-6);
      }
    }
  }
}

// Read backwards, a text gives the same outputs backwards: without a mask the symmetric form cannot tell left from right.
TEST(Alibi, SymmetricCannotTellLeftFromRight) {
  const int length = 9, width = 8;
  const Tensor x = dyadic(91, {length, width});
  std::vector<int> backwards;
  for (int p = length - 1; p >= 0; --p) backwards.push_back(p);
  Tensor reversed({length, width});
  for (int p = 0; p < length; ++p) std::copy_n(matrix(x).row(backwards[static_cast<std::size_t>(p)]), width, matrix(reversed).row(p));
  for (const auto& [form, tells] : {std::pair<std::string, bool>{"symmetric", false}, {"causal", true}, {"row_shifted", true}}) {
    LayerConfig config;
    config.heads = 2;
    config.encoding = alibi(form);
    AttentionResult forwards, back;
    ASSERT_TRUE(layer(x, config, forwards).ok());
    ASSERT_TRUE(layer(reversed, config, back).ok());
    PermutationError error;
    ASSERT_TRUE(permutation_error(forwards.output, back.output, backwards, error).ok());
    EXPECT_EQ(error.largest > 1e-3, tells) << form << " " << error.largest;
  }
}

// The forms differ by a constant in each row, which the softmax does not see, as long as the right side is hidden.
TEST(Alibi, UnderACausalMaskAllFormsAreTheSame) {
  const Tensor q = dyadic(92, {3, 5, 8}), k = dyadic(93, {3, 9, 8}), v = dyadic(94, {3, 9, 8});
  for (const bool masked : {true, false}) {
    AttentionConfig config;
    config.mask = masked ? Mask::causal : Mask::none;
    config.want.weights = true;
    AttentionResult causal, other;
    config.encoding = alibi("causal");
    ASSERT_TRUE(attention(q, k, v, config, causal).ok());
    for (const std::string form : {"symmetric", "row_shifted"}) {
      config.encoding = alibi(form);
      ASSERT_TRUE(attention(q, k, v, config, other).ok());
      const double difference = largest_error(other.weights.data, causal.weights.data);
      if (masked) {
        EXPECT_LT(difference, 2e-6) << form;
      } else {
        EXPECT_GT(difference, 1e-2) << form;
      }
    }
  }
}

// Heads of ALiBi are query heads, also when they share keys.
TEST(Alibi, GroupedQueriesKeepTheirOwnSlopes) {
  const Tensor q = dyadic(95, {4, 3, 4}), k = dyadic(96, {1, 3, 4}), v = dyadic(97, {1, 3, 4});
  AttentionConfig config;
  config.encoding = alibi("symmetric");
  config.want.bias = true;
  AttentionResult got;
  ASSERT_TRUE(attention(q, k, v, config, got).ok());
  EXPECT_EQ(got.bias.data, bias_of("symmetric", 4, 3, 3, 0).data);
}

}  // namespace
}  // namespace phasor::test
