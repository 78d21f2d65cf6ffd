// Layers read from configs, as the source code of each family in transformers builds them.

#include <gtest/gtest.h>

#include <cmath>

#include "model_file.h"
#include "phasor/hf_config.h"

namespace phasor::test {
namespace layer_list_test {

std::vector<ConfigLayer> read_layers(const Params& file) {
  return value_of(layers_from_config(file));
}

std::string rejection_message(const Params& file) {
  const Result<std::vector<ConfigLayer>> out = layers_from_config(file);
  EXPECT_FALSE(out.ok());
  return out.status().message();
}

Params make_config(const char* family, double layers, Params extra_params = {}) {
  extra_params["model_type"] = word(family);
  extra_params["num_hidden_layers"] = layers;
  return extra_params;
}

// The windows of all layers, for example "128 - 128 -".
std::string format_windows(const Params& file) {
  std::string out;
  for (const ConfigLayer& layer : read_layers(file)) {
    out += out.empty() ? "" : " ";
    out += layer.window ? std::to_string(*layer.window) : "-";
  }
  return out;
}

TEST(LayersFromConfig, GptOssHasSinksAndAWindowInEvenLayers) {
  const Params file = make_config("gpt_oss", 4);
  EXPECT_EQ(format_windows(file), "128 - 128 -");
  for (const ConfigLayer& layer : read_layers(file)) {
    EXPECT_TRUE(layer.sinks);
    EXPECT_EQ(text(*layer.encoding, "scaling"), "yarn");
    EXPECT_FALSE(layer.softcap || layer.qk_norm || layer.scale || layer.chunk || layer.temperature);
  }
  // Version 5 writes layer_types and rope_parameters.
  EXPECT_EQ(format_windows(make_config("gpt_oss", 2,
                                       {{"layer_types", word("full_attention, sliding_attention")},
                                        {"rope_parameters.rope_type", word("default")},
                                        {"rope_parameters.rope_theta", 150000.0}})),
            "- 128");
}

TEST(LayersFromConfig, Gemma2HasASoftCapUnlessItIsNull) {
  const Params file = make_config("gemma2", 3, {{"query_pre_attn_scalar", 144.0}});
  EXPECT_EQ(format_windows(file), "4096 - 4096");
  for (const ConfigLayer& layer : read_layers(file)) {
    EXPECT_EQ(layer.softcap, 50);
    EXPECT_EQ(layer.scale, 1.0 / 12);
    EXPECT_FALSE(layer.qk_norm || layer.sinks);
  }
  Params changed_file = file;
  changed_file["attn_logit_softcapping"] = 20.0;
  EXPECT_EQ(read_layers(changed_file)[0].softcap, 20);
  changed_file["attn_logit_softcapping"] = Tensor{};
  EXPECT_FALSE(read_layers(changed_file)[0].softcap);
}

TEST(LayersFromConfig, Gemma3HasTwoBasesAndOnePlusNorms) {
  // The config has a cap, which the code of Gemma 3 does not read.
  const Params file = make_config("gemma3_text", 7,
                                  {{"sliding_window", 512.0},
                                   {"attn_logit_softcapping", 50.0},
                                   {"rope_scaling.rope_type", word("linear")},
                                   {"rope_scaling.factor", 8.0}});
  EXPECT_EQ(format_windows(file), "512 512 512 512 512 - 512");
  const std::vector<ConfigLayer> layers = read_layers(file);
  EXPECT_EQ(number(*layers[0].encoding, "base"), 10000);
  EXPECT_EQ(text(*layers[0].encoding, "scaling"), "none");
  EXPECT_EQ(number(*layers[5].encoding, "base"), 1e6);
  EXPECT_EQ(number(*layers[5].encoding, "factor"), 8);
  EXPECT_EQ(layers[5].type, "full_attention");
  EXPECT_EQ(layers[0].scale, 1.0 / 16);
  EXPECT_FALSE(layers[0].softcap);
  const LayerQkNorm norm = layers[0].qk_norm.value();
  EXPECT_EQ(norm.norm + " " + norm.over + " " + norm.weight_form + " " + norm.order,
            "rms head one_plus before_encoding");
  EXPECT_EQ(norm.eps, 1e-6);

  // The format of version 5, inside a multimodal model.
  const Params gemma3 = {
      {"model_type", word("gemma3")},
      {"text_config.model_type", word("gemma3_text")},
      {"text_config.num_hidden_layers", 2.0},
      {"text_config.sliding_window", 1024.0},
      {"text_config.layer_types", word("full_attention, sliding_attention")},
      {"text_config.rope_parameters.full_attention.rope_type", word("default")},
      {"text_config.rope_parameters.full_attention.rope_theta", 2e6},
      {"text_config.rope_parameters.sliding_attention.rope_type", word("default")},
      {"text_config.rope_parameters.sliding_attention.rope_theta", 5000.0}};
  EXPECT_EQ(format_windows(gemma3), "- 1024");
  EXPECT_EQ(number(*read_layers(gemma3)[0].encoding, "base"), 2e6);
  EXPECT_EQ(number(*read_layers(gemma3)[1].encoding, "base"), 5000);
}

TEST(LayersFromConfig, Qwen3HasAWindowOnlyIfItIsEnabled) {
  Params file = make_config("qwen3", 4, {{"max_window_layers", 2.0}, {"sliding_window", 64.0}});
  EXPECT_EQ(format_windows(file), "- - - -");
  file["use_sliding_window"] = true;
  EXPECT_EQ(format_windows(file), "- - 64 64");
  EXPECT_EQ(read_layers(file)[0].qk_norm.value().weight_form, "plain");
  file["sliding_window"] = Tensor{};
  EXPECT_EQ(format_windows(file), "- - - -");
}

TEST(LayersFromConfig, OlmoNormalisesAllHeadsTogether) {
  for (const char* family : {"olmo2", "olmo3"}) {
    const Params file = make_config(family, 5);
    EXPECT_EQ(format_windows(file),
              family == std::string("olmo2") ? "- - - - -" : "4096 4096 4096 - 4096");
    const LayerQkNorm norm = read_layers(file)[3].qk_norm.value();
    EXPECT_EQ(norm.over, "all_heads");
    EXPECT_EQ(norm.eps, 1e-5);
  }
  EXPECT_EQ(read_layers(make_config("olmo2", 1, {{"rms_norm_eps", 0.5}}))[0].qk_norm.value().eps,
            0.5);
}

TEST(LayersFromConfig, Cohere2AndExaone4RotateOnlySlidingLayersOfHybridModels) {
  for (const char* family : {"cohere2", "exaone4"}) {
    const Params file = make_config(family, 5);
    EXPECT_EQ(format_windows(file), "4096 4096 4096 - 4096");
    const std::vector<ConfigLayer> layers = read_layers(file);
    EXPECT_EQ(layers[0].encoding->id, "rope");
    EXPECT_EQ(layers[3].encoding->id, "none");
    EXPECT_EQ(layers[3].qk_norm.has_value(), family == std::string("exaone4"));
  }
  const Params exaone4 = make_config("exaone4", 4, {{"sliding_window", Tensor{}}});
  EXPECT_EQ(format_windows(exaone4), "- - - -");
  EXPECT_EQ(read_layers(exaone4)[3].encoding->id, "rope");
  // EXAONE 4.0 32B as published: layer_types overrides the pattern, which is a string.
  const Params layer_types = make_config(
      "exaone4", 4,
      {{"sliding_window_pattern", word("LLLG")},
       {"layer_types",
        word("sliding_attention, sliding_attention, sliding_attention, full_attention")}});
  EXPECT_EQ(format_windows(layer_types), "4096 4096 4096 -");
}

TEST(LayersFromConfig, Llama4HasChunksAndNormsAfterTheRotation) {
  const std::vector<ConfigLayer> layers = read_layers(make_config(
      "llama4_text", 4, {{"no_rope_layers", Tensor{}}, {"attn_temperature_tuning", 4.0}}));
  EXPECT_EQ(layers[0].type, "chunked_attention");
  EXPECT_EQ(layers[0].chunk, 8192);
  EXPECT_FALSE(layers[0].window || layers[0].temperature);
  EXPECT_EQ(layers[0].qk_norm.value().order, "after_encoding");
  EXPECT_EQ(layers[0].qk_norm.value().weight_form, "none");
  EXPECT_EQ(layers[3].encoding->id, "none");
  EXPECT_EQ(layers[3].type, "full_attention");
  EXPECT_FALSE(layers[3].chunk || layers[3].qk_norm);
  EXPECT_EQ(layers[3].temperature.value().floor_scale, 8192);
  EXPECT_EQ(layers[3].temperature.value().attn_scale, 0.1);
  const std::vector<ConfigLayer> without_types =
      read_layers(make_config("llama4_text", 4,
                              {{"use_qk_norm", false},
                               {"attn_temperature_tuning", false},
                               {"attention_chunk_size", Tensor{}}}));
  EXPECT_FALSE(without_types[0].qk_norm || without_types[0].chunk || without_types[3].temperature);
}

TEST(LayersFromConfig, SmolLm3HasAWindowOnlyIfItIsEnabled) {
  const Params file = make_config("smollm3", 5);
  EXPECT_EQ(format_windows(file), "- - - - -");
  EXPECT_EQ(read_layers(file)[3].encoding->id, "none");
  EXPECT_EQ(number(*read_layers(file)[0].encoding, "base"), 2e6);
  Params enabled = file;
  enabled["use_sliding_window"] = true;
  enabled["sliding_window"] = 256.0;
  EXPECT_EQ(format_windows(enabled), "- - - 256 -");
}

TEST(LayersFromConfig, DeepseekRotatesTheLastChannelsOfAHead) {
  const ConfigLayer layer =
      read_layers(make_config("deepseek_v3", 2,
                              {{"qk_rope_head_dim", 4.0},
                               {"qk_nope_head_dim", 8.0},
                               {"rope_scaling.type", word("yarn")},
                               {"rope_scaling.factor", 40.0},
                               {"rope_scaling.original_max_position_embeddings", 4096.0},
                               {"rope_scaling.mscale", 1.0},
                               {"rope_scaling.mscale_all_dim", 1.0}}))[1];
  EXPECT_EQ(number(*layer.encoding, "rotary_dim"), 4);
  EXPECT_EQ(number(*layer.encoding, "rotary_offset"), 8);
  EXPECT_EQ(text(*layer.encoding, "layout"), "interleaved");
  const double mscale = 1 + 0.1 * std::log(40.0);
  EXPECT_NEAR(layer.scale.value(), mscale * mscale / std::sqrt(12.0), 1e-12);
  EXPECT_TRUE(create_encoding(*layer.encoding, {.dim = 12}).ok());
}

TEST(LayersFromConfig, RejectsUnknownFamiliesAndInvalidKeys) {
  EXPECT_EQ(rejection_message({{"model_type", word("foo")}, {"num_hidden_layers", 2.0}}),
            "model_type: \"foo\" is not a family with known layers; docs/models.md lists the known "
            "families");
  EXPECT_EQ(rejection_message({{"model_type", word("gemma2")}}),
            "num_hidden_layers: the key is missing; expected the number of layers");
  EXPECT_EQ(rejection_message(make_config("gemma2", 2.5)),
            "num_hidden_layers: 2.5 is not a whole number from 0 to 1048576");
  EXPECT_EQ(rejection_message(make_config("gpt_oss", 2, {{"sliding_window", -3.0}})),
            "sliding_window: -3 is not a whole number from 0 to 1048576");
  EXPECT_EQ(
      rejection_message(make_config("gpt_oss", 1, {{"layer_types", word("chunked_attention")}})),
      "layer_types: \"chunked_attention\" is not a type of this family; expected one of "
      "full_attention, sliding_attention");
  EXPECT_EQ(rejection_message(make_config("gpt_oss", 2, {{"layer_types", word("full_attention")}})),
            "layer_types: has 1 entries, but none for layer 1");
  EXPECT_EQ(rejection_message(make_config(
                "olmo3", 3, {{"layer_types", word("sliding_attention, full_attention")}})),
            "layer_types: has 2 entries, but none for layer 2");
}

}  // namespace layer_list_test
}  // namespace phasor::test
