// Families without a golden model: models of random weights against plain sums in double.

#include <gtest/gtest.h>

#include "checkpoint.h"
#include "random_checkpoint.h"

namespace phasor::test::decoders_test {
namespace {

void expect_agreement(const ReferenceDecoder& d, Json config) {
  SCOPED_TRACE(config["model_type"].get<std::string>());
  const OrderedMap<Tensor> tensors = random_tensors(d);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model,
                       load(random_checkpoint(d, tensors, std::move(config))));
  const std::vector<int> ids = {3, 14, 15, 9, 26, 5, 3, 5, 8, 9, 7, 29};
  ASSERT_OK_AND_ASSIGN(const ModelOutput out, model->run(ids, {}));
  const Rows expected = DecoderReference(d, tensors).logits(ids);
  double max_error = 0;
  for (std::size_t t = 0; t < ids.size(); ++t) {
    for (std::size_t i = 0; i < expected[t].size(); ++i) {
      const auto actual = static_cast<double>(out.logits.data[t * expected[t].size() + i]);
      max_error = std::max(max_error, error(actual, expected[t][i]));
    }
  }
  EXPECT_LE(max_error, 3e-5);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ModelCache> cache, model->create_cache(12));
  for (std::size_t t = 0; t < ids.size(); ++t) {
    ASSERT_OK_AND_ASSIGN(const ModelOutput step,
                         model->run(std::vector<int>{ids[t]}, {.cache = cache.get()}));
    for (std::size_t i = 0; i < expected[t].size(); ++i)
      ASSERT_LE(error(static_cast<double>(step.logits.data[i]), expected[t][i]), 3e-5) << t;
  }
}

TEST(Decoders, LlamaMistralAndPhi3AgreeWithPlainSums) {
  ReferenceDecoder d;
  expect_agreement(d, {{"model_type", "llama"}, {"hidden_act", "silu"}});
  d.window = [](int) { return 4; };
  expect_agreement(d, {{"model_type", "mistral"}, {"sliding_window", 4}});
  d.fused = true;
  expect_agreement(d, {{"model_type", "phi3"}, {"sliding_window", 4}});
}

TEST(Decoders, DynamicScalingEqualsALargerBase) {
  Checkpoint checkpoint = read_checkpoint("llama-gqa");
  checkpoint.config["rope_scaling"] = {{"type", "dynamic"}, {"factor", 2.0}};
  checkpoint.config["max_position_embeddings"] = 8;
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> scaled_model, load(checkpoint));
  checkpoint.config.erase("rope_scaling");
  const double head_dim = 8;
  checkpoint.config["rope_theta"] = 10000 * std::pow(2 * 12 / 8.0 - 1, head_dim / (head_dim - 2));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> rebased_model, load(checkpoint));
  const std::vector<int> ids = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
  ASSERT_OK_AND_ASSIGN(const ModelOutput actual, scaled_model->run(ids, {}));
  ASSERT_OK_AND_ASSIGN(const ModelOutput expected, rebased_model->run(ids, {}));
  for (std::size_t i = 0; i < expected.logits.data.size(); ++i)
    ASSERT_LE(error(static_cast<double>(actual.logits.data[i]),
                    static_cast<double>(expected.logits.data[i])),
              1e-6);
}

TEST(Decoders, Qwen3NormalisesQueriesAndKeys) {
  ReferenceDecoder d;
  d.qk_norm = d.tied = true;
  d.base = [](int) { return 1e6; };
  expect_agreement(d, {{"model_type", "qwen3"}, {"rope_theta", 1e6}, {"attention_bias", false}});
}

TEST(Decoders, SmolLm3DoesNotRotateSomeLayers) {
  ReferenceDecoder d;
  d.base = [](int layer) { return layer == 0 ? 2e6 : 0.0; };
  expect_agreement(d, {{"model_type", "smollm3"}, {"rope_theta", 2e6}, {"no_rope_layers", {1, 0}}});
}

ReferenceDecoder gemma() {
  ReferenceDecoder d;
  d.norm_adds = 1;
  d.sandwich = d.gelu = d.tied = true;
  d.embedding_scale = std::sqrt(24.0);
  d.scale = 1 / std::sqrt(12.0);
  d.window = [](int layer) { return layer == 0 ? 4 : 1 << 20; };
  return d;
}
const Json kGemma = {{"hidden_activation", "gelu_pytorch_tanh"},
                     {"query_pre_attn_scalar", 12},
                     {"sliding_window", 4},
                     {"layer_types", {"sliding_attention", "full_attention"}}};

TEST(Decoders, Gemma2CapsScoresAndLogits) {
  ReferenceDecoder d = gemma();
  d.score_cap = 2;
  d.logit_cap = 3;
  Json config = kGemma;
  config.update(
      {{"model_type", "gemma2"}, {"attn_logit_softcapping", 2}, {"final_logit_softcapping", 3}});
  expect_agreement(d, config);
}

TEST(Decoders, Gemma3HasTwoBases) {
  ReferenceDecoder d = gemma();
  d.qk_norm = true;
  d.base = [](int layer) { return layer == 0 ? 1e4 : 1e6; };
  Json config = kGemma;
  config.update(
      {{"model_type", "gemma3_text"}, {"rope_theta", 1e6}, {"rope_local_base_freq", 1e4}});
  expect_agreement(d, config);
}

// The weights of a BERT under the names of RoBERTa, whose first token has the third row of the
// table.
TEST(Encoders, RobertaStartsAtTheThirdRowOfTheTable) {
  const Checkpoint bert = read_checkpoint("bert-mlm");
  const SafetensorsFile file = value_of(read_safetensors(bert.files[0]));
  Checkpoint roberta = bert;
  SafetensorsFile renamed;
  for (const auto& [name, tensor] : file.tensors) {
    std::string new_name = name;
    Tensor copy = tensor;
    const auto replace = [&](const std::string& old_part, const std::string& new_part) {
      if (new_name.starts_with(old_part)) new_name = new_part + new_name.substr(old_part.size());
    };
    replace("cls.predictions.transform.dense", "lm_head.dense");
    replace("cls.predictions.transform.LayerNorm", "lm_head.layer_norm");
    replace("cls.predictions.bias", "lm_head.bias");
    replace("bert.", "roberta.");
    if (new_name == "roberta.embeddings.position_embeddings.weight") {
      copy.data.insert(copy.data.begin(), static_cast<std::size_t>(2 * copy.shape[1]), 7.0f);
      copy.shape[0] += 2;
    }
    renamed.tensors.add(new_name, copy);
  }
  roberta.config["model_type"] = "roberta";
  roberta.config["pad_token_id"] = 1;
  roberta.config["max_position_embeddings"] = bert.config["max_position_embeddings"].get<int>() + 2;
  roberta.files = {value_of(write_safetensors(renamed, DType::f32))};
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> a, load(bert));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> b, load(roberta));
  const std::vector<int> ids = {5, 6, 7, 8};
  EXPECT_EQ(value_of(a->run(ids, {})).logits.data, value_of(b->run(ids, {})).logits.data);
}

}  // namespace
}  // namespace phasor::test::decoders_test
