// Ablated heads and K-composition, compared with naive formulas in double.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "nn/attention_block.h"
#include "phasor/registry.h"
#include "train/small_specs.h"

namespace phasor {
namespace {

using test::refusal_of;
using test::small_trainer;
using test::value_of;

const std::vector<int> kSixTokens = {3, 1, 4, 1, 5, 9};
constexpr int kHeads = 2, kHeadDim = 8, kEmbedDim = kHeads * kHeadDim;

std::unique_ptr<Trainer> train_model(const char* encoding, Params extra_params = {}) {
  extra_params["embed_dim"] = static_cast<double>(kEmbedDim);
  auto trainer = small_trainer({.id = encoding}, std::move(extra_params));
  value_of(trainer->step(5));
  return trainer;
}

std::unique_ptr<Trainer> zero_head_rows(const Trainer& source, const char* encoding,
                                        HeadIndex head) {
  auto trainer_copy = train_model(encoding);
  OrderedMap<Tensor> weights = source.weights();
  const std::string name = "layers." + std::to_string(head.layer) + ".attention.out_proj.weight";
  for (auto& [key, tensor] : weights) {
    if (key != name) continue;
    for (int row = 0; row < kEmbedDim; ++row)
      std::fill_n(tensor.data.begin() + row * kEmbedDim + head.head * kHeadDim, kHeadDim, 0.0f);
  }
  EXPECT_TRUE(trainer_copy->load_weights(weights).ok());
  return trainer_copy;
}

TEST(Ablation, ByZeroEqualsZeroWeightsInTheOutputProjection) {
  for (const char* encoding : {"rope", "alibi", "none"}) {
    for (const HeadIndex head : {HeadIndex{0, 1}, HeadIndex{1, 0}}) {
      const auto trainer = train_model(encoding);
      const Tensor full_logits = value_of(trainer->logits(kSixTokens));
      const auto trainer_copy = zero_head_rows(*trainer, encoding, head);
      ASSERT_TRUE(trainer->ablate_heads(std::vector<HeadIndex>{head}).ok());
      const Tensor ablated = value_of(trainer->logits(kSixTokens));
      EXPECT_EQ(ablated.data, value_of(trainer_copy->logits(kSixTokens)).data) << encoding;
      EXPECT_NE(ablated.data, full_logits.data) << encoding;
      EXPECT_EQ(value_of(trainer->attention_weights(kSixTokens)).data,
                value_of(trainer_copy->attention_weights(kSixTokens)).data);
      EXPECT_EQ(value_of(trainer->evaluate()).lengths[0].loss,
                value_of(trainer_copy->evaluate()).lengths[0].loss);
      ASSERT_TRUE(trainer->ablate_heads({}).ok());
      EXPECT_EQ(value_of(trainer->logits(kSixTokens)).data, full_logits.data) << encoding;
    }
  }
}

// The output projection is the identity, so a block adds the outputs of its heads to its input.
TEST(Ablation, ByTheMeanAveragesOverTheTokensOfAnItem) {
  constexpr int kItems = 2, kLength = 5, kRows = kItems * kLength;
  const auto encoding =
      value_of(create_encoding({.id = "none"}, {.dim = kHeadDim, .heads = kHeads}));
  std::vector<double> positions = {0, 1, 2, 3, 4}, all = positions;
  all.insert(all.end(), positions.begin(), positions.end());
  nn::BatchedAttentionParams params;
  params.encoding = encoding.get();
  params.size = {kItems, kLength};
  params.heads = kHeads;
  params.head_dim = kHeadDim;
  params.causal = true;
  params.positions = positions;
  params.repeated_positions = all;
  std::vector<float> gain(kEmbedDim, 1), bias(kEmbedDim), in(3 * kEmbedDim * kEmbedDim),
      out(kEmbedDim * kEmbedDim), x(kRows * kEmbedDim), y(x.size()), z(x.size());
  for (std::size_t n = 0; n < in.size(); ++n) in[n] = std::sin(static_cast<float>(n * n % 97));
  for (std::size_t n = 0; n < x.size(); ++n) x[n] = std::cos(static_cast<float>(3 * n % 41));
  for (std::size_t n = 0; n < kEmbedDim; ++n) out[n * kEmbedDim + n] = 1;
  nn::AttentionBlock block;
  block.norm = {nn::NormKind::layer_norm, gain.data(), bias.data(), nullptr, nullptr};
  block.in_proj = {in.data(), 3 * kEmbedDim, kEmbedDim, kEmbedDim};
  block.out_proj = {out.data(), kEmbedDim, kEmbedDim, kEmbedDim};
  const ConstMatrixRef input{x.data(), kRows, kEmbedDim, kEmbedDim};
  const auto run_attention = [&](std::vector<float>& gradients) {
    nn::SavedAttentionBlock saved;
    nn::AttentionWorkspace work;
    work.reserve(params, false);
    nn::attention_block(block, params, input, false, saved, work,
                        {gradients.data(), kRows, kEmbedDim, kEmbedDim});
  };
  run_attention(y);
  const std::vector<int> ablated = {1};
  block.ablated_heads = ablated;
  block.uses_mean_ablation = true;
  run_attention(z);
  double largest = 0;
  for (int item = 0; item < kItems; ++item) {
    for (int c = 0; c < kEmbedDim; ++c) {
      double mean = 0;
      const auto flat_index = [&](int t) {
        return static_cast<std::size_t>((item * kLength + t) * kEmbedDim + c);
      };
      const auto head = [&](const std::vector<float>& v, int t) {
        return static_cast<double>(v[flat_index(t)]) - static_cast<double>(x[flat_index(t)]);
      };
      for (int t = 0; t < kLength; ++t) mean += head(y, t) / kLength;
      for (int t = 0; t < kLength; ++t) {
        EXPECT_NEAR(head(z, t), c < kHeadDim ? head(y, t) : mean, 1e-5);
        largest = std::max(largest, std::abs(mean - head(y, t)));
      }
    }
  }
  EXPECT_GT(largest, 0.1);
}

TEST(Ablation, RejectsTrainingStepsAndUnknownHeads) {
  const auto trainer = train_model("rope");
  ASSERT_TRUE(trainer->ablate_heads(std::vector<HeadIndex>{{0, 1}}, AblationType::mean).ok());
  EXPECT_EQ(refusal_of(trainer->step().status()),
            "count: heads are ablated; restore all heads before a step");
  EXPECT_NE(refusal_of(trainer->ablate_heads(std::vector<HeadIndex>{{0, 0}, {2, 0}})),
            "not refused");
  EXPECT_EQ(refusal_of(trainer->step().status()),
            "count: heads are ablated; restore all heads before a step");
  ASSERT_TRUE(trainer->ablate_heads({}).ok());
  value_of(trainer->step());
  EXPECT_EQ(refusal_of(trainer->ablate_heads(std::vector<HeadIndex>{{2, 0}})),
            "heads[0].layer: 2 is outside 0 to 1");
  EXPECT_EQ(refusal_of(trainer->ablate_heads(std::vector<HeadIndex>{{0, 0}, {1, -1}})),
            "heads[1].head: -1 is outside 0 to 1");
}

double frobenius_norm(const std::vector<double>& m) {
  double sum = 0;
  for (const double x : m) sum += x * x;
  return std::sqrt(sum);
}

// For each residual channel, RoPE rotates the query pair (2 i, 2 i + 1) by distance *
// base^(-2 i / d).
TEST(KComposition, IsTheRelativeNormOfTheProductOfQkAndOv) {
  constexpr double kBase = 10000, kDistance = 3;
  for (const bool rotates : {true, false}) {
    const auto trainer = train_model(rotates ? "rope" : "none");
    const OrderedMap<Tensor> weights = trainer->weights();
    const auto element = [&](const std::string& name, int row, int column) {
      const Tensor& t = weights.at(name);
      const std::size_t cell =
          static_cast<std::size_t>(t.rank() == 1 ? column : row * t.shape[1] + column);
      return static_cast<double>(t.data[cell]);
    };
    const auto read = [&](const std::string& layer, int row, int column) {
      return element(layer + ".attention.in_proj_weight", row, column) *
             element(layer + ".norm1.weight", 0, column);
    };
    const Tensor actual = value_of(trainer->k_composition(0, 1, kDistance));
    ASSERT_EQ(actual.shape, (std::vector<int>{kHeads, kHeads}));
    for (int source_head = 0; source_head < kHeads; ++source_head) {
      for (int target_head = 0; target_head < kHeads; ++target_head) {
        std::vector<double> qk(kEmbedDim * kEmbedDim), ov(qk.size()), both(qk.size());
        for (int i = 0; i < kEmbedDim; ++i) {
          for (int j = 0; j < kEmbedDim; ++j) {
            const auto cell = static_cast<std::size_t>(i * kEmbedDim + j);
            for (int c = 0; c < kHeadDim; ++c) {
              const int row = target_head * kHeadDim + c, pair = c / 2;
              const double angle =
                  rotates ? kDistance * std::pow(kBase, -2.0 * pair / kHeadDim) : 0;
              const double sign = c % 2 == 0 ? -1 : 1;
              const double q =
                  std::cos(angle) * read("layers.1", row, i) +
                  sign * std::sin(angle) * read("layers.1", c % 2 ? row - 1 : row + 1, i);
              qk[cell] += q * read("layers.1", kEmbedDim + row, j);
              ov[cell] +=
                  element("layers.0.attention.out_proj.weight", i, source_head * kHeadDim + c) *
                  read("layers.0", 2 * kEmbedDim + source_head * kHeadDim + c, j);
            }
          }
        }
        for (int i = 0; i < kEmbedDim; ++i)
          for (int k = 0; k < kEmbedDim; ++k)
            for (int j = 0; j < kEmbedDim; ++j)
              both[static_cast<std::size_t>(i * kEmbedDim + j)] +=
                  qk[static_cast<std::size_t>(i * kEmbedDim + k)] *
                  ov[static_cast<std::size_t>(k * kEmbedDim + j)];
        EXPECT_NEAR(actual.data[static_cast<std::size_t>(source_head * kHeads + target_head)],
                    frobenius_norm(both) / frobenius_norm(qk) / frobenius_norm(ov), 1e-5);
      }
    }
  }
}

TEST(KComposition, RejectsInvalidLayersAndNonlinearModels) {
  const auto trainer = train_model("rope");
  EXPECT_EQ(refusal_of(trainer->k_composition(1, 1).status()),
            "toLayer: 1 is not after fromLayer, 1");
  EXPECT_EQ(refusal_of(trainer->k_composition(0, 2).status()), "toLayer: 2 is outside 0 to 1");
  EXPECT_NE(
      refusal_of(trainer->k_composition(0, 1, std::numeric_limits<double>::quiet_NaN()).status()),
      "not refused");
  EXPECT_EQ(refusal_of(train_model("pope")->k_composition(0, 1).status()),
            "fromLayer: pope does not transform queries and keys linearly");
  EXPECT_EQ(refusal_of(train_model("rope", {{"qk_norm", true}})->k_composition(0, 1).status()),
            "fromLayer: query and key norms are not linear");
}

}  // namespace
}  // namespace phasor
