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

struct Job {
  Tensor q, k, v, d_output;
  AttentionConfig config;

  double loss() const { return inner(reference_attention(q, k, v, config).output, d_output); }
};

struct Sizes {
  int heads, kv_heads, queries, keys;
};

constexpr int kHeadDim = 8, kVHeadDim = 5;

Job job_of(const EncodingConfig& encoding, Sizes s) {
  s.kv_heads = heads_of_keys(encoding, s.heads, s.kv_heads);
  Job job{.q = dyadic(71, {s.heads, s.queries, kHeadDim}),
          .k = dyadic(72, {s.kv_heads, s.keys, kHeadDim}),
          .v = dyadic(73, {s.kv_heads, s.keys, kVHeadDim}),
          .d_output = dyadic(74, {s.heads, s.queries, kVHeadDim}),
          .config = {}};
  for (float& x : job.q.data) x *= 0.5f;
  // Without sinks a constant in all scores of a head (b2) has the gradient 0 except for rounding.
  if (encoding.id == "dape") job.config.options.sinks = dyadic(75, {s.heads});
  job.config.encoding = value_of(given_learned(
      encoding, {.length = s.keys, .dim = kHeadDim, .heads = s.heads, .v_head_dim = kVHeadDim}));
  return job;
}

void expect_gradients(Job& job, std::size_t blocks) {
  ASSERT_OK_AND_ASSIGN(AttentionGradients gradients,
                       attention_backward(job.q, job.k, job.v, job.d_output, job.config));
  const auto loss = [&] { return job.loss(); };
  expect_gradient("q", job.q, gradients.d_q, kExact, blocks, loss);
  expect_gradient("k", job.k, gradients.d_k, kExact, blocks, loss);
  expect_gradient("v", job.v, gradients.d_v, kExact, blocks, loss);
  const int compared =
      expect_parameter_gradients(job.config.encoding, gradients.parameters, kExact, blocks, loss);
  std::unique_ptr<Encoding> encoding;
  ASSERT_TRUE(create_encoding(job.config.encoding, {.length = job.k.shape[1],
                                                    .dim = kHeadDim,
                                                    .heads = job.q.shape[0],
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

void look(Job& job, const MaskCase& mask_case) {
  const int queries = job.q.shape[1], keys = job.k.shape[1];
  job.config.mask = mask_case.mask;
  job.config.window = mask_case.window > 0 ? std::optional(mask_case.window) : std::nullopt;
  job.config.position_offset = keys - queries + mask_case.shift;
  job.config.key_mask.clear();
  for (int j = 0; mask_case.hidden > 0 && j < keys; ++j)
    job.config.key_mask.push_back(j % mask_case.hidden == 1 ? 0 : 1);
}

std::vector<EncodingConfig> every_attention_encoding() {
  std::vector<EncodingConfig> all;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection != Injection::input) all.push_back(without_kinks(variant.config));
  }
  // Slopes have a gradient only if the caller provides them.
  for (const char* form : {"symmetric", "mpt", "half_heads"}) {
    all.push_back(
        {.id = "alibi",
         .params = {{"form", std::string(form)}, {"slopes", Tensor({2}, {0.5f, 0.25f})}}});
  }
  return all;
}

std::string name_of(const EncodingConfig& config) {
  std::string name = config.id;
  for (const auto& [param, value] : config.params) {
    if (const auto* word = std::get_if<std::string>(&value)) name += " " + param + "=" + *word;
    if (const auto* yes = std::get_if<bool>(&value))
      name += " " + param + (*yes ? "=true" : "=false");
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
  std::string seen;
  int n = 0;
  for (const EncodingConfig& encoding : every_attention_encoding()) {
    SCOPED_TRACE(name_of(encoding));
    Job job = job_of(encoding, {2, 1, 5, 9});
    const bool first = std::exchange(seen, encoding.id) != encoding.id;
    for (int tried = 0; tried < (first ? 4 : 2); ++tried) {
      const MaskCase& mask_case = mask_cases[n++ % 4];
      SCOPED_TRACE((mask_case.mask == Mask::causal ? "causal, window " : "window ") +
                   std::to_string(mask_case.window));
      look(job, mask_case);
      expect_gradients(job, 20);
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
  std::string seen;
  int n = -1;
  for (const EncodingConfig& encoding : every_attention_encoding()) {
    ++n;
    if (std::exchange(seen, encoding.id) == encoding.id) continue;
    SCOPED_TRACE(name_of(encoding));
    Job job = job_of(encoding, {2, n % 2 == 0 ? 1 : 2, 40, 300});
    // Keeps the loss as small as in the other tests, although 40 rows contribute.
    for (float& x : job.d_output.data) x *= 0.25f;
    look(job, mask_cases[n % 4]);
    expect_gradients(job, 1);
    if (HasFatalFailure()) return;
  }
}

// Keys are in two blocks, and some queries see only the second.
TEST(AttentionGradient, MatchesFiniteDifferencesAcrossBlocks) {
  for (const char* id : {"none", "t5", "shaw", "rope", "transformer_xl"}) {
    SCOPED_TRACE(id);
    Job job = job_of({.id = id, .params = {}}, {1, 1, 34, 1100});
    look(job, {Mask::causal, 60, 0, -20});
    expect_gradients(job, 1);
    if (HasFatalFailure()) return;
  }
}

// The weights of a row without visible keys would be 0 / 0, which must not become NaN.
TEST(AttentionGradient, IsZeroForRowsWithoutKeys) {
  for (const EncodingConfig& encoding : every_attention_encoding()) {
    SCOPED_TRACE(name_of(encoding));
    Job job = job_of(encoding, {2, 1, 6, 6});
    job.config.key_mask.assign(6, 0);
    ASSERT_OK_AND_ASSIGN(AttentionGradients gradients,
                         attention_backward(job.q, job.k, job.v, job.d_output, job.config));
    EXPECT_TRUE(all_zero(gradients.d_q) && all_zero(gradients.d_k) && all_zero(gradients.d_v));
    for (const auto& [name, gradient] : gradients.parameters)
      EXPECT_TRUE(all_zero(gradient)) << name;

    // Three queries are before the first key, so their output gradients have no effect.
    look(job, {Mask::causal, 0, 0, -3});
    ASSERT_OK_AND_ASSIGN(gradients,
                         attention_backward(job.q, job.k, job.v, job.d_output, job.config));
    for (int h = 0; h < 2; ++h) {
      EXPECT_TRUE(std::all_of(matrix(gradients.d_q, h).row(0), matrix(gradients.d_q, h).row(3),
                              [](float x) { return x == 0; }));
      for (float* x = matrix(job.d_output, h).row(0); x < matrix(job.d_output, h).row(3); ++x)
        *x = 100;
    }
    ASSERT_OK_AND_ASSIGN(AttentionGradients other,
                         attention_backward(job.q, job.k, job.v, job.d_output, job.config));
    EXPECT_EQ(other.d_q.data, gradients.d_q.data);
    EXPECT_EQ(other.d_k.data, gradients.d_k.data);
    EXPECT_EQ(other.d_v.data, gradients.d_v.data);
    for (const auto& [name, gradient] : gradients.parameters)
      EXPECT_EQ(other.parameters.at(name).data, gradient.data) << name;
  }
}

TEST(AttentionGradient, IsDeterministic) {
  for (const EncodingConfig& encoding : every_attention_encoding()) {
    Job job = job_of(encoding, {2, 1, 35, 270});
    AttentionGradients two;
    ASSERT_OK_AND_ASSIGN(AttentionGradients one,
                         attention_backward(job.q, job.k, job.v, job.d_output, job.config));
    two = one;  // existing contents are overwritten
    ASSERT_OK_AND_ASSIGN(two, attention_backward(job.q, job.k, job.v, job.d_output, job.config));
    EXPECT_EQ(one.d_q.data, two.d_q.data) << name_of(encoding);
    EXPECT_EQ(one.d_k.data, two.d_k.data) << name_of(encoding);
    EXPECT_EQ(one.d_v.data, two.d_v.data) << name_of(encoding);
    for (const auto& [name, gradient] : one.parameters)
      EXPECT_EQ(two.parameters.at(name).data, gradient.data) << name_of(encoding) << " " << name;
  }
}

TEST(AttentionGradient, RejectsAnInvalidOutputGradient) {
  const Tensor x({2, 3, 4});
  const auto message = [&](const Tensor& d_output) {
    return attention_backward(x, x, x, d_output, {}).status().message();
  };
  EXPECT_EQ(message(Tensor({2, 3, 5})),
            "d_output: has shape 2 x 3 x 5; expected 2 x 3 x 4, the shape of the output");
  EXPECT_EQ(message(Tensor({3, 4})),
            "d_output: has shape 3 x 4; expected 2 x 3 x 4, the shape of the output");
  Tensor bad = x;
  bad.data[7] = NAN;
  EXPECT_EQ(message(bad), "d_output[7]: NaN is not a finite number");
  bad.data[7] = INFINITY;
  EXPECT_EQ(message(bad), "d_output[7]: Infinity is not a finite number");
  EXPECT_EQ(attention_backward(Tensor({3, 4}), x, x, x, {}).status().message(),
            "q: has shape 3 x 4; expected heads x tokens x dim");
}

}  // namespace
}  // namespace phasor::test::gradient_test
