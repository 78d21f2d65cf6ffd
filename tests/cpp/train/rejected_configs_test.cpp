// Trainer configurations that are rejected before the first step, each with one error.

#include <gtest/gtest.h>

#include "core/buffer.h"
#include "train/small_specs.h"

namespace phasor {
namespace {

using test::refusal_of;
using test::small_spec;
using test::small_trainer;
using test::value_of;

TEST(Trainer, ReportsInsufficientMemory) {
  TrainConfig spec =
      small_spec({.id = "rope"}, {{"batch_size", 65536.0}, {"sequence_length", 4096.0}});
  const Result<std::unique_ptr<Trainer>> created = Trainer::create(spec);
  ASSERT_FALSE(created.ok());
  EXPECT_EQ(created.status().code(), StatusCode::resource_exhausted);
  EXPECT_NE(
      created.status().message().find("batch_size: a step of 65536 items of 4096 tokens needs "),
      std::string::npos)
      << created.status().message();
  EXPECT_EQ(refusal_of(Trainer::create(small_spec({.id = "rope"}, {{"batch_size", 65536},
                                                                   {"sequence_length", 65536}}))
                           .status()),
            "batch_size: 65536 items of 65536 tokens have 4294967296 tokens in total; expected at "
            "most 2147483647");
  EXPECT_NE(created.status().message().find(" bytes, more than is available"), std::string::npos);
  EXPECT_EQ(created.status().argument(), "batch_size");
  const MemoryLimit limit(10000);
  EXPECT_EQ(Trainer::create(small_spec({})).status().code(), StatusCode::resource_exhausted);
}

TEST(Trainer, RejectsMismatchedArguments) {
  const auto rejection_message = [](const TrainConfig& spec) {
    return refusal_of(Trainer::create(spec).status());
  };
  EXPECT_EQ(rejection_message(small_spec({}, {{"heads", 3.0}})),
            "heads: 3 does not divide embed_dim; expected a divisor of 8");
  EXPECT_EQ(rejection_message(small_spec({}, {{"min_sequence_length", 9.0}})),
            "min_sequence_length: 9 exceeds sequence_length 7");
  EXPECT_EQ(rejection_message(small_spec({}, {{"randomized_positions", 3.0}})),
            "randomized_positions: 3 is less than the number of tokens per item, 7");
  EXPECT_EQ(rejection_message(small_spec({}, {{"sequence_length", 3.0}})),
            "sequence_length: 3 tokens are too few for a delay of 3 tokens");
  EXPECT_EQ(rejection_message(small_spec({.id = "rope_2d"})),
            "encoding: rope_2d needs 2 coordinates per position, but the tokens of copy have one");
  EXPECT_EQ(
      rejection_message(small_spec({.id = "rope_selective"})),
      "encoding: rope_selective needs steps per token, which this transformer does not compute");
  for (const char* id : {"forgetting", "path"}) {
    EXPECT_EQ(
        rejection_message(small_spec({.id = id}, {{"causal", false}})),
        std::string("causal: expected true; ") + id + " is defined only for causal attention");
  }
  EXPECT_EQ(
      rejection_message(small_spec(
          {.id = "forgetting", .params = {{"gate_weight", Tensor({2, 3}, {1, 2, 3, 4, 5, 6})}}})),
      "gate_weight: has shape 2 x 3; expected 2 x 8 (heads x embed_dim)");
  EXPECT_EQ(rejection_message(small_spec({.id = "dape"})),
            "encoding: dape needs the scores of all heads together, but training computes one head "
            "at a time");
  EXPECT_EQ(
      rejection_message(small_spec({.id = "rope", .params = {{"remap", std::string("rerope")}}})),
      "remap: is not supported in training; rope can be remapped for longer texts afterwards");
  EXPECT_NE(rejection_message(small_spec({.id = "nothing"})).find("\"nothing\" is unknown"),
            std::string::npos);
  TrainConfig manual_spec = small_spec({});
  manual_spec.lr = -1;
  EXPECT_EQ(rejection_message(manual_spec), "lr: -1 is outside 0 to 1000");
  manual_spec = small_spec({});
  manual_spec.task = "nothing";
  EXPECT_NE(rejection_message(manual_spec)
                .find("task: \"nothing\" is unknown; expected one of copy, counting"),
            std::string::npos);
  manual_spec = small_spec({});
  manual_spec.corpus = "To be or not to be";
  EXPECT_EQ(rejection_message(manual_spec), "corpus: task copy does not use a corpus");
  manual_spec = small_spec({});
  manual_spec.image = Tensor({2, 2, 1});
  EXPECT_EQ(rejection_message(manual_spec), "image: task copy does not use an image");
  const auto trainer = small_trainer({});
  EXPECT_EQ(refusal_of(trainer->logits(std::vector<int>{3, 16}).status()),
            "tokens[1]: 16 is outside 0 to 15");
  EXPECT_EQ(refusal_of(trainer->step(0).status()), "count: 0 is outside 1 to 100000000");
}

// The trainer is rejected at creation, since a step does not know the source of a position.
TEST(Trainer, RejectsATableShorterThanTheTrainingTexts) {
  const auto rejection_message = [](double rows, Params extra_params = {}) {
    const EncodingConfig learned{.id = "learned", .params = {{"max_length", rows}}};
    return refusal_of(Trainer::create(small_spec(learned, std::move(extra_params))).status());
  };
  EXPECT_EQ(rejection_message(7), "not refused");
  EXPECT_EQ(rejection_message(6),
            "encoding: the last table row of learned is 5, but training uses positions up "
            "to 6; expected more rows");
  EXPECT_NE(rejection_message(9, {{"position_offset", 3.0}}).find("up to 9"), std::string::npos);
  EXPECT_EQ(rejection_message(10, {{"position_offset", 3.0}}), "not refused");
  EXPECT_NE(rejection_message(19, {{"randomized_positions", 20.0}}).find("up to 19"),
            std::string::npos);
  EXPECT_EQ(rejection_message(20, {{"randomized_positions", 20.0}}), "not refused");
  // The default number of rows includes position_offset.
  EXPECT_TRUE(small_trainer({.id = "learned"}, {{"position_offset", 3.0}})->step().ok());
}

TEST(TrainConfigFields, AreCheckedByName) {
  const auto rejection_message = [](const Params& fields) {
    return refusal_of(make_train_config("copy", fields).status());
  };
  EXPECT_NE(rejection_message({{"learning_rate", 1.0}})
                .find("learning_rate: is not a field of the config; expected one of seed, layers"),
            std::string::npos);
  EXPECT_EQ(rejection_message({{"layers", 1.5}}), "layers: 1.5 is not a whole number");
  EXPECT_EQ(rejection_message({{"layers", 0.0}}), "layers: 0 is outside 1 to 64");
  EXPECT_EQ(rejection_message({{"causal", 1.0}}), "causal: 1 is not true or false");
  EXPECT_EQ(rejection_message({{"sinks", 0.0}}), "sinks: 0 is not true or false");
  EXPECT_EQ(rejection_message({{"qk_norm", std::string("rms")}}),
            "qk_norm: \"rms\" is not true or false");
  EXPECT_EQ(rejection_message({{"norm", std::string("batch")}}),
            "norm: \"batch\" is not one of layer_norm, rms_norm");
  EXPECT_EQ(rejection_message({{"lr", std::string("high")}}), "lr: \"high\" is not a number");
  const TrainConfig spec = value_of(make_train_config("copy", {{"lr", 0.5}, {"causal", false}}));
  EXPECT_EQ(spec.lr, 0.5);
  EXPECT_FALSE(spec.causal);
  EXPECT_EQ(spec.sequence_length, 32);
  EXPECT_EQ(make_train_config("copy", {{"lr", 0.1}, {"seed", 1}, {"lr", 0.2}}).status().message(),
            "lr: occurs twice; expected one value");
}

// Parameters of the encoding default to fields of the config, unless the caller sets them.
TEST(TrainConfigFields, ProvideDefaultsOfTheEncoding) {
  const auto number = [](const TrainConfig& spec, const char* name) {
    return std::get<double>(spec.encoding.params.at(name));
  };
  const TrainConfig t5 =
      value_of(make_train_config("copy", {{"sequence_length", 40.0}}, {.id = "t5"}));
  EXPECT_EQ(number(t5, "max_distance"), 40);
  EXPECT_FALSE(std::get<bool>(t5.encoding.params.at("bidirectional")));
  const TrainConfig provided =
      value_of(make_train_config("copy", {}, {.id = "t5", .params = {{"max_distance", 17.0}}}));
  EXPECT_EQ(number(provided, "max_distance"), 17);
  EXPECT_EQ(number(value_of(make_train_config("copy", {}, {.id = "learned"})), "max_length"), 32);
}

}  // namespace
}  // namespace phasor
