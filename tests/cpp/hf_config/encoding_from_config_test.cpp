// The encoding selected from a config, and the keys reported as read, defaults or assumptions.

#include <gtest/gtest.h>

#include <cmath>

#include "core/format_error.h"
#include "model_encoding_file.h"

namespace phasor::test {
namespace {

using Lines = std::vector<std::string>;

Lines lines(const Params& keys) {
  Lines out;
  for (const auto& [key, value] : keys) {
    std::string words;
    if (const auto* number = std::get_if<double>(&value)) words = to_message(*number);
    if (const auto* boolean = std::get_if<bool>(&value)) words = *boolean ? "true" : "false";
    if (const auto* word = std::get_if<std::string>(&value)) words = *word;
    out.push_back(key + ": " + words);
  }
  return out;
}

TEST(ConfigEncoding, MatchesRopeFromConfigForRotaryModels) {
  const std::pair<Params, ConfigOptions> files[] = {
      {{{"model_type", word("llama")}}, {}},
      {{{"model_type", word("gptj")}, {"rotary_dim", 4.0}}, {}},
      {{{"model_type", word("gpt_neox")}, {"rotary_pct", 0.25}, {"rotary_emb_base", 2500.0}}, {}},
      {{{"rope_scaling.type", word("linear")}, {"rope_scaling.factor", 2.0}}, {}},
      {{{"rope_scaling.type", word("dynamic")},
        {"rope_scaling.factor", 2.0},
        {"max_position_embeddings", 64.0}},
       {.sequence_length = 128}},
      {{{"model_type", word("gemma3_text")}}, {.layer_type = "sliding_attention"}},
      {{{"model_type", word("qwen2_vl")},
        {"rope_scaling.type", word("mrope")},
        {"rope_scaling.mrope_section", list({8, 12, 12})}},
       {}},
      {{{"model_type", word("granitemoehybrid")}, {"position_embedding_type", word("rope")}}, {}},
      {{{"model_type", word("cohere2")}, {"num_hidden_layers", 8.0}}, {.layer_idx = 2}},
  };
  for (const auto& [file, options] : files) {
    const EncodingConfig actual = model(file, options).encoding;
    const EncodingConfig expected =
        value_of(rope_from_config(file, {.layer_type = options.layer_type,
                                         .layer_idx = options.layer_idx,
                                         .sequence_length = options.sequence_length}));
    EXPECT_EQ(actual.id, expected.id);
    ASSERT_EQ(actual.params.size(), expected.params.size());
    for (const auto& [name, value] : expected.params) {
      const ParamValue& param = actual.params.at(name);
      ASSERT_EQ(param.index(), value.index()) << name;
      if (const auto* tensor = std::get_if<Tensor>(&value)) {
        EXPECT_EQ(std::get<Tensor>(param).data, tensor->data) << name;
      }
      if (const auto* word = std::get_if<std::string>(&value)) {
        EXPECT_EQ(std::get<std::string>(param), *word) << name;
      }
      if (const auto* number = std::get_if<double>(&value)) {
        EXPECT_EQ(std::get<double>(param), *number) << name;
      }
      if (const auto* boolean = std::get_if<bool>(&value)) {
        EXPECT_EQ(std::get<bool>(param), *boolean) << name;
      }
    }
  }
}

TEST(ConfigEncoding, ReportsKeysDefaultsAndAssumptions) {
  const ConfigEncoding llama = model({{"model_type", word("llama")},
                                      {"rope_theta", 5000.0},
                                      {"hidden_size", 64.0},
                                      {"head_dim", 16.0}});
  EXPECT_EQ(lines(llama.source_keys),
            (Lines{"model_type: llama", "rope_theta: 5000", "head_dim: 16"}));
  EXPECT_TRUE(llama.defaults.empty());
  const ConfigEncoding neox = model({{"model_type", word("gpt_neox")}});
  EXPECT_EQ(lines(neox.source_keys), Lines{"model_type: gpt_neox"});
  EXPECT_EQ(lines(neox.defaults), (Lines{"rotary_emb_base: 10000", "rotary_pct: 0.25"}));
  const ConfigEncoding dictionary =
      model({{"rope_scaling.type", word("linear")}, {"rope_scaling.factor", 2.0}});
  EXPECT_EQ(lines(dictionary.source_keys),
            (Lines{"rope_scaling.type: linear", "rope_scaling.factor: 2"}));
  EXPECT_TRUE(dictionary.defaults.empty());
  EXPECT_EQ(lines(dictionary.assumed),
            (Lines{"rope_theta: 10000", "layout: half_split", "direction: positive",
                   "rotary_fraction: 1", "layers: all"}));
  EXPECT_TRUE(llama.assumed.empty());
  const ConfigEncoding opt = model(
      {{"text_config.model_type", word("opt")}, {"text_config.max_position_embeddings", 40.0}});
  EXPECT_EQ(lines(opt.source_keys),
            (Lines{"text_config.model_type: opt", "text_config.max_position_embeddings: 40"}));
  const ConfigEncoding t5 = model(
      {{"model_type", word("t5")}, {"relative_attention_num_buckets", 16.0}}, {.stack = "decoder"});
  EXPECT_EQ(lines(t5.source_keys), (Lines{"model_type: t5", "relative_attention_num_buckets: 16"}));
  EXPECT_EQ(lines(t5.defaults), Lines{"relative_attention_max_distance: 128"});
  const ConfigEncoding sliding =
      model({{"model_type", word("gemma3_text")}}, {.layer_type = "sliding_attention"});
  EXPECT_EQ(lines(sliding.defaults),
            (Lines{"rope_local_base_freq: 10000", "query_pre_attn_scalar: 256"}));
}

TEST(ConfigEncoding, SelectsTheEncodingByExplicitKeys) {
  const ConfigEncoding alibi = model({{"model_type", word("foo")}, {"alibi", true}});
  EXPECT_EQ(alibi.encoding.id, "alibi");
  EXPECT_EQ(lines(alibi.source_keys), (Lines{"model_type: foo", "alibi: true"}));
  EXPECT_EQ(
      model({{"model_type", word("foo")}, {"position_embedding_type", word("alibi")}}).encoding.id,
      "alibi");
  EXPECT_EQ(lines(alibi.assumed), (Lines{"form: symmetric", "layers: all"}));
  const ConfigEncoding granite = model({{"model_type", word("granitemoehybrid")},
                                        {"position_embedding_type", word("nope")},
                                        {"rope_theta", 10000.0},
                                        {"attention_multiplier", 0.0078125}});
  EXPECT_EQ(granite.encoding.id, "none");
  EXPECT_EQ(granite.scale, 0.0078125);
}

TEST(ConfigEncoding, ReadsScalesOfRotaryModels) {
  EXPECT_EQ(model({{"model_type", word("granite")}, {"attention_multiplier", 0.015625}}).scale,
            0.015625);
  EXPECT_EQ(model({{"model_type", word("gemma2")}, {"query_pre_attn_scalar", 144.0}}).scale,
            1.0 / 12);
  EXPECT_FALSE(model({{"model_type", word("llama")}}).scale.has_value());
  const Params deepseek = {{"model_type", word("deepseek_v3")},
                           {"qk_nope_head_dim", 128.0},
                           {"qk_rope_head_dim", 64.0},
                           {"rope_scaling.type", word("yarn")},
                           {"rope_scaling.factor", 40.0},
                           {"rope_scaling.mscale", 1.0},
                           {"rope_scaling.mscale_all_dim", 1.0},
                           {"rope_scaling.original_max_position_embeddings", 4096.0}};
  EXPECT_NEAR(*model(deepseek).scale, std::pow(0.1 * std::log(40.0) + 1, 2) / std::sqrt(192.0),
              1e-15);
}

TEST(ConfigEncoding, ReadsLayersWithoutRope) {
  Params file = {{"model_type", word("smollm3")}, {"no_rope_layers", list({1, 1, 1, 0})}};
  EXPECT_EQ(model(file, {.layer_idx = 2}).encoding.id, "rope");
  EXPECT_EQ(model(file, {.layer_idx = 3}).encoding.id, "none");
  EXPECT_EQ(model_refusal(file, {.layer_idx = 4}),
            "layer_idx: 4 is not a layer index; expected 0 to 3");
  EXPECT_EQ(model_refusal(file, {.layer_idx = -1}),
            "layer_idx: -1 is not a layer index; expected 0, 1, 2 ...");
  EXPECT_EQ(model_refusal(file), "layer_idx: is required, because layers differ; expected 0 to 3");
  file["no_rope_layers"] = list({1, 1});
  EXPECT_EQ(model(file).encoding.id, "rope");
}

}  // namespace
}  // namespace phasor::test
