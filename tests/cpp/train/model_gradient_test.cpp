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

std::unique_ptr<TrainableModel> create_model(const TrainConfig& spec) {
  return value_of(make_transformer(spec, value_of(find_task(spec.task)->create(spec))));
}

double compute_loss(TrainableModel& model) {
  EXPECT_TRUE(model.on_values_changed().ok());
  std::fill(model.arena.grads.begin(), model.arena.grads.end(), 0.0f);
  return value_of(model.compute_gradients(0));
}

// Returns the number of weights with a measurable slope. A shorter step crosses the kinks of a
// ReLU (in FIRE) less often.
int expect_gradients(const TrainConfig& spec, const std::string& label, double step = 0.01) {
  const std::unique_ptr<TrainableModel> model = create_model(spec);
  compute_loss(*model);
  Arena& arena = model->arena;
  const std::vector<float> values = arena.values, grads = arena.grads;
  int compared = 0;
  for (const Arena::Entry& e : arena.entries()) {
    const auto grad = std::span(grads.data() + e.offset, e.size);
    const double size = euclidean_norm(grad);
    EXPECT_GT(size, 0) << label << " " << e.name << " has no influence";
    const auto shifted_loss = [&](double offset) {
      for (std::size_t i = 0; i < e.size; ++i) {
        arena.values[e.offset + i] =
            values[e.offset + i] + static_cast<float>(offset / size * static_cast<double>(grad[i]));
      }
      const double loss = compute_loss(*model);
      arena.values = values;
      return loss;
    };
    const double finite_difference = (shifted_loss(step) - shifted_loss(-step)) / (2 * step);
    EXPECT_NEAR(finite_difference, size, 0.02 * size + 5e-5) << label << " " << e.name;
    compared += size > 1e-3 ? 1 : 0;
  }
  return compared;
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
    EXPECT_GT(expect_gradients(small_spec(encoding), encoding.id, step), 20) << encoding.id;
    ++learned;
  }
  EXPECT_GE(learned, 9);
}

TEST(ModelGradient, MatchesFiniteDifferencesForRotationsAndTables) {
  expect_gradients(small_spec({.id = "rope"}), "rope");
  expect_gradients(small_spec({.id = "xpos"}), "xpos");
  expect_gradients(small_spec({.id = "sinusoidal", .params = {{"scaled", true}}}), "scaled");
  expect_gradients(small_spec({.id = "rope"}, {{"randomized_positions", 20.0}}),
                   "random positions");
}

TEST(ModelGradient, MatchesFiniteDifferencesForSinksAndQkNorm) {
  const Params sinks = {{"sinks", true}}, norms = {{"qk_norm", true}},
               both = {{"sinks", true}, {"qk_norm", true}, {"causal", false}};
  for (const char* id : {"none", "rope", "t5", "cope", "xpos"}) {
    const std::string name = id;
    EXPECT_GT(expect_gradients(small_spec({.id = id}, sinks), name + " sinks"), 18);
    EXPECT_GT(expect_gradients(small_spec({.id = id}, norms), name + " qk_norm"), 18);
    expect_gradients(small_spec({.id = id}, both), name + " sinks and qk_norm");
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
    EXPECT_GT(expect_gradients(small_spec(encoding), encoding.id), 20);
    expect_gradients(small_spec(encoding, both), encoding.id + " sinks and qk_norm");
    // More tokens than a chunk, which has 64.
    expect_gradients(small_spec(encoding, {{"sequence_length", 70.0}, {"batch_size", 2.0}}),
                     encoding.id + " long");
  }
}

TEST(ModelGradient, MatchesFiniteDifferencesForNormsActivationsAndHeads) {
  expect_gradients(small_spec({.id = "rope"}, {{"norm", std::string("rms_norm")}}), "rms_norm");
  for (const char* activation : {"gelu_tanh", "swiglu"})
    expect_gradients(small_spec({.id = "rope"}, {{"activation", std::string(activation)}}),
                     activation);
  expect_gradients(small_spec({.id = "rope"}, {{"tie_word_embeddings", true}}),
                   "tie_word_embeddings");
  expect_gradients(small_spec({.id = "rope"}, {{"label_smoothing", 0.1}}), "label_smoothing");
  expect_gradients(small_spec({.id = "learned"}, {{"causal", false}}), "bidirectional");
  const TrainConfig pooled = value_of(make_train_config(
      "order", {{"embed_dim", 8.0}, {"heads", 2.0}, {"sequence_length", 6.0}, {"batch_size", 4.0}},
      {.id = "rope"}));
  expect_gradients(pooled, "pooled");
  const TrainConfig grid = value_of(
      make_train_config("geometry_2d", {{"embed_dim", 8.0}, {"heads", 2.0}, {"batch_size", 2.0}},
                        {.id = "rope_mixed"}));
  expect_gradients(grid, "rope_mixed in a grid");
}

}  // namespace
}  // namespace phasor
