#include "token_reference.h"

namespace phasor::test::rope_selective_test {
namespace {

constexpr double kBase = 100;

LookingBack inputs(int heads, int queries, int keys, int width = 8) {
  LookingBack in{.config = {.encoding = {.id = "rope_selective", .params = {{"base", kBase}}},
                            .mask = Mask::causal},
                 .q = dyadic(41, {heads, queries, width}),
                 .k = dyadic(42, {heads, keys, width}),
                 .v = dyadic(43, {heads, keys, width + 1})};
  in.config.token_tensors["steps"] = dyadic(44, {heads, keys, width / 2});
  return in;
}

// Half-split pairs at the angle that the tokens after the key add up to.
double score(const LookingBack& in, int head, int i, int j) {
  const std::vector<double> q = in.query(head, i), k = in.key(head, j);
  const std::size_t pairs = q.size() / 2;
  double sum = 0;
  for (std::size_t m = 0; m < pairs; ++m) {
    double angle = 0;
    for (int l = j + 1; l <= i; ++l)
      angle += (in.config.token_tensors.contains("gate") ? in.token("gate", {head, l}) : 1.0) *
               in.token("steps", {head, l, static_cast<int>(m)});
    angle *= std::pow(kBase, -static_cast<double>(m) / static_cast<double>(pairs));
    sum += (q[m] * k[m] + q[m + pairs] * k[m + pairs]) * std::cos(angle) +
           (q[m] * k[m + pairs] - q[m + pairs] * k[m]) * std::sin(angle);
  }
  return sum / std::sqrt(in.width());
}

TEST(RopeSelective, IsTheFormula) {
  for (const int keys : {1, 5, 40}) {
    LookingBack in = inputs(2, keys, keys);
    expect_output(in, score);
    in.config.token_tensors["gate"] = dyadic(45, {2, keys});
    expect_output(in, score);
  }
  expect_output(inputs(2, 3, 20), score);
}

TEST(RopeSelective, HasTheGradientsOfFiniteDifferences) {
  LookingBack in = inputs(2, 6, 6);
  expect_gradients(in, score);
  in = inputs(2, 4, 9);
  in.config.token_tensors["gate"] = dyadic(45, {2, 9});
  expect_gradients(in, score);
}

TEST(RopeSelective, ACacheAnswersWhatAttentionDoes) {
  LookingBack in = inputs(2, 30, 30);
  in.config.token_tensors["gate"] = dyadic(45, {2, 30});
  expect_cache(in, {1, 20, 2, 7});
}

TEST(RopeSelective, StepsOfOneAreRope) {
  LookingBack in = inputs(2, 20, 20);
  for (float& step : in.config.token_tensors.at("steps").data) step = 1;
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(in.q, in.k, in.v, in.config));
  in.config.encoding = {.id = "rope",
                        .params = {{"base", kBase}, {"layout", std::string("half_split")}}};
  in.config.token_tensors = {};
  ASSERT_OK_AND_ASSIGN(const AttentionResult rope, attention(in.q, in.k, in.v, in.config));
  EXPECT_LT(largest_error(got.output.data,
                          std::vector<double>(rope.output.data.begin(), rope.output.data.end())),
            2e-6);
}

TEST(RopeSelective, RefusesWhatHasNoFormula) {
  LookingBack in = inputs(2, 4, 4);
  in.k = dyadic(42, {1, 4, 8});
  in.v = in.k;
  EXPECT_EQ(refusal_of(in),
            "kv_heads: 2 heads cannot share 1 heads of keys, because rope_selective turns the keys "
            "of each head by its own steps");
  EXPECT_EQ(
      rotate(in.config.encoding, Role::query, positions_from(0, 4), in.q).status().message(),
      "encoding: rope_selective has no angles of positions; it turns tokens by what they bring");
  EXPECT_EQ(layer(dyadic(1, {4, 16}), {.encoding = in.config.encoding}).status().message(),
            "encoding: rope_selective needs steps of each token, which a layer does not make; "
            "attention is given it");
  // all steps or none bring a gate
  CacheConfig config{
      .heads = 2, .kv_heads = 2, .width = 8, .max_length = 9, .encoding = in.config.encoding};
  ASSERT_OK_AND_ASSIGN(auto cache, KeyValueCache::create(config));
  const Tensor x = dyadic(1, {2, 1, 8});
  DecodeConfig step;
  step.token_tensors["steps"] = dyadic(2, {2, 1, 4});
  ASSERT_TRUE(cache->decode(x, x, x, step).ok());
  step.token_tensors["gate"] = dyadic(3, {2, 1});
  EXPECT_EQ(cache->decode(x, x, x, step).status().message(),
            "gate: the steps before have not brought it");
  EXPECT_EQ(cache->length(), 1);
}

}  // namespace
}  // namespace phasor::test::rope_selective_test
