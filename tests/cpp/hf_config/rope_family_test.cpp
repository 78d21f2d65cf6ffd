// Defaults of a family for missing keys, and families without rotary positions.

#include <gtest/gtest.h>

#include "model_file.h"

namespace phasor::test {
namespace {

EncodingConfig read_family(const char* family, const ConfigOptions& options = {}) {
  return read({{"model_type", word(family)}, {"hidden_size", 4096.0}}, options);
}

TEST(RopeFamily, RejectsFamiliesNotKnownToRotate) {
  for (const char* family :
       {"foo",       "umt5",        "longt5",     "mbart", "m2m_100", "whisper", "pegasus",
        "marian",    "gpt_bigcode", "openai-gpt", "ctrl",  "xglm",    "mamba",   "jamba",
        "camembert", "gpt2",        "gpt_neo",    "bert",  "opt",     "bloom",   "t5",
        "mpt",       "baichuan",    "mpnet",      ""}) {
    const std::string prefix =
        "model_type: \"" + std::string(family) + "\" is not known to have rotary positions";
    const std::string expected_message = prefix + ", and the config has no rotary key";
    EXPECT_EQ(refusal({{"model_type", word(family)},
                       {"hidden_size", 768.0},
                       {"max_position_embeddings", 512.0}}),
              expected_message);
    EXPECT_EQ(refusal({{"text_config.model_type", word(family)}}),
              "text_config." + expected_message);
    EXPECT_EQ(refusal({{"model_type", word(family)}, {"rope_theta", 5000.0}}),
              prefix +
                  "; call encoding_from_config, which lists its assumptions, or set the encoding "
                  "yourself, for example "
                  "{id: \"rope\", base: 10000, layout: \"half_split\"}");
  }
}

TEST(RopeFamily, ReadsRotaryKeysWithoutAFamily) {
  for (const char* key : {"rope_theta", "rotary_emb_base"})
    EXPECT_EQ(number(read({{key, 5000.0}}), "base"), 5000);
  EXPECT_EQ(number(read({{"rotary_pct", 0.25}}), "base"), 10000);
  EXPECT_EQ(number(read({{"rotary_dim", 64.0}}), "rotary_dim"), 64);
  EXPECT_EQ(number(read({{"type", word("linear")}, {"factor", 2.0}}), "base"), 10000);
}

TEST(RopeFamily, SetsTheDefaultBase) {
  for (const char* family : {"llama",       "mistral",  "qwen2",
                             "qwen2_moe",   "qwen3",    "qwen3_moe",
                             "gemma",       "gemma2",   "phi",
                             "phi3",        "gpt_neox", "gptj",
                             "codegen",     "falcon",   "stablelm",
                             "olmo",        "olmo2",    "cohere",
                             "cohere2",     "granite",  "deepseek_v2",
                             "deepseek_v3", "glm",      "glm4",
                             "starcoder2",  "nemotron", "recurrent_gemma",
                             "dbrx",        "exaone4",  "roformer"}) {
    EXPECT_EQ(number(read_family(family, {.layer_type = "sliding_attention"}), "base"), 10000)
        << family;
  }
  EXPECT_EQ(number(read_family("persimmon"), "base"), 25000);
  EXPECT_EQ(number(read_family("helium"), "base"), 100000);
  EXPECT_EQ(number(read_family("gpt_oss"), "base"), 150000);
  for (const char* family : {"llama4_text", "ernie4_5"})
    EXPECT_EQ(number(read_family(family, {.layer_idx = 0}), "base"), 500000) << family;
  for (const char* family : {"mixtral", "phimoe", "qwen2_vl"})
    EXPECT_EQ(number(read_family(family), "base"), 1e6) << family;
  EXPECT_EQ(number(read_family("smollm3", {.layer_idx = 0}), "base"), 2e6);
  EXPECT_EQ(number(read({{"model_type", word("mixtral")},
                         {"rope_scaling.type", word("linear")},
                         {"rope_scaling.factor", 2.0}}),
                   "base"),
            1e6);
}

TEST(RopeFamily, SetsTheRotaryFraction) {
  for (const char* family : {"gpt_neox", "stablelm", "qwen3_next"})
    EXPECT_EQ(number(read_family(family), "rotary_fraction"), 0.25) << family;
  for (const char* family :
       {"phi", "persimmon", "recurrent_gemma", "nemotron", "glm", "glm4", "glm4_moe"}) {
    EXPECT_EQ(number(read_family(family), "rotary_fraction"), 0.5) << family;
  }
  for (const char* family : {"gptj", "codegen"})
    EXPECT_EQ(number(read_family(family), "rotary_dim"), 64) << family;
  for (const char* family : {"llama", "phi3", "gemma", "olmo2"})
    EXPECT_FALSE(read_family(family).params.contains("rotary_fraction")) << family;
  // An explicit value overrides the default.
  EXPECT_EQ(
      number(read({{"model_type", word("gpt_neox")}, {"rotary_pct", 1.0}}), "rotary_fraction"), 1);
}

TEST(RopeFamily, SetsTheLayout) {
  for (const char* family : {"gptj", "codegen", "cohere", "cohere2", "glm", "glm4", "deepseek_v2",
                             "deepseek_v3", "llama4_text", "ernie4_5", "helium", "roformer"}) {
    EXPECT_EQ(
        text(read_family(family, {.layer_type = "sliding_attention", .layer_idx = 0}), "layout"),
        "interleaved")
        << family;
  }
  for (const char* family : {"llama", "gpt_neox", "phi", "glm4_moe", "gemma2", "gpt_oss"}) {
    EXPECT_EQ(text(read_family(family), "layout"), "half_split") << family;
  }
  EXPECT_EQ(text(read({{"model_type", word("deepseek_v3")}, {"rope_interleave", false}}), "layout"),
            "half_split");
}

TEST(RopeFamily, Gemma3HasABasePerLayerType) {
  for (const char* family : {"gemma3", "gemma3_text"}) {
    EXPECT_EQ(number(read_family(family, {.layer_type = "full_attention"}), "base"), 1e6);
    EXPECT_EQ(number(read_family(family, {.layer_type = "sliding_attention"}), "base"), 10000);
  }
  const Params gemma3_scaled = {{"model_type", word("gemma3_text")},
                                {"rope_scaling.rope_type", word("linear")},
                                {"rope_scaling.factor", 8.0}};
  EXPECT_EQ(number(read(gemma3_scaled, {.layer_type = "full_attention"}), "factor"), 8);
  EXPECT_FALSE(read(gemma3_scaled, {.layer_type = "sliding_attention"}).params.contains("factor"));
  EXPECT_EQ(text(read(gemma3_scaled, {.layer_type = "sliding_attention"}), "scaling"), "none");
  const std::string message_start =
      "layer_type: is required, because layers differ; expected one of full_attention, "
      "sliding_attention";
  EXPECT_EQ(refusal(gemma3_scaled), message_start);
  EXPECT_EQ(refusal({{"rope_theta", 1e6}, {"rope_local_base_freq", 10000.0}}), message_start);
  EXPECT_EQ(refusal(gemma3_scaled, {.layer_type = "local"}),
            "layer_type: \"local\" is unknown; expected one of full_attention, sliding_attention");
  const Params nested = {{"model_type", word("gemma3_text")},
                         {"rope_parameters.full_attention.rope_type", word("default")},
                         {"rope_parameters.sliding_attention.rope_type", word("default")}};
  EXPECT_EQ(number(read(nested, {.layer_type = "full_attention"}), "base"), 1e6);
  EXPECT_EQ(number(read(nested, {.layer_type = "sliding_attention"}), "base"), 10000);
}

TEST(RopeFamily, GptOssUsesYarnByDefault) {
  EXPECT_EQ(text(read_family("gpt_oss"), "scaling"), "yarn");
  EXPECT_EQ(number(read_family("gpt_oss"), "factor"), 32);
  EXPECT_EQ(number(read_family("gpt_oss"), "original_length"), 4096);
  EXPECT_FALSE(std::get<bool>(read_family("gpt_oss").params.at("truncate")));
  EXPECT_EQ(
      text(read({{"model_type", word("gpt_oss")}, {"rope_parameters.rope_type", word("default")}}),
           "scaling"),
      "none");
}

TEST(RopeFamily, DbrxReadsItsBaseFromAttnConfig) {
  EXPECT_EQ(
      number(read({{"model_type", word("dbrx")}, {"attn_config.rope_theta", 500000.0}}), "base"),
      500000);
}

TEST(RopeFamily, RejectsOtherPositionsDespiteRopeTheta) {
  EXPECT_EQ(refusal({{"model_type", word("falcon")}, {"alibi", true}, {"rope_theta", 10000.0}}),
            "alibi: ALiBi models do not rotate queries and keys");
  EXPECT_EQ(refusal({{"model_type", word("granitemoehybrid")},
                     {"position_embedding_type", word("nope")},
                     {"rope_theta", 10000.0}}),
            "position_embedding_type: \"nope\" models do not rotate queries and keys");
  EXPECT_EQ(number(read({{"model_type", word("granitemoehybrid")},
                         {"position_embedding_type", word("rope")}}),
                   "base"),
            10000);
  EXPECT_EQ(refusal({{"model_type", word("granitemoehybrid")}, {"rope_theta", 10000.0}}),
            "position_embedding_type: models of this family rotate queries and keys only if this "
            "key enables it");
}

TEST(RopeFamily, UsesTheOuterFamilyUnlessTheTextConfigHasOne) {
  EXPECT_EQ(number(read({{"model_type", word("llama4")}, {"text_config.hidden_size", 5120.0}},
                        {.layer_idx = 0}),
                   "base"),
            500000);
  EXPECT_EQ(
      number(read({{"model_type", word("llama4")}, {"text_config.model_type", word("qwen2")}}),
             "base"),
      10000);
}

}  // namespace
}  // namespace phasor::test
