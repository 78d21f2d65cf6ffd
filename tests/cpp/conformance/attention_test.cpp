// Attention with every encoding against the formula in double, at sizes around the boundaries of
// tiles, panels and lanes.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernels/kernels.h"
#include "numbers.h"
#include "phasor/phasor.h"
#include "reference.h"
#include "variants.h"

namespace phasor::test {
namespace {

struct Sizes {
  int heads, kv_heads, queries, keys, head_dim;
};

struct Inputs {
  Tensor q, k, v;
  explicit Inputs(const Sizes& s)
      : q(dyadic(11, {s.heads, s.queries, s.head_dim})),
        k(dyadic(12, {s.kv_heads, s.keys, s.head_dim})),
        v(dyadic(13, {s.kv_heads, s.keys, s.head_dim + 1})) {
    // Gives scores of a few units, as in attention_medium of the golden set.
    for (float& x : q.data) x *= 0.5f;
  }
};

void expect_reference(const Inputs& in, const AttentionConfig& config, const std::string& context) {
  const int keys = in.k.shape[1];
  Reference expected;
  Status status = formula(in.q, in.k, in.v, config).move_to(expected);
  ASSERT_TRUE(status.ok()) << context << ": " << status.message();

  AttentionResult actual;
  status = attention(in.q, in.k, in.v, config).move_to(actual);
  ASSERT_TRUE(status.ok()) << context << ": " << status.message();
  const double tolerance = allowed(expected);
  // Only weights are compared row by row, because cancelling sums are only as exact as their terms.
  ASSERT_LT(largest_row_error(actual.weights.data, expected.weights, keys), tolerance) << context;
  ASSERT_LT(largest_error(actual.output.data, expected.output), tolerance) << context;
  ASSERT_EQ(actual.bias.data.size(), expected.added.size()) << context;
  // A bias that does not depend on the depends_on_content has the bits of attention_bias.
  if (find_encoding(config.encoding.id)->injection == Injection::score &&
      !expected.depends_on_content) {
    Tensor expected_bias;
    status = attention_bias(config.encoding, in.q.shape[0], in.q.shape[1], keys,
                            config.position_offset.value_or(keys - in.q.shape[1]), in.q.shape[2])
                 .move_to(expected_bias);
    ASSERT_TRUE(status.ok()) << context << ": " << status.message();
    ASSERT_EQ(actual.bias.data, expected_bias.data) << context;
  }
  // Terms that depend on the depends_on_content are differences of scores, with their rounding
  // errors.
  const double bias_scale = expected.depends_on_content ? HUGE_VAL : magnitude(expected.added);
  for (std::size_t i = 0; i < expected.scores.size(); ++i) {
    ASSERT_LT(error(static_cast<double>(actual.bias.data[i]), expected.added[i], bias_scale),
              tolerance)
        << context << " bias " << i;
    if (std::isinf(expected.scores[i])) {
      ASSERT_EQ(actual.scores.data[i], expected.scores[i]) << context;
      ASSERT_EQ(actual.weights.data[i], 0.0f) << context;
    } else {
      ASSERT_LT(error(static_cast<double>(actual.scores.data[i]), expected.scores[i], 1), tolerance)
          << context << " score " << i;
    }
  }
  // Rows sum to 1, or to 0 without visible keys.
  for (std::size_t row = 0; row * static_cast<std::size_t>(keys) < expected.weights.size(); ++row) {
    double sum = 0, expected_sum = 0;
    for (std::size_t j = row * static_cast<std::size_t>(keys);
         j < (row + 1) * static_cast<std::size_t>(keys); ++j) {
      sum += static_cast<double>(actual.weights.data[j]);
      expected_sum += expected.weights[j];
    }
    ASSERT_NEAR(sum, expected_sum > 0.5 ? 1.0 : 0.0, 1e-6) << context << " row " << row;
  }
}

struct MaskCase {
  Mask mask;
  /// 0: no key is hidden, 1: two of three, with the first, so that row 0 can be empty, 2: all
  int hidden;
  std::optional<double> position_offset;
};

// All 24 combinations. Neighbours differ in all three fields, so a few in a row are a sample of
// all.
std::vector<MaskCase> list_mask_cases() {
  const std::vector<std::optional<double>> offsets = {{}, 0.0, 5.0, -2.0};
  std::vector<MaskCase> mask_cases;
  for (int n = 0; n < 24; ++n) {
    mask_cases.push_back({n % 2 == 0 ? Mask::none : Mask::causal, n % 3,
                          offsets[static_cast<std::size_t>((n + n / 12) % 4)]});
  }
  return mask_cases;
}

void try_mask_case(const Variant& variant, const Sizes& s, const Inputs& in,
                   const MaskCase& mask_case) {
  AttentionConfig config{.encoding = variant.config,
                         .mask = mask_case.mask,
                         .key_mask = {},
                         .position_offset = mask_case.position_offset,
                         .scale = std::nullopt,
                         .outputs = {.weights = true, .scores = true, .bias = true}};
  for (int j = 0; mask_case.hidden > 0 && j < s.keys; ++j)
    config.key_mask.push_back(mask_case.hidden == 1 && j % 3 == 1 ? 1 : 0);
  expect_reference(
      in, config,
      variant.name + " heads " + std::to_string(s.heads) + "/" + std::to_string(s.kv_heads) +
          " queries " + std::to_string(s.queries) + " keys " + std::to_string(s.keys) + " dim " +
          std::to_string(s.head_dim) + (mask_case.mask == Mask::causal ? " causal" : "") +
          " hidden " + std::to_string(mask_case.hidden) + " offset " +
          (mask_case.position_offset ? std::to_string(*mask_case.position_offset) : "none"));
}

// Tries `count` combinations, starting at `first`. Returns how many were tried.
int try_mask_cases(const Variant& variant, Sizes s, int first, int count) {
  s.kv_heads = heads_of_keys(variant.config, s.heads, s.kv_heads);
  if (!accepts(variant, {.length = s.keys, .dim = s.head_dim, .heads = s.heads})) return 0;
  static const std::vector<MaskCase> mask_cases = list_mask_cases();
  const Inputs in(s);
  for (int n = first; n < first + count; ++n) {
    try_mask_case(variant, s, in, mask_cases[static_cast<std::size_t>(n) % mask_cases.size()]);
    if (testing::Test::HasFatalFailure()) break;
  }
  return count;
}

std::vector<int> list_lengths() {
  std::vector<int> all;
  for (int n = 1; n <= 2 * kernels::kLanes + 1; ++n) all.push_back(n);
  for (const int n : {15, 16, 17, 31, 33}) all.push_back(n);
  return all;
}

// Single heads of several dims, heads that share keys, and fewer or more queries than keys.
std::vector<Sizes> list_sizes(int n) {
  std::vector<Sizes> all;
  for (const int head_dim : {1, 2, 6, 8, 17, 32}) all.push_back({1, 1, n, n, head_dim});
  for (const Sizes& s : std::vector<Sizes>{{4, 2, n, n, 8},
                                           {3, 1, n, n, 8},
                                           {2, 2, (n + 1) / 2, n, 8},
                                           {2, 2, 1, n, 8},
                                           {2, 2, n + 3, n, 8}})
    all.push_back(s);
  return all;
}

class EveryLength : public testing::TestWithParam<int> {};

// The loops over tiles, panels and lanes do not depend on the encoding, so each size and encoding
// is tested with four combinations. They alternate, so that every length, encoding and size is
// tested with all combinations.
TEST_P(EveryLength, AttentionMatchesTheFormula) {
  const int n = GetParam();
  int start = n;
  for (const EncodingInfo* type : encodings()) {
    if (type->injection == Injection::input) continue;
    const Variant defaults = variants(*type).front();
    int tried = 0;
    for (const Sizes& s : list_sizes(n)) {
      const int count = try_mask_cases(defaults, s, start + tried, 4);
      if (HasFatalFailure()) return;
      tried += count;
    }
    start += 4;
    EXPECT_GE(tried, 24) << type->id << " was hardly tried";
  }
}

INSTANTIATE_TEST_SUITE_P(Lengths, EveryLength, testing::ValuesIn(list_lengths()));

TEST(ConformanceAttention, MatchesTheFormulaForEveryMaskAndOffset) {
  for (const EncodingInfo* type : encodings()) {
    if (type->injection == Injection::input) continue;
    const Variant defaults = variants(*type).front();
    EXPECT_EQ(try_mask_cases(defaults, {4, 2, 5, 5, 8}, 0, 24), 24) << type->id;
    EXPECT_EQ(try_mask_cases(defaults, {2, 2, 3, 17, 8}, 0, 24), 24) << type->id;
    if (HasFatalFailure()) return;
  }
}

TEST(ConformanceAttention, KeysMayBeSharedUnlessEachHeadRotatesThem) {
  const std::set<std::string_view> per_head_ids = {"liere", "rope_fourier", "rope_mixed"};
  for (const Variant& variant : every_variant())
    EXPECT_EQ(heads_of_keys(variant.config, 4, 2), per_head_ids.contains(variant.type->id) ? 4 : 2);
}

// Variants differ in the encoding, not in the loops, so a length below and one above a tile
// suffice.
TEST(ConformanceAttention, MatchesTheFormulaForEveryVariant) {
  int first = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    for (const Sizes& s :
         std::vector<Sizes>{{2, 1, 5, 5, 8}, {2, 2, 17, 17, 16}, {2, 2, 2, 9, 8}}) {
      EXPECT_EQ(try_mask_cases(variant, s, first, 8), 8) << variant.name << " was not tried";
      if (HasFatalFailure()) return;
      first += 8;
    }
  }
}

// The scale multiplies q.k and every term that is added before scaling.
TEST(ConformanceAttention, AppliesTheScaleOfTheCaller) {
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    const Inputs in({2, 2, 5, 9, 8});
    for (const double scale : {0.75, -0.25, 0.0}) {
      const AttentionConfig config{
          .encoding = variant.config, .scale = scale, .outputs = {.weights = true, .scores = true}};
      Reference expected;
      AttentionResult actual;
      Status status = formula(in.q, in.k, in.v, config).move_to(expected);
      if (status.ok()) status = attention(in.q, in.k, in.v, config).move_to(actual);
      ASSERT_TRUE(status.ok()) << variant.name << ": " << status.message();
      EXPECT_LT(largest_error(actual.scores.data, expected.scores), allowed(expected))
          << variant.name << " scale " << scale;
      EXPECT_LT(largest_error(actual.output.data, expected.output), allowed(expected))
          << variant.name << " scale " << scale;
    }
  }
}

TEST(ConformanceAttention, MatchesTheFormulaForLongRows) {
  for (const EncodingInfo* type : encodings()) {
    if (type->injection == Injection::input) continue;
    try_mask_cases(variants(*type).front(), {1, 1, 40, 700, 16}, 0, 4);
  }
}

TEST(ConformanceAttention, RejectsInputEncodings) {
  for (const EncodingInfo* type : encodings()) {
    if (type->injection != Injection::input) continue;
    const Inputs in({1, 1, 4, 4, 4});
    AttentionConfig config;
    config.encoding.id = type->id;
    const Status status = attention(in.q, in.k, in.v, config).status();
    EXPECT_EQ(status.code(), StatusCode::invalid_argument);
    EXPECT_EQ(status.message().rfind("encoding: " + config.encoding.id, 0), 0u) << status.message();
  }
}

}  // namespace
}  // namespace phasor::test
