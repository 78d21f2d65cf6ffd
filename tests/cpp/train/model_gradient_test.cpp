// Finite differences of whole models: for every learned encoding and each norm, activation and
// kind of head, the slope of the loss along the gradient of each weight is the gradient's norm.

#include <gtest/gtest.h>

#include <cmath>

#include "optim/optimizer.h"
#include "phasor/registry.h"
#include "task_base/task.h"
#include "train/small_specs.h"
#include "train/trainable.h"

namespace phasor {
namespace {

using test::small_spec;
using test::value_of;

std::unique_ptr<TrainableModel> learner_of(const TrainConfig& spec) {
  return value_of(make_transformer(spec, value_of(find_task(spec.task)->create(spec))));
}

double loss_of(TrainableModel& learner) {
  EXPECT_TRUE(learner.on_values_changed().ok());
  std::fill(learner.arena.grads.begin(), learner.arena.grads.end(), 0.0f);
  return value_of(learner.compute_gradients(0));
}

// Returns the number of weights with a measurable slope. A shorter step crosses the kinks of a
// ReLU (in FIRE) less often.
int expect_slopes(const TrainConfig& spec, const std::string& what, double step = 0.01) {
  const std::unique_ptr<TrainableModel> learner = learner_of(spec);
  loss_of(*learner);
  Arena& arena = learner->arena;
  const std::vector<float> values = arena.values, grads = arena.grads;
  int measured = 0;
  for (const Arena::Entry& e : arena.entries()) {
    const auto grad = std::span(grads.data() + e.offset, e.size);
    const double size = euclidean_norm(grad);
    EXPECT_GT(size, 0) << what << " " << e.name << " has no influence";
    const auto at = [&](double way) {
      for (std::size_t i = 0; i < e.size; ++i) {
        arena.values[e.offset + i] =
            values[e.offset + i] + static_cast<float>(way / size * static_cast<double>(grad[i]));
      }
      const double loss = loss_of(*learner);
      arena.values = values;
      return loss;
    };
    const double slope = (at(step) - at(-step)) / (2 * step);
    EXPECT_NEAR(slope, size, 0.02 * size + 5e-5) << what << " " << e.name;
    measured += size > 1e-3 ? 1 : 0;
  }
  return measured;
}

TEST(ModelGradient, MatchesFiniteDifferencesForLearnedEncodings) {
  int learned = 0;
  for (const EncodingInfo* type : encodings()) {
    if (!type->learned || type->axes > 1 || type->id == "dape") continue;  // dape is rejected
    // Parameters far enough from 0 to have an influence, and from the kinks of counts.
    EncodingConfig encoding{.id = std::string(type->id)};
    for (const ParamInfo& param : type->params) {
      if (param.name == "init_std") encoding.params.add("init_std", 0.3);
    }
    const double step = type->id == "fire" ? 0.002 : 0.01;
    EXPECT_GT(expect_slopes(small_spec(encoding), encoding.id, step), 20) << encoding.id;
    ++learned;
  }
  EXPECT_GE(learned, 9);
}

TEST(ModelGradient, MatchesFiniteDifferencesForRotationsAndTables) {
  expect_slopes(small_spec({.id = "rope"}), "rope");
  expect_slopes(small_spec({.id = "xpos"}), "xpos");
  expect_slopes(small_spec({.id = "sinusoidal", .params = {{"scaled", true}}}), "scaled");
  expect_slopes(small_spec({.id = "rope"}, {{"randomized_positions", 20.0}}), "random positions");
}

TEST(ModelGradient, MatchesFiniteDifferencesForSinksAndQkNorm) {
  const Params sinks = {{"sinks", true}}, norms = {{"qk_norm", true}},
               both = {{"sinks", true}, {"qk_norm", true}, {"causal", false}};
  for (const char* id : {"none", "rope", "t5", "cope", "xpos"}) {
    const std::string name = id;
    EXPECT_GT(expect_slopes(small_spec({.id = id}, sinks), name + " sinks"), 18);
    EXPECT_GT(expect_slopes(small_spec({.id = id}, norms), name + " qk_norm"), 18);
    expect_slopes(small_spec({.id = id}, both), name + " sinks and qk_norm");
  }
}

// Each layer computes gates and reflections from its input.
TEST(ModelGradient, MatchesFiniteDifferencesForTokenTensors) {
  const Params both = {{"sinks", true}, {"qk_norm", true}},
               rotated = {{"rotation", std::string("rope")}}, low = {{"rank", 3.0}};
  for (const EncodingConfig& encoding : {EncodingConfig{.id = "forgetting"},
                                         {.id = "forgetting", .params = rotated},
                                         {.id = "path"},
                                         {.id = "path", .params = low}}) {
    EXPECT_GT(expect_slopes(small_spec(encoding), encoding.id), 20);
    expect_slopes(small_spec(encoding, both), encoding.id + " sinks and qk_norm");
    // More tokens than a chunk, which has 64.
    expect_slopes(small_spec(encoding, {{"sequence_length", 70.0}, {"batch_size", 2.0}}),
                  encoding.id + " long");
  }
}

TEST(ModelGradient, MatchesFiniteDifferencesForNormsActivationsAndHeads) {
  expect_slopes(small_spec({.id = "rope"}, {{"norm", std::string("rms_norm")}}), "rms_norm");
  for (const char* activation : {"gelu_tanh", "swiglu"})
    expect_slopes(small_spec({.id = "rope"}, {{"activation", std::string(activation)}}),
                  activation);
  expect_slopes(small_spec({.id = "rope"}, {{"tie_word_embeddings", true}}), "tie_word_embeddings");
  expect_slopes(small_spec({.id = "rope"}, {{"label_smoothing", 0.1}}), "label_smoothing");
  expect_slopes(small_spec({.id = "learned"}, {{"causal", false}}), "bidirectional");
  const TrainConfig pooled = value_of(make_train_config(
      "order", {{"embed_dim", 8.0}, {"heads", 2.0}, {"sequence_length", 6.0}, {"batch_size", 4.0}},
      {.id = "rope"}));
  expect_slopes(pooled, "pooled");
  const TrainConfig grid = value_of(
      make_train_config("geometry_2d", {{"embed_dim", 8.0}, {"heads", 2.0}, {"batch_size", 2.0}},
                        {.id = "rope_mixed"}));
  expect_slopes(grid, "rope_mixed in a grid");
}

}  // namespace
}  // namespace phasor
