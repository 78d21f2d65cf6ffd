// Listed families that rotate queries and keys: a short config of each and the expected encoding.

#include "listed_rope.h"

#include <gtest/gtest.h>

#include <cmath>

namespace phasor::test {
namespace {

struct Family {
  const char* names;
  Expected expected;
};

TEST(ListedRope, ReadsDefaultsOfUniformFamilies) {
  const Family families[] = {
      {"falcon, gemma, gemma2, llama, mistral, olmo, olmo2, olmoe, qwen2, qwen2_moe, qwen3, "
       "qwen3_moe, starcoder2, phi3, seed_oss, dbrx, "
       "granite, granitemoe",
       {}},
      {"mixtral, phimoe, lfm2, qwen2_vl, qwen2_vl_text, qwen2_5_vl, qwen2_5_vl_text",
       {.base = 1e6}},
      {"qwen3_vl, qwen3_vl_text", {.base = 5e6}},
      {"gpt_oss", {.base = 150000, .scaling = "yarn"}},
      {"apertus", {.base = 12e6, .scaling = "llama3"}},
      {"gpt_neox, qwen3_next, stablelm", {.rotary_fraction = 0.25}},
      {"nemotron, phi, recurrent_gemma, bamba, glm4_moe, glm4v_moe, glm4v_moe_text",
       {.rotary_fraction = 0.5}},
      {"persimmon, fuyu", {.base = 25000, .rotary_fraction = 0.5}},
      {"cohere, roformer, glm4v, glm4v_text, deepseek_v2, deepseek_v3, kimi_k2, glm4_moe_lite",
       {.layout = kNeighbours}},
      {"codegen, gptj", {.layout = kNeighbours, .rotary_fraction = 64}},
      {"glm, glm4", {.layout = kNeighbours, .rotary_fraction = 0.5}},
      {"moonshine", {.layout = kNeighbours, .rotary_fraction = 0.9, .rotary_dim = 36}},
      {"helium", {.layout = kNeighbours, .base = 100000}},
      {"ernie4_5, ernie4_5_moe", {.layout = kNeighbours, .base = 500000}},
      {"longcat_flash", {.layout = kNeighbours, .base = 1e7}},
  };
  for (const Family& family : families) {
    for (const std::string_view name : ChoiceList(family.names).list()) {
      expect({{"model_type", std::string(name)}}, {}, family.expected, std::string(name));
    }
  }
}

TEST(ListedRope, ReadsConfigsOfVersion4And5Alike) {
  const auto read_base = [](const Params& file, const ConfigOptions& options = {}) {
    return number(read(file, options), "base");
  };
  EXPECT_EQ(read_base({{"model_type", word("llama")}, {"rope_theta", 5e5}}), 5e5);
  EXPECT_EQ(read_base({{"model_type", word("llama")},
                       {"rope_parameters.rope_theta", 5e5},
                       {"rope_parameters.rope_type", word("default")}}),
            5e5);
  const Params neox4 = {
      {"model_type", word("gpt_neox")}, {"rotary_emb_base", 5000.0}, {"rotary_pct", 0.5}};
  const Params neox5 = {{"model_type", word("gpt_neox")},
                        {"rope_parameters.rope_theta", 5000.0},
                        {"rope_parameters.partial_rotary_factor", 0.5},
                        {"rope_parameters.rope_type", word("default")}};
  for (const Params& file : {neox4, neox5})
    expect(file, {}, {.base = 5000, .rotary_fraction = 0.5}, "gpt_neox");
  const Params gemma4 = {
      {"model_type", word("gemma3_text")}, {"rope_theta", 2e6}, {"rope_local_base_freq", 5000.0}};
  const Params gemma5 = {{"model_type", word("gemma3_text")},
                         {"rope_parameters.full_attention.rope_theta", 2e6},
                         {"rope_parameters.full_attention.rope_type", word("default")},
                         {"rope_parameters.sliding_attention.rope_theta", 5000.0},
                         {"rope_parameters.sliding_attention.rope_type", word("default")}};
  for (const Params& file : {gemma4, gemma5}) {
    EXPECT_EQ(read_base(file, {.layer_idx = 5}), 2e6);
    EXPECT_EQ(read_base(file, {.layer_idx = 4}), 5000);
  }
}

// A missing key means version 4, because version 5 writes the key into every file.
TEST(ListedRope, ReportsTheDefaultBaseOfBothVersions) {
  EXPECT_EQ(number(read({{"model_type", word("falcon_h1")}, {"rope_theta", 1e11}}), "base"), 1e11);
  const ConfigEncoding missing = model({{"model_type", word("falcon_h1")}});
  EXPECT_EQ(number(missing.encoding, "base"), 100000);
  EXPECT_EQ(std::get<double>(missing.defaults.at("rope_theta")), 100000);
  EXPECT_EQ(std::get<double>(missing.defaults.at("rope_theta of transformers 5")), 10000);
  EXPECT_FALSE(model({{"model_type", word("cohere")}, {"rope_theta", 5000.0}})
                   .defaults.contains("rope_theta of transformers 5"));
}

TEST(ListedRope, ReadsMropeSections) {
  const ConfigEncoding qwen3_vl = model({{"model_type", word("qwen3_vl_text")}}, {}, 128);
  EXPECT_EQ(qwen3_vl.encoding.id, "mrope");
  EXPECT_EQ(text(qwen3_vl.encoding, "arrangement"), "interleaved");
  EXPECT_EQ(std::get<Tensor>(qwen3_vl.encoding.params.at("sections")).data,
            (std::vector<float>{24, 20, 20}));
  const ConfigEncoding glm = model({{"model_type", word("glm4v_text")},
                                    {"partial_rotary_factor", 0.5},
                                    {"rope_scaling.rope_type", word("default")},
                                    {"rope_scaling.mrope_section", list({8, 12, 12})}},
                                   {}, 128);
  EXPECT_EQ(glm.encoding.id, "mrope");
  EXPECT_EQ(text(glm.encoding, "layout"), kNeighbours);
  EXPECT_EQ(text(glm.encoding, "arrangement"), "contiguous");
  for (const char* family : {"ernie4_5_moe_vl", "ernie4_5_vl_moe", "ernie4_5_vl_moe_text"}) {
    const ConfigEncoding ernie = model({{"model_type", word(family)}}, {}, 128);
    EXPECT_EQ(text(ernie.encoding, "arrangement"), "video");
    EXPECT_EQ(number(ernie.encoding, "temporal_pairs"), 20);
    EXPECT_EQ(number(ernie.encoding, "base"), 500000);
  }
}

TEST(ListedRope, ReadsTheScoreScale) {
  const auto read_scale = [](const char* family, const ConfigOptions& options = {}) {
    return model({{"model_type", word(family)}}, options, 128).scale;
  };
  for (const char* family : {"granite", "granitemoe", "granitemoehybrid"})
    EXPECT_EQ(read_scale(family), 1.0) << family;
  EXPECT_EQ(read_scale("gemma2"), 1.0 / 16);
  EXPECT_EQ(read_scale("gemma3_text", {.layer_idx = 0}), 1.0 / 16);
  for (const char* family : {"gemma3n", "gemma3n_text"})
    EXPECT_EQ(read_scale(family, {.layer_idx = 0}), 1.0) << family;
  for (const char* family : {"llama", "cohere", "glm", "gpt_oss"})
    EXPECT_FALSE(read_scale(family).has_value()) << family;
  const Params yarn = {{"qk_nope_head_dim", 128.0},
                       {"qk_rope_head_dim", 64.0},
                       {"rope_scaling.type", word("yarn")},
                       {"rope_scaling.factor", 40.0},
                       {"rope_scaling.mscale_all_dim", 1.0},
                       {"rope_scaling.original_max_position_embeddings", 4096.0}};
  for (const char* family :
       {"deepseek_v2", "deepseek_v3", "kimi_k2", "glm4_moe_lite", "longcat_flash"}) {
    Params file = yarn;
    file["model_type"] = word(family);
    EXPECT_NEAR(model(file).scale.value_or(0),
                std::pow(0.1 * std::log(40.0) + 1, 2) / std::sqrt(192.0), 1e-15)
        << family;
  }
}

TEST(ListedRope, RejectsKeysOfOtherFamilies) {
  const auto rejection_message = [](const char* family, const char* key, ParamValue value) {
    return model_refusal({{"model_type", word(family)}, {key, std::move(value)}});
  };
  EXPECT_EQ(
      rejection_message("llama", "rotary_emb_base", 5000.0),
      "rotary_emb_base: 5000 is not read by models of this family, which use rope_theta: 10000");
  EXPECT_EQ(
      rejection_message("gpt_neox", "rope_theta", 5000.0),
      "rope_theta: 5000 is not read by models of this family, which use rotary_emb_base: 10000");
  EXPECT_EQ(
      rejection_message("llama", "rotary_pct", 0.25),
      "rotary_pct: 0.25 is not read by models of this family, which use partial_rotary_factor: 1");
  EXPECT_EQ(
      rejection_message("gptj", "partial_rotary_factor", 0.5),
      "partial_rotary_factor: 0.5 is not read by models of this family, which use rotary_dim");
  EXPECT_EQ(rejection_message("gptj", "rope_theta", 5000.0),
            "rope_theta: 5000 is not read by models of this family, which always use 10000");
  EXPECT_EQ(rejection_message("llama", "rope_interleave", true),
            "rope_interleave: true is not read by models of this family");
  EXPECT_EQ(rejection_message("llama", "rope_local_base_freq", 10000.0),
            "rope_local_base_freq: 10000 is not read by models of this family");
  for (const char* family : {"gptj", "codegen"}) {
    EXPECT_EQ(model_refusal({{"model_type", word(family)}, {"rotary_dim", Tensor()}}),
              "rotary_dim: is null; expected the number of rotated channels, or no such key");
  }
  EXPECT_TRUE(model({{"model_type", word("roformer")}, {"rotary_value", true}}).rotates_values);
  EXPECT_FALSE(model({{"model_type", word("roformer")}, {"rotary_value", false}}).rotates_values);
  // The authors' configs have this key.
  EXPECT_EQ(rejection_message("nomic_bert", "rotary_emb_interleaved", true),
            "rotary_emb_interleaved: true is not read by models of this family");
  EXPECT_EQ(model({{"model_type", word("nomic_bert")}, {"rotary_emb_fraction", 1.0}}).encoding.id,
            "rope");
  EXPECT_EQ(rejection_message("qwen2", "no_rope_layers", list({1, 0})),
            "no_rope_layers: a list of 2 numbers is not read by models of this family");
  EXPECT_EQ(
      model_refusal(
          {{"model_type", word("phi")}, {"rotary_dim", 32.0}, {"partial_rotary_factor", 0.5}}),
      "rotary_dim: 32 cannot be combined with partial_rotary_factor; expected one of them");
  // Version 4.57 writes both names with the same value.
  expect({{"model_type", word("gpt_neox")},
          {"rotary_emb_base", 5000.0},
          {"rope_theta", 5000.0},
          {"rotary_pct", 0.5},
          {"partial_rotary_factor", 0.5}},
         {}, {.base = 5000, .rotary_fraction = 0.5}, "gpt_neox");
}

}  // namespace
}  // namespace phasor::test
