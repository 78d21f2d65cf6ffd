#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "phasor/safetensors.h"
#include "train/small_specs.h"

namespace phasor {
namespace {

using test::expect_same;
using test::refusal_of;
using test::small_trainer;
using test::value_of;

// Training that is restored from a checkpoint, in the same or a new trainer, continues with the
// same bits.
void expect_resumes(const EncodingConfig& encoding, const Params& fields) {
  const auto uninterrupted = small_trainer(encoding, fields);
  const auto first = small_trainer(encoding, fields);
  value_of(uninterrupted->step(9));
  value_of(first->step(4));
  const auto bytes = value_of(first->save_checkpoint());
  value_of(first->step(3));  // later steps are discarded
  const auto second = small_trainer(encoding, fields);
  for (Trainer* each : {first.get(), second.get()}) {
    ASSERT_TRUE(each->load_checkpoint(bytes).ok());
    EXPECT_EQ(each->global_step(), 4);
    const double loss = value_of(each->step(5)).loss;
    EXPECT_GT(loss, 0);
    expect_same(each->weights(), uninterrupted->weights());
  }
  EXPECT_EQ(value_of(second->evaluate()).lengths[0].loss,
            value_of(uninterrupted->evaluate()).lengths[0].loss);
}

TEST(Checkpoint, ResumesWithIdenticalWeights) {
  for (const char* id : {"learned", "t5", "rope", "forgetting", "path"})
    expect_resumes({.id = id}, {{"min_sequence_length", 5.0}});
  expect_resumes({.id = "rope"}, {{"sinks", true}, {"qk_norm", true}});
  expect_resumes({.id = "path"}, {{"sinks", true}, {"qk_norm", true}});
}

TEST(Checkpoint, LoadsWeightsAndRejectsMismatches) {
  const auto source = small_trainer({.id = "t5"}),
             target = small_trainer({.id = "t5"}, {{"seed", 5.0}});
  value_of(source->step(3));
  ASSERT_TRUE(target->load_weights(source->weights()).ok());
  const std::vector<int> tokens = {1, 2, 3, 4, 5};
  EXPECT_EQ(value_of(target->logits(tokens)).data, value_of(source->logits(tokens)).data);

  OrderedMap<Tensor> wrong_weights = source->weights();
  wrong_weights.at("head.bias") = Tensor({3});
  EXPECT_EQ(refusal_of(target->load_weights(wrong_weights)),
            "weights: head.bias has shape 3; expected 16");
  wrong_weights = source->weights();
  wrong_weights.add("other", Tensor({1}));
  EXPECT_EQ(refusal_of(target->load_weights(wrong_weights)),
            "weights: other is not a weight of this model");
  EXPECT_EQ(refusal_of(target->load_weights({})), "weights: embedding.weight is missing");
  wrong_weights = source->weights();
  wrong_weights.at("head.bias").data[2] = NAN;
  EXPECT_FALSE(target->load_weights(wrong_weights).ok());
  wrong_weights = source->weights();
  wrong_weights.add("head.bias", wrong_weights.at("head.bias"));
  EXPECT_EQ(refusal_of(target->load_weights(wrong_weights)), "weights: head.bias occurs twice");
  expect_same(target->weights(), source->weights());
}

TEST(Checkpoint, RejectsCheckpointsOfOtherRuns) {
  const auto trainer = small_trainer({.id = "rope"});
  const auto bytes = value_of(trainer->save_checkpoint());
  EXPECT_EQ(refusal_of(small_trainer({.id = "rope"}, {{"lr", 0.5}})->load_checkpoint(bytes)),
            "checkpoint: belongs to another training run: \"lr 0.01\" in the checkpoint, \"lr "
            "0.5\" in this trainer");
  EXPECT_NE(
      refusal_of(small_trainer({.id = "alibi"})->load_checkpoint(bytes)).find("encoding rope"),
      std::string::npos);
  const auto weights = value_of(write_safetensors({.tensors = trainer->weights()}, DType::f32));
  EXPECT_EQ(refusal_of(trainer->load_checkpoint(weights)),
            "checkpoint: has only weights; expected a trainer checkpoint");
  EXPECT_FALSE(
      trainer->load_checkpoint(std::vector<std::uint8_t>(bytes.begin(), bytes.end() - 1)).ok());
}

// A config without its last newline once caused an endless loop.
TEST(Checkpoint, RejectsATruncatedConfig) {
  const auto trainer = small_trainer({.id = "rope"});
  SafetensorsFile file = value_of(read_safetensors(value_of(trainer->save_checkpoint())));
  std::string& spec = file.metadata.at("spec");
  spec.pop_back();
  EXPECT_EQ(refusal_of(trainer->load_checkpoint(value_of(write_safetensors(file, DType::f32)))),
            "checkpoint: belongs to another training run: the number of fields differs");
}

// Version 0.1 had other names for some fields.
TEST(Checkpoint, ResumesFromOldFieldNames) {
  const EncodingConfig rope{.id = "rope", .params = {{"rotary_dim", 2.0}}};
  const auto source = small_trainer(rope), target = small_trainer(rope);
  value_of(source->step(2));
  SafetensorsFile file = value_of(read_safetensors(value_of(source->save_checkpoint())));
  std::string& spec = file.metadata.at("spec");
  for (const auto& [current_text, previous_text] :
       std::initializer_list<std::pair<std::string, std::string>>{
           {"embed_dim", "width"},
           {"dim_feedforward", "feed_forward"},
           {"tie_word_embeddings", "tied_head"},
           {"table_init_std", "input_std"},
           {"batch_size", "batch"},
           {"min_sequence_length", "shortest_length"},
           {"sequence_length", "length"},
           {"min_lr_ratio", "final_lr"},
           {"bias_table_lr_scale", "table_lr"},
           {"encoding.rotary_dim", "encoding.rotary_width"}}) {
    const std::size_t offset = spec.find("\n" + current_text + " ");
    ASSERT_NE(offset, std::string::npos) << current_text;
    spec.replace(offset + 1, current_text.size(), previous_text);
  }
  const Status loaded = target->load_checkpoint(value_of(write_safetensors(file, DType::f32)));
  ASSERT_TRUE(loaded.ok()) << loaded.message();
  EXPECT_EQ(target->global_step(), 2);
  value_of(source->step(2));
  value_of(target->step(2));
  expect_same(target->weights(), source->weights());
}

}  // namespace
}  // namespace phasor
