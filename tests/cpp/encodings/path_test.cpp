#include "token_reference.h"

namespace phasor::test::path_test {
namespace {

LookingBack inputs(int heads, int kv_heads, int queries, int keys, int width = 4) {
  LookingBack in{.config = {.encoding = {.id = "path", .params = {}}, .mask = Mask::causal},
                 .q = dyadic(21, {heads, queries, width}),
                 .k = dyadic(22, {kv_heads, keys, width}),
                 .v = dyadic(23, {kv_heads, keys, width + 1})};
  in.config.token_tensors["w"] = dyadic(24, {kv_heads, keys, width});
  Tensor beta = dyadic(25, {kv_heads, keys});
  for (float& b : beta.data) b = 1 + 0.5f * b;  // from 0 to 2
  in.config.token_tensors["beta"] = beta;
  return in;
}

// The key walks to the query, reflected by every token after it.
double product(const LookingBack& in, int head, int i, int j, bool normalise = true,
               double eps = 1e-6) {
  std::vector<double> k = in.key(head, j);
  const int kv_head = in.kv_head(head);
  for (int t = j + 1; t <= i; ++t) {
    std::vector<double> w;
    for (int c = 0; c < in.width(); ++c) w.push_back(in.token("w", {kv_head, t, c}));
    const double square = normalise ? dot_of(w, w) + eps : 1;
    const double step = in.token("beta", {kv_head, t}) * dot_of(w, k) / square;
    for (std::size_t c = 0; c < k.size(); ++c) k[c] -= step * w[c];
  }
  return dot_of(in.query(head, i), k) / std::sqrt(in.width());
}

double score(const LookingBack& in, int head, int i, int j) { return product(in, head, i, j); }

double gated(const LookingBack& in, int head, int i, int j) {
  double sum = product(in, head, i, j);
  for (int l = j + 1; l <= i; ++l) sum += in.token("log_gates", {head, l}) / std::sqrt(in.width());
  return sum;
}

// Chunks are of 64 tokens, blocks of keys of 1,024.
TEST(Path, IsTheFormulaAtEveryEdgeOfAChunk) {
  for (const int keys : {1, 2, 63, 64, 65, 130, 200}) {
    expect_output(inputs(2, 2, keys, keys), score);
    expect_output(inputs(4, 2, std::min(keys, 5), keys, 8), score);
  }
  expect_output(inputs(1, 1, 3, 1100), score);
}

TEST(Path, AScoreIsShownStepByStep) {
  const LookingBack in = inputs(2, 1, 80, 80);
  ASSERT_OK_AND_ASSIGN(const ScoreChain got, score_chain(in.q, in.k, in.config, 1, 79));
  EXPECT_LT(got.max_abs_diff, 1e-6);
  for (int j = 0; j < 80; ++j)
    EXPECT_NEAR(static_cast<double>(got.scaled.data[static_cast<std::size_t>(j)]),
                score(in, 1, 79, j), 1e-5);
}

TEST(Path, KnowsWindowsAndHiddenKeys) {
  for (const int window : {3, 70}) {
    LookingBack in = inputs(2, 1, 150, 150);
    in.config.window = window;
    expect_output(in, score);
    in.config.key_mask = std::vector<std::uint8_t>(150, 1);
    for (const std::size_t hidden : {0u, 1u, 80u}) in.config.key_mask[hidden] = 0;
    expect_output(in, score);
  }
}

TEST(Path, TakesDirectionsAsTheyAre) {
  LookingBack in = inputs(2, 1, 20, 20);
  for (float& x : in.config.token_tensors.at("w").data) x *= 0.25f;
  in.config.encoding.params = {{"normalise_w", false}};
  expect_output(
      in, [](const LookingBack& of, int h, int i, int j) { return product(of, h, i, j, false); });
}

TEST(Path, AddsForgetGates) {
  LookingBack in = inputs(2, 1, 80, 80);
  Tensor gates = dyadic(26, {2, 80});
  for (float& x : gates.data) x = std::min(0.0f, 0.25f * x);
  in.config.token_tensors["log_gates"] = gates;
  expect_output(in, gated);
  in.config.encoding.params = {{"gate_scaled", false}};
  in.config.scale = 0.75;
  expect_output(in, [](const LookingBack& of, int h, int i, int j) {
    double sum = 0.75 * std::sqrt(of.width()) * product(of, h, i, j);
    for (int l = j + 1; l <= i; ++l) sum += of.token("log_gates", {h, l});
    return sum;
  });
}

TEST(Path, HasTheGradientsOfFiniteDifferences) {
  expect_gradients(inputs(2, 2, 7, 7), score);
  expect_gradients(inputs(2, 1, 4, 150), score);
  LookingBack in = inputs(2, 1, 70, 140);
  in.config.window = 90;
  Tensor gates = dyadic(26, {2, 140});
  for (float& x : gates.data) x = std::min(0.0f, 0.25f * x);
  in.config.token_tensors["log_gates"] = gates;
  expect_gradients(in, gated);
  in = inputs(1, 1, 70, 70);
  for (float& x : in.config.token_tensors.at("w").data) x *= 0.25f;
  in.config.encoding.params = {{"normalise_w", false}};
  expect_gradients(
      in, [](const LookingBack& of, int h, int i, int j) { return product(of, h, i, j, false); });
}

TEST(Path, ACacheAnswersWhatAttentionDoes) {
  expect_cache(inputs(4, 2, 200, 200), {1, 60, 2, 1, 1, 64, 71});
}

TEST(Path, NoReflectionIsNoEncoding) {
  LookingBack in = inputs(2, 1, 100, 100);
  for (float& beta : in.config.token_tensors.at("beta").data) beta = 0;
  expect_output(in, [](const LookingBack& of, int h, int i, int j) {
    return dot_of(of.query(h, i), of.key(h, j)) / std::sqrt(of.width());
  });
}

// Scores of the last query with itself as a key at 0: mirrors keep lengths.
TEST(Path, MirrorsKeepLengths) {
  LookingBack in = inputs(1, 1, 4, 100);
  for (float& beta : in.config.token_tensors.at("beta").data) beta = 2;
  in.config.encoding.params = {{"eps", 0.0}};
  // a query along each channel, so that the scores of a key are its channels
  for (float& x : in.q.data) x = 0;
  for (int c = 0; c < 4; ++c) matrix(in.q).row(c)[c] = 1;
  in.config.token_tensors.at("beta").data[97] = 0;
  in.config.token_tensors.at("beta").data[98] = 0;
  in.config.token_tensors.at("beta").data[99] = 0;
  in.config.scale = 1;
  in.config.want = {.scores = true};
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(in.q, in.k, in.v, in.config));
  for (int j = 0; j < 96; ++j) {
    double length = 0;
    for (int c = 0; c < 4; ++c)
      length += std::pow(static_cast<double>(matrix(got.scores).row(c)[j]), 2);
    EXPECT_NEAR(length, dot_of(in.key(0, j), in.key(0, j)), 1e-4) << j;
  }
}

TEST(Path, OneAxisForgetsItsChannel) {
  LookingBack in = inputs(1, 1, 80, 80);
  Tensor &w = in.config.token_tensors.at("w"), &beta = in.config.token_tensors.at("beta");
  for (std::size_t i = 0; i < w.data.size(); ++i) w.data[i] = i % 4 == 0 ? 1.0f : 0.0f;
  for (float& b : beta.data) b = 1;
  in.config.encoding.params = {{"normalise_w", false}};
  expect_output(in, [](const LookingBack& of, int h, int i, int j) {
    std::vector<double> k = of.key(h, j);
    if (j < i) k[0] = 0;
    return dot_of(of.query(h, i), k) / std::sqrt(of.width());
  });
}

TEST(Path, RefusesWhatHasNoFormula) {
  LookingBack in = inputs(2, 1, 4, 5);
  in.config.mask = Mask::none;
  EXPECT_EQ(refusal_of(in),
            "mask: none lets queries see later keys, for which path has no formula; causal is "
            "needed");
  in.config.mask = Mask::causal;
  in.config.token_tensors["w"] = Tensor({2, 5, 4});
  EXPECT_EQ(refusal_of(in),
            "w: its shape is 2 x 5 x 4; 1 x 5 x 4 is needed (kv_heads, tokens, width)");
  in.config.token_tensors = {};
  EXPECT_EQ(refusal_of(in), "w: path needs it in token_tensors, of the shape 1 x 5 x 4");
  EXPECT_EQ(
      layer(dyadic(1, {4, 4}), {.encoding = {.id = "path", .params = {}}, .mask = Mask::causal})
          .status()
          .message(),
      "encoding: path needs w of each token, which a layer does not make; attention is "
      "given it");
}

}  // namespace
}  // namespace phasor::test::path_test
