// Streaming attention, used if only the output is requested, against the formula in double at sizes
// around the boundaries of tiles, blocks and panels.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "attention_inputs.h"
#include "reference.h"
#include "results.h"

namespace phasor::test::stream_test {
namespace {

struct MaskCase {
  Mask mask;
  int window;    ///< 0: none
  int hidden;    ///< every n-th key is hidden; 1: all, 0: none
  double shift;  ///< added to the offset that puts the last query at the last key
};

constexpr MaskCase kMaskCases[] = {
    {Mask::none, 0, 0, 0},      {Mask::causal, 0, 0, 0},       {Mask::none, 7, 0, -3},
    {Mask::causal, 300, 0, 0},  {Mask::none, 0, 3, 0},         {Mask::causal, 1, 0, 0},
    {Mask::none, 300, 5, -100}, {Mask::causal, 0, 2, -40},     {Mask::none, 1, 0, -700},
    {Mask::causal, 7, 4, 1},    {Mask::causal, 0, 0, 5},       {Mask::causal, 0, 0, -5000},
    {Mask::none, 7, 0, 5000},   {Mask::none, 0, 1, 0},         {Mask::causal, 300, 2, -600},
    {Mask::none, 300, 0, 250},  {Mask::causal, 300, 300, 300},
};

std::vector<EncodingConfig> list_encodings() {
  const auto to_string = [](const char* text) { return std::string(text); };
  return {
      {},
      {.id = "alibi", .params = {}},
      {.id = "alibi", .params = {{"form", to_string("causal")}}},
      {.id = "alibi", .params = {{"form", to_string("row_shifted")}}},
      {.id = "alibi", .params = {{"form", to_string("mpt")}, {"max_seq_len", 1300.0}}},
      {.id = "alibi", .params = {{"form", to_string("half_heads")}}},
      {.id = "t5", .params = {}},
      {.id = "relative_bias", .params = {{"beyond", to_string("clip")}}},
      {.id = "relative_bias",
       .params = {{"beyond", to_string("clip")},
                  {"max_length", 40.0},
                  {"per_head", true},
                  {"placement", to_string("inside")}}},
      {.id = "shaw", .params = {}},
      {.id = "shaw",
       .params = {{"clip", 3.0}, {"direction", to_string("left_positive")}, {"per_head", true}}},
      {.id = "shaw", .params = {{"clip", 100.0}, {"values", false}}},
      {.id = "rope", .params = {{"layout", to_string("half_split")}}},
      {.id = "transformer_xl", .params = {}},
      {.id = "deberta", .params = {}},
      {.id = "kerple", .params = {}},
      {.id = "kerple", .params = {{"form", to_string("weighted_power")}}},
      {.id = "fire", .params = {}},
      {.id = "cope", .params = {}},
  };
}

void expect_formula(const Inputs& in, const AttentionConfig& config, const std::string& context) {
  Reference expected;
  Status status = formula(in.q, in.k, in.v, config).move_to(expected);
  ASSERT_TRUE(status.ok()) << context << ": " << status.message();
  AttentionResult actual;
  status = attention(in.q, in.k, in.v, config).move_to(actual);
  ASSERT_TRUE(status.ok()) << context << ": " << status.message();
  ASSERT_TRUE(actual.weights.empty());
  ASSERT_LT(largest_error(actual.output.data, expected.output), allowed(expected)) << context;
  // A row without visible keys is exactly zero.
  const std::size_t keys = static_cast<std::size_t>(in.k.shape[1]),
                    head_dim = static_cast<std::size_t>(in.v.shape[2]);
  for (std::size_t row = 0; row * keys < expected.weights.size(); ++row) {
    const auto weights = expected.weights.begin() + static_cast<std::ptrdiff_t>(row * keys);
    if (std::any_of(weights, weights + static_cast<std::ptrdiff_t>(keys),
                    [](double w) { return w > 0; }))
      continue;
    for (std::size_t c = 0; c < head_dim; ++c)
      ASSERT_EQ(actual.output.data[row * head_dim + c], 0.0f) << context;
  }
}

AttentionConfig make_config(const EncodingConfig& encoding, const MaskCase& mask_case,
                            const Sizes& s) {
  AttentionConfig config{.encoding = encoding,
                         .mask = mask_case.mask,
                         .key_mask = {},
                         .position_offset = s.keys - s.queries + mask_case.shift,
                         .scale = {},
                         .outputs = {}};
  if (mask_case.window > 0) config.window = mask_case.window;
  for (int j = 0; mask_case.hidden > 0 && j < s.keys; ++j)
    config.key_mask.push_back((j + 1) % mask_case.hidden == 0 ? 0 : 1);
  return config;
}

// Tiles have 16 or 32 queries and 256 to 1024 keys, depending on the kernels; blocks have 1024 keys
// and panels 16 columns. The 19 encodings and 17 mask cases alternate, so that every pair occurs at
// some of the sizes.
TEST(AttentionStream, MatchesTheFormulaOnBothSidesOfEveryEdge) {
  const std::vector<EncodingConfig> encodings = list_encodings();
  constexpr std::array head_dims = {1, 3, 4, 5, 16, 17};
  constexpr std::array v_head_dims = {17, 4, 1, 16, 5};
  constexpr std::array<std::array<int, 2>, 4> heads = {{{1, 1}, {2, 1}, {4, 2}, {3, 3}}};
  std::size_t n = 0;
  for (const int keys : {1, 15, 16, 17, 255, 256, 257, 1023, 1024, 1025, 1300}) {
    for (const int queries : {1, 2, 31, 32, 33, 70}) {
      const long score_count = static_cast<long>(keys) * queries;
      for (int repeat = 0; repeat < (score_count < 4000    ? 8
                                     : score_count < 20000 ? 4
                                                           : 2);
           ++repeat, ++n) {
        const EncodingConfig& encoding = encodings[n % encodings.size()];
        const MaskCase& mask_case = kMaskCases[n % std::size(kMaskCases)];
        const auto& [q_heads, kv_heads] = heads[score_count < 20000 ? n % heads.size() : n % 2];
        // RoPE needs an even dim.
        const int head_dim = encoding.id == "rope" ? 6 : head_dims[n % head_dims.size()];
        const Sizes s{q_heads, kv_heads, queries,
                      keys,    head_dim, v_head_dims[n % v_head_dims.size()]};
        expect_formula(inputs(s), make_config(encoding, mask_case, s),
                       encoding.id + " case " + std::to_string(n) + ": queries " +
                           std::to_string(queries) + " keys " + std::to_string(keys) + " dim " +
                           std::to_string(head_dim) + " mask case " +
                           std::to_string(n % std::size(kMaskCases)));
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GE(n, encodings.size() * std::size(kMaskCases));
}

// Inputs are integers, so scores up to 10^4 are exact and errors come from the softmax only.
TEST(AttentionStream, MatchesTheFormulaForExtremeScores) {
  SplitMix64 random(35);
  const auto draw_below = [&](int n) {
    return static_cast<int>(random.next() % static_cast<std::uint64_t>(n));
  };
  for (int n = 0; n < 120; ++n) {
    const int kv_heads = 1 + draw_below(2);
    Sizes s{kv_heads * (1 + draw_below(3)),        kv_heads,          1 + draw_below(40),
            1 + draw_below(n % 4 == 0 ? 600 : 40), 1 + draw_below(9), 1 + draw_below(9)};
    if (n < 4) s = {1, 1, 1, n % 2 == 0 ? 1 : 20, 1, 1};
    Inputs in = inputs(s);
    const int limit = static_cast<int>(std::sqrt(1e4 / s.head_dim));
    for (Tensor* t : {&in.q, &in.k}) {
      for (float& x : t->data)
        x = static_cast<float>(draw_below(3) == 0 ? limit * (2 * draw_below(2) - 1)
                                                  : draw_below(2 * limit + 1) - limit);
    }
    AttentionConfig config{.encoding = {},
                           .mask = n % 2 == 0 ? Mask::none : Mask::causal,
                           .key_mask = {},
                           .position_offset = {},
                           .scale = 1.0,
                           .outputs = {}};
    if (draw_below(3) == 0) config.window = 1 + draw_below(50);
    for (int j = 0; n % 3 == 0 && j < s.keys; ++j)
      config.key_mask.push_back(static_cast<std::uint8_t>(draw_below(4) != 0));
    ASSERT_OK_AND_ASSIGN(const Reference expected, formula(in.q, in.k, in.v, config));
    ASSERT_OK_AND_ASSIGN(AttentionResult actual, attention(in.q, in.k, in.v, config));
    ASSERT_LT(largest_error(actual.output.data, expected.output), 2e-6)
        << "case " << n << ": queries " << s.queries << " keys " << s.keys << " dim " << s.head_dim;
  }
}

TEST(AttentionStream, SingleTokenReturnsItsValue) {
  for (const float score : {0.0f, 1e4f, -1e4f}) {
    ASSERT_OK_AND_ASSIGN(AttentionResult actual,
                         attention(Tensor({1, 1, 1}, {score}), Tensor({1, 1, 1}, {1}),
                                   Tensor({1, 1, 1}, {0.3f}), {}));
    EXPECT_EQ(actual.output.data, std::vector<float>{0.3f});
  }
}

}  // namespace
}  // namespace phasor::test::stream_test
