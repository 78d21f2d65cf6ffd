// The backward pass of attention against finite differences of the formula in double, for every
// encoding of the registry.

#include <gtest/gtest.h>

#include "loss_slopes.h"
#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"
#include "variants.h"

namespace phasor::test::gradient_test {
namespace {

struct Problem {
  Tensor q, k, v, d_output;
  AttentionConfig config;

  double loss() const { return inner(reference_attention(q, k, v, config).output, d_output); }
};

struct Sizes {
  int heads, kv_heads, queries, keys;
};

constexpr int kHeadDim = 8, kVHeadDim = 5;

Problem make_problem(const EncodingConfig& encoding, Sizes s) {
  s.kv_heads = heads_of_keys(encoding, s.heads, s.kv_heads);
  Problem problem{.q = dyadic(71, {s.heads, s.queries, kHeadDim}),
                  .k = dyadic(72, {s.kv_heads, s.keys, kHeadDim}),
                  .v = dyadic(73, {s.kv_heads, s.keys, kVHeadDim}),
                  .d_output = dyadic(74, {s.heads, s.queries, kVHeadDim}),
                  .config = {}};
  for (float& x : problem.q.data) x *= 0.5f;
  // Without sinks a constant in all scores of a head (b2) has the gradient 0 except for rounding.
  if (encoding.id == "dape") problem.config.options.sinks = dyadic(75, {s.heads});
  problem.config.encoding = value_of(given_learned(
      encoding, {.length = s.keys, .dim = kHeadDim, .heads = s.heads, .v_head_dim = kVHeadDim}));
  return problem;
}

void expect_gradients(Problem& problem, std::size_t blocks) {
  ASSERT_OK_AND_ASSIGN(
      AttentionGradients gradients,
      attention_backward(problem.q, problem.k, problem.v, problem.d_output, problem.config));
  const auto loss = [&] { return problem.loss(); };
  expect_gradient("q", problem.q, gradients.d_q, kExact, blocks, loss);
  expect_gradient("k", problem.k, gradients.d_k, kExact, blocks, loss);
  expect_gradient("v", problem.v, gradients.d_v, kExact, blocks, loss);
  const int compared = expect_parameter_gradients(problem.config.encoding, gradients.parameters,
                                                  kExact, blocks, loss);
  std::unique_ptr<Encoding> encoding;
  ASSERT_TRUE(create_encoding(problem.config.encoding, {.length = problem.k.shape[1],
                                                        .dim = kHeadDim,
                                                        .heads = problem.q.shape[0],
                                                        .v_head_dim = kVHeadDim})
                  .move_to(encoding)
                  .ok());
  EXPECT_EQ(compared, static_cast<int>(encoding->parameters().size()));
}

struct MaskCase {
  Mask mask;
  int window;  ///< 0: none
  int hidden;  ///< every n-th key is hidden; 0: none
  double shift;
};

void apply_mask(Problem& problem, const MaskCase& mask_case) {
  const int queries = problem.q.shape[1], keys = problem.k.shape[1];
  problem.config.mask = mask_case.mask;
  problem.config.window = mask_case.window > 0 ? std::optional(mask_case.window) : std::nullopt;
  problem.config.position_offset = keys - queries + mask_case.shift;
  problem.config.key_mask.clear();
  for (int j = 0; mask_case.hidden > 0 && j < keys; ++j)
    problem.config.key_mask.push_back(j % mask_case.hidden == 1 ? 0 : 1);
}

std::vector<EncodingConfig> list_attention_encodings() {
  std::vector<EncodingConfig> configs;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection != Injection::input)
      configs.push_back(without_kinks(variant.config));
  }
  // Slopes have a gradient only if the caller provides them.
  for (const char* form : {"symmetric", "mpt", "half_heads"}) {
    configs.push_back(
        {.id = "alibi",
         .params = {{"form", std::string(form)}, {"slopes", Tensor({2}, {0.5f, 0.25f})}}});
  }
  return configs;
}

std::string format_name(const EncodingConfig& config) {
  std::string name = config.id;
  for (const auto& [param, value] : config.params) {
    if (const auto* text = std::get_if<std::string>(&value)) name += " " + param + "=" + *text;
    if (const auto* flag = std::get_if<bool>(&value))
      name += " " + param + (*flag ? "=true" : "=false");
  }
  return name;
}

// The loops over masks do not depend on the encoding: the first variant of an encoding is tested
// with all four masks, the others with two.
TEST(AttentionGradient, MatchesFiniteDifferencesUnderEveryMask) {
  const MaskCase mask_cases[] = {{Mask::none, 0, 0, 0},
                                 {Mask::causal, 0, 0, -2},
                                 {Mask::none, 3, 4, 0},
                                 {Mask::causal, 4, 5, 1}};
  std::string previous_id;
  int n = 0;
  for (const EncodingConfig& encoding : list_attention_encodings()) {
    SCOPED_TRACE(format_name(encoding));
    Problem problem = make_problem(encoding, {2, 1, 5, 9});
    const bool is_first = std::exchange(previous_id, encoding.id) != encoding.id;
    for (int trial = 0; trial < (is_first ? 4 : 2); ++trial) {
      const MaskCase& mask_case = mask_cases[n++ % 4];
      SCOPED_TRACE((mask_case.mask == Mask::causal ? "causal, window " : "window ") +
                   std::to_string(mask_case.window));
      apply_mask(problem, mask_case);
      expect_gradients(problem, 20);
      if (HasFatalFailure()) return;
    }
  }
}

// The loops over tiles do not depend on the encoding, so its first variant is enough.
TEST(AttentionGradient, MatchesFiniteDifferencesAcrossTiles) {
  const MaskCase mask_cases[] = {{Mask::none, 0, 0, -20},
                                 {Mask::causal, 0, 7, 0},
                                 {Mask::causal, 100, 0, -30},
                                 {Mask::none, 50, 3, -15}};
  std::string previous_id;
  int n = -1;
  for (const EncodingConfig& encoding : list_attention_encodings()) {
    ++n;
    if (std::exchange(previous_id, encoding.id) == encoding.id) continue;
    SCOPED_TRACE(format_name(encoding));
    Problem problem = make_problem(encoding, {2, n % 2 == 0 ? 1 : 2, 40, 300});
    // Keeps the loss as small as in the other tests, although 40 rows contribute.
    for (float& x : problem.d_output.data) x *= 0.25f;
    apply_mask(problem, mask_cases[n % 4]);
    expect_gradients(problem, 1);
    if (HasFatalFailure()) return;
  }
}

// Keys are in two blocks, and some queries see only the second.
TEST(AttentionGradient, MatchesFiniteDifferencesAcrossBlocks) {
  for (const char* id : {"none", "t5", "shaw", "rope", "transformer_xl"}) {
    SCOPED_TRACE(id);
    Problem problem = make_problem({.id = id, .params = {}}, {1, 1, 34, 1100});
    apply_mask(problem, {Mask::causal, 60, 0, -20});
    expect_gradients(problem, 1);
    if (HasFatalFailure()) return;
  }
}

// The weights of a row without visible keys would be 0 / 0, which must not become NaN.
TEST(AttentionGradient, IsZeroForRowsWithoutKeys) {
  for (const EncodingConfig& encoding : list_attention_encodings()) {
    SCOPED_TRACE(format_name(encoding));
    Problem problem = make_problem(encoding, {2, 1, 6, 6});
    problem.config.key_mask.assign(6, 0);
    ASSERT_OK_AND_ASSIGN(
        AttentionGradients gradients,
        attention_backward(problem.q, problem.k, problem.v, problem.d_output, problem.config));
    EXPECT_TRUE(all_zero(gradients.d_q) && all_zero(gradients.d_k) && all_zero(gradients.d_v));
    for (const auto& [name, gradient] : gradients.parameters)
      EXPECT_TRUE(all_zero(gradient)) << name;

    // Three queries are before the first key, so their output gradients have no effect.
    apply_mask(problem, {Mask::causal, 0, 0, -3});
    ASSERT_OK_AND_ASSIGN(gradients, attention_backward(problem.q, problem.k, problem.v,
                                                       problem.d_output, problem.config));
    for (int h = 0; h < 2; ++h) {
      EXPECT_TRUE(std::all_of(matrix(gradients.d_q, h).row(0), matrix(gradients.d_q, h).row(3),
                              [](float x) { return x == 0; }));
      for (float* x = matrix(problem.d_output, h).row(0); x < matrix(problem.d_output, h).row(3);
           ++x)
        *x = 100;
    }
    ASSERT_OK_AND_ASSIGN(
        AttentionGradients changed_gradients,
        attention_backward(problem.q, problem.k, problem.v, problem.d_output, problem.config));
    EXPECT_EQ(changed_gradients.d_q.data, gradients.d_q.data);
    EXPECT_EQ(changed_gradients.d_k.data, gradients.d_k.data);
    EXPECT_EQ(changed_gradients.d_v.data, gradients.d_v.data);
    for (const auto& [name, gradient] : gradients.parameters)
      EXPECT_EQ(changed_gradients.parameters.at(name).data, gradient.data) << name;
  }
}

TEST(AttentionGradient, IsDeterministic) {
  for (const EncodingConfig& encoding : list_attention_encodings()) {
    Problem problem = make_problem(encoding, {2, 1, 35, 270});
    AttentionGradients second_gradients;
    ASSERT_OK_AND_ASSIGN(
        AttentionGradients first_gradients,
        attention_backward(problem.q, problem.k, problem.v, problem.d_output, problem.config));
    second_gradients = first_gradients;  // existing contents are overwritten
    ASSERT_OK_AND_ASSIGN(second_gradients, attention_backward(problem.q, problem.k, problem.v,
                                                              problem.d_output, problem.config));
    EXPECT_EQ(first_gradients.d_q.data, second_gradients.d_q.data) << format_name(encoding);
    EXPECT_EQ(first_gradients.d_k.data, second_gradients.d_k.data) << format_name(encoding);
    EXPECT_EQ(first_gradients.d_v.data, second_gradients.d_v.data) << format_name(encoding);
    for (const auto& [name, gradient] : first_gradients.parameters)
      EXPECT_EQ(second_gradients.parameters.at(name).data, gradient.data)
          << format_name(encoding) << " " << name;
  }
}

TEST(AttentionGradient, RejectsAnInvalidOutputGradient) {
  const Tensor x({2, 3, 4});
  const auto get_error_message = [&](const Tensor& d_output) {
    return attention_backward(x, x, x, d_output, {}).status().message();
  };
  EXPECT_EQ(get_error_message(Tensor({2, 3, 5})),
            "d_output: has shape 2 x 3 x 5; expected 2 x 3 x 4, the shape of the output");
  EXPECT_EQ(get_error_message(Tensor({3, 4})),
            "d_output: has shape 3 x 4; expected 2 x 3 x 4, the shape of the output");
  Tensor invalid_tensor = x;
  invalid_tensor.data[7] = NAN;
  EXPECT_EQ(get_error_message(invalid_tensor), "d_output[7]: NaN is not a finite number");
  invalid_tensor.data[7] = INFINITY;
  EXPECT_EQ(get_error_message(invalid_tensor), "d_output[7]: Infinity is not a finite number");
  EXPECT_EQ(attention_backward(Tensor({3, 4}), x, x, x, {}).status().message(),
            "q: has shape 3 x 4; expected heads x tokens x dim");
}

}  // namespace
}  // namespace phasor::test::gradient_test
