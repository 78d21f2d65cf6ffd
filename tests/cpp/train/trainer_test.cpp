#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "phasor/registry.h"
#include "train/small_specs.h"

namespace phasor {
namespace {

using test::expect_same;
using test::refusal_of;
using test::small_trainer;
using test::value_of;

TEST(Trainer, LearnsToCopy) {
  const auto trainer = small_trainer(
      {.id = "rope"},
      {{"embed_dim", 16.0}, {"sequence_length", 8.0}, {"batch_size", 16.0}, {"steps", 250.0}});
  const Evaluation before = value_of(trainer->evaluate({.num_samples = 50}));
  EXPECT_LT(before.lengths[0].score, 0.2);
  value_of(trainer->step(250));
  const Evaluation after = value_of(trainer->evaluate({.num_samples = 50}));
  EXPECT_GT(after.lengths[0].score, 0.9);
  EXPECT_LT(after.lengths[0].loss, before.lengths[0].loss / 3);
  EXPECT_DOUBLE_EQ(after.chance, 1.0 / 16);
  EXPECT_TRUE(std::isnan(after.lengths[0].accuracy_at[0]));
}

TEST(Trainer, EvaluationDoesNotAffectTraining) {
  const auto evaluated_trainer = small_trainer({.id = "rope"}),
             other_trainer = small_trainer({.id = "rope"});
  for (int n = 0; n < 3; ++n) {
    value_of(evaluated_trainer->step());
    value_of(evaluated_trainer->evaluate({.lengths = {5, 20}, .num_samples = 7}));
    value_of(evaluated_trainer->attention_weights(std::vector<int>{1, 2, 3}));
    value_of(other_trainer->step());
  }
  expect_same(evaluated_trainer->weights(), other_trainer->weights());
}

TEST(Trainer, InitializesSharedWeightsAlikeForEveryEncoding) {
  const OrderedMap<Tensor> default_weights = small_trainer({})->weights();
  for (const EncodingInfo* type : encodings()) {
    if (type->axes > 1 || type->id == "rope_selective") continue;
    const EncodingConfig encoding{.id = std::string(type->id)};
    const Result<TrainConfig> spec = make_train_config("copy", {{"embed_dim", 16.0}}, encoding);
    ASSERT_TRUE(spec.ok());
    const Result<std::unique_ptr<Trainer>> created = Trainer::create(*spec);
    if (!created.ok()) {
      // nerf is too wide to be added, and dape needs the scores of all heads together.
      EXPECT_TRUE(encoding.id == "nerf" || encoding.id == "dape") << created.status().message();
      continue;
    }
    const auto trainer =
        small_trainer(encoding, {{"embed_dim", 16.0}, {"sinks", true}, {"qk_norm", true}});
    const OrderedMap<Tensor> expected = small_trainer({}, {{"embed_dim", 16.0}})->weights();
    for (const auto& [name, tensor] : expected)
      EXPECT_EQ(tensor.data, trainer->weights().at(name).data) << encoding.id << " " << name;
  }
}

// Sinks start at 0 and norms at 1; projections differ from layer to layer.
TEST(Trainer, InitializesTheParametersOfAttention) {
  const auto weight_at = [](const Trainer& trainer, const char* name) {
    return trainer.weights().at(name);
  };
  const auto options = small_trainer({.id = "rope"}, {{"sinks", true}, {"qk_norm", true}});
  EXPECT_EQ(weight_at(*options, "layers.1.attention.sinks").data, (std::vector<float>{0, 0}));
  EXPECT_EQ(weight_at(*options, "layers.1.attention.q_norm.weight").data,
            (std::vector<float>(4, 1)));
  EXPECT_EQ(weight_at(*options, "layers.0.attention.k_norm.weight").data,
            (std::vector<float>(4, 1)));
  const auto gates = small_trainer({.id = "forgetting", .params = {{"init_bias", 2.0}}});
  EXPECT_EQ(weight_at(*gates, "layers.1.attention.gate_bias").data, (std::vector<float>{2, 2}));
  EXPECT_EQ(weight_at(*gates, "layers.0.attention.gate_weight").shape, (std::vector<int>{2, 8}));
  EXPECT_NE(weight_at(*gates, "layers.0.attention.gate_weight").data,
            weight_at(*gates, "layers.1.attention.gate_weight").data);
  const auto path = small_trainer({.id = "path"}),
             other = small_trainer({.id = "path"}, {{"seed", 7.0}});
  EXPECT_EQ(weight_at(*path, "layers.0.attention.w_up").shape, (std::vector<int>{8, 32}));
  EXPECT_NE(weight_at(*path, "layers.0.attention.w_conv").data,
            weight_at(*path, "layers.1.attention.w_conv").data);
  EXPECT_NE(weight_at(*path, "layers.0.attention.w_conv").data,
            weight_at(*other, "layers.0.attention.w_conv").data);
  const Tensor provided = Tensor({2, 8}, std::vector<float>(16, 0.25f));
  const auto same_trainer =
      small_trainer({.id = "forgetting", .params = {{"gate_weight", provided}}});
  EXPECT_EQ(weight_at(*same_trainer, "layers.1.attention.gate_weight").data, provided.data);
}

// Sinks take a share of every row, and closed gates leave only the query's own token.
TEST(Trainer, AttentionWeightsIncludeSinksAndGates) {
  const auto rows = [](Trainer& trainer) {
    const Tensor maps = value_of(trainer.attention_weights(std::vector<int>{3, 1, 4, 1, 5}));
    std::vector<float> sums;
    for (std::size_t row = 0; row < maps.data.size() / 5; ++row)
      sums.push_back(std::accumulate(maps.data.begin() + 5 * static_cast<std::ptrdiff_t>(row),
                                     maps.data.begin() + 5 * static_cast<std::ptrdiff_t>(row + 1),
                                     0.0f));
    return sums;
  };
  const auto sinks = small_trainer({.id = "rope"}, {{"sinks", true}});
  for (const float sum : rows(*sinks)) {
    EXPECT_GT(sum, 0.1f);
    EXPECT_LT(sum, 0.99f);
  }
  const auto closed_gates = small_trainer({.id = "forgetting", .params = {{"init_bias", -20.0}}});
  const Tensor maps = value_of(closed_gates->attention_weights(std::vector<int>{3, 1, 4, 1, 5}));
  for (std::size_t row = 0; row < maps.data.size() / 5; ++row)
    EXPECT_GT(maps.data[5 * row + row % 5], 0.999f);
}

TEST(Trainer, KeepsTheLastWeightsIfItDiverges) {
  const auto trainer = small_trainer({.id = "rope"}, {{"optimizer", std::string("sgd")},
                                                      {"lr", 1000.0},
                                                      {"max_grad_norm", 0.0},
                                                      {"warmup_steps", 0.0}});
  OrderedMap<Tensor> last = trainer->weights();
  Status status;
  for (int n = 0; n < 200 && status.ok(); ++n) {
    last = trainer->weights();
    status = trainer->step().status();
  }
  ASSERT_FALSE(status.ok());
  EXPECT_NE(
      status.message().find("step: " + std::to_string(trainer->global_step() + 1) + " has a "),
      std::string::npos)
      << status.message();
  EXPECT_NE(status.message().find("the weights of step " + std::to_string(trainer->global_step()) +
                                  " are kept"),
            std::string::npos);
  expect_same(trainer->weights(), last);
}

TEST(Trainer, RejectsTextsLongerThanTheTable) {
  const auto trainer = small_trainer({.id = "learned"});
  EXPECT_EQ(refusal_of(trainer->evaluate({.lengths = {8}}).status()),
            "lengths: 8 tokens exceed the table of learned, whose last row is 6; clamp "
            "positions to the last row, or use a table with more rows");
  EXPECT_TRUE(
      trainer->evaluate({.lengths = {8}, .num_samples = 3, .out_of_range = OutOfRange::clamp})
          .ok());
  const std::vector<int> token_ids(8, 1);
  const char* expected_message =
      "tokens: 8 tokens exceed the table of learned, whose last row is 6; use a table with "
      "more rows";
  EXPECT_EQ(refusal_of(trainer->logits(token_ids).status()), expected_message);
  EXPECT_EQ(refusal_of(trainer->attention_weights(token_ids).status()), expected_message);
  const auto new_trainer = small_trainer({.id = "learned", .params = {{"max_length", 12.0}}});
  EXPECT_TRUE(new_trainer->evaluate({.lengths = {12}, .num_samples = 3}).ok());
  EXPECT_FALSE(new_trainer->evaluate({.lengths = {13}, .num_samples = 3}).ok());
  const auto random = small_trainer({.id = "learned"}, {{"randomized_positions", 10.0}});
  EXPECT_TRUE(random->evaluate({.lengths = {10}, .num_samples = 3}).ok());
  EXPECT_EQ(refusal_of(random->evaluate({.lengths = {11}}).status()),
            "lengths: 11 tokens exceed randomized_positions, 10");
}

TEST(Trainer, ReturnsCausalAttentionWeightsOfAllHeads) {
  const auto trainer = small_trainer({.id = "rope"});
  const Tensor maps = value_of(trainer->attention_weights(std::vector<int>{3, 1, 4, 1, 5}));
  ASSERT_EQ(maps.shape, (std::vector<int>{2, 2, 5, 5}));
  for (std::size_t row = 0; row < maps.data.size() / 5; ++row) {
    float sum = 0;
    for (std::size_t key = 0; key < 5; ++key) {
      const float weight = maps.data[5 * row + key];
      if (key > row % 5) {
        EXPECT_EQ(weight, 0);
      }
      sum += weight;
    }
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

// The claim of the task "order": without an encoding, an encoder has the same output for a permuted
// text; with symmetric ALiBi, for the reversed text.
TEST(Trainer, EncoderWithoutPositionsIgnoresTheOrder) {
  const auto logits = [](const char* id, const std::vector<int>& tokens) {
    const TrainConfig spec =
        value_of(make_train_config("order", {{"embed_dim", 16.0}}, {.id = id}));
    return value_of(value_of(Trainer::create(spec))->logits(tokens));
  };
  const std::vector<int> text = {0, 5, 1, 7, 9, 3}, mirrored = {3, 9, 7, 1, 5, 0},
                         permuted = {1, 7, 0, 3, 5, 9};
  const auto largest_difference = [](const Tensor& a, const Tensor& b) {
    return std::fabs(a.data[0] - b.data[0]) + std::fabs(a.data[1] - b.data[1]);
  };
  EXPECT_LT(largest_difference(logits("none", text), logits("none", permuted)), 2e-6f);
  EXPECT_LT(largest_difference(logits("alibi", text), logits("alibi", mirrored)), 2e-6f);
  EXPECT_GT(largest_difference(logits("alibi", text), logits("alibi", permuted)), 1e-4f);
  EXPECT_GT(largest_difference(logits("rope", text), logits("rope", mirrored)), 1e-4f);
}

}  // namespace
}  // namespace phasor
