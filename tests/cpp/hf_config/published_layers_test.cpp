// Layers of configs as published, with keys that transformers 5 rewrites.

#include <gtest/gtest.h>

#include "model_file.h"
#include "phasor/hf_config.h"

namespace phasor::test {
namespace published_layers_test {

std::vector<ConfigLayer> read_layers(const Params& file) {
  return value_of(layers_from_config(file));
}

Params make_config(const char* family, double layers, Params extra_params = {}) {
  extra_params["model_type"] = word(family);
  extra_params["num_hidden_layers"] = layers;
  return extra_params;
}

TEST(LayersFromConfig, ReadsKeysOfPublishedConfigs) {
  const std::vector<ConfigLayer> mimo =
      read_layers(make_config("mimo_v2_flash", 3,
                              {{"hybrid_layer_pattern", list({0, 1, 1})},
                               {"head_dim", 192.0},
                               {"sliding_window", 128.0},
                               {"sliding_window_size", 128.0},
                               {"rope_theta", 5e6},
                               {"swa_rope_theta", 20000.0},
                               {"partial_rotary_factor", 0.334},
                               {"add_swa_attention_sink_bias", false}}));
  EXPECT_FALSE(mimo[0].window || mimo[1].sinks);
  EXPECT_EQ(mimo[1].window, 129);
  EXPECT_EQ(number(*mimo[0].encoding, "base"), 5e6);
  EXPECT_EQ(number(*mimo[1].encoding, "base"), 20000);
  const std::vector<ConfigLayer> kimi =
      read_layers(make_config("kimi_linear", 4,
                              {{"linear_attn_config.full_attn_layers", list({4})},
                               {"linear_attn_config.kda_layers", list({1, 2, 3})},
                               {"rope_theta", 10000.0}}));
  EXPECT_EQ(kimi[0].type, "linear_attention");
  EXPECT_FALSE(kimi[0].encoding);
  EXPECT_EQ(kimi[3].encoding.value().id, "none");
  const std::vector<ConfigLayer> nemotron =
      read_layers({{"model_type", word("nemotron_h")}, {"hybrid_override_pattern", word("ME*-")}});
  ASSERT_EQ(nemotron.size(), 4u);
  EXPECT_EQ(nemotron[2].type, "full_attention");
  EXPECT_EQ(nemotron[3].type, "none");
  const std::vector<ConfigLayer> neo = read_layers({{"model_type", word("gpt_neo")},
                                                    {"num_layers", 4.0},
                                                    {"attention_types.0.0", word("global, local")},
                                                    {"attention_types.0.1", 2.0}});
  EXPECT_EQ(neo[1].window, 256);
  EXPECT_FALSE(neo[2].window);
  // Ling 2.5: partial_rotary_factor applies only to linear layers.
  const std::vector<ConfigLayer> ling = read_layers(make_config(
      "bailing_hybrid", 6, {{"layer_group_size", 6.0}, {"partial_rotary_factor", 0.5}}));
  EXPECT_FALSE(ling[4].encoding);
  EXPECT_FALSE(ling[5].encoding.value().params.contains("rotary_fraction"));
  const std::vector<ConfigLayer> k2 =
      read_layers(make_config("kimi_k2", 1,
                              {{"rope_theta", 50000.0},
                               {"rope_scaling.type", word("yarn")},
                               {"rope_scaling.factor", 32.0},
                               {"rope_scaling.beta_fast", 1.0},
                               {"rope_scaling.beta_slow", 1.0},
                               {"rope_scaling.original_max_position_embeddings", 4096.0}}));
  EXPECT_EQ(number(*k2[0].encoding, "beta_fast"), 1);
  const ConfigLayer ministral =
      read_layers(make_config("ministral3", 1,
                              {{"sliding_window", Tensor{}},
                               {"rope_parameters.rope_type", word("yarn")},
                               {"rope_parameters.rope_theta", 1e6},
                               {"rope_parameters.factor", 16.0},
                               {"rope_parameters.original_max_position_embeddings", 16384.0},
                               {"rope_parameters.llama_4_scaling_beta", 0.1}}))[0];
  EXPECT_EQ(ministral.temperature.value().floor_scale, 16384);
  EXPECT_EQ(ministral.temperature.value().first, 0);
}

// Bidirectional models: EmbeddingGemma has half of the window on each side, Mistral all of it.
TEST(LayersFromConfig, ReadsBidirectionalWindows) {
  const std::vector<ConfigLayer> layers = read_layers(make_config(
      "gemma3_text", 6, {{"use_bidirectional_attention", true}, {"sliding_window", 512.0}}));
  EXPECT_EQ(layers[0].window, 257);
  EXPECT_EQ(layers[0].window_ahead, 256);
  EXPECT_FALSE(layers[0].causal || layers[5].causal || layers[5].window);
  EXPECT_TRUE(read_layers(make_config("gemma3_text", 1))[0].causal);
  const ConfigLayer mistral_small = read_layers(
      make_config("gemma4_text", 2,
                  {{"use_bidirectional_attention", word("all")}, {"sliding_window", 512.0}}))[0];
  EXPECT_EQ(mistral_small.window, 258);
  EXPECT_EQ(mistral_small.window_ahead, 257);
  const ConfigLayer mistral =
      read_layers(make_config("mistral", 1, {{"is_causal", false}, {"sliding_window", 64.0}}))[0];
  EXPECT_EQ(mistral.window, 65);
  EXPECT_EQ(mistral.window_ahead, 64);
}

TEST(LayersFromConfig, ReadsKeyMultipliersAsScales) {
  const std::vector<ConfigLayer> layers =
      read_layers(make_config("falcon_h1", 1, {{"key_multiplier", 0.5}, {"head_dim", 64.0}}));
  EXPECT_EQ(layers[0].scale, 0.5 / 8);
  EXPECT_FALSE(read_layers(make_config("falcon_h1", 1, {{"key_multiplier", 1.0}}))[0].scale);
}

TEST(LayersFromConfig, ReadsWindowsAndRotationOfMoeModels) {
  Params file = {{"sliding_window", 64.0}, {"use_sliding_window", true}};
  EXPECT_EQ(read_layers(make_config("qwen3_moe", 2, file))[0].window, 64);
  EXPECT_FALSE(read_layers(make_config("qwen3_moe", 2))[0].window);
  // Dense first layers of Cohere 2 MoE rotate although they have no window.
  const std::vector<ConfigLayer> cohere =
      read_layers(make_config("cohere2_moe", 4,
                              {{"layer_types", word("full_attention, full_attention, "
                                                    "sliding_attention, full_attention")},
                               {"mlp_layer_types", word("dense, sparse, sparse, sparse")}}));
  EXPECT_EQ(cohere[0].encoding.value().id, "rope");
  EXPECT_EQ(cohere[1].encoding.value().id, "none");
}

// Qwen2.5-VL: 112 pixels are 8 patches of 14; layers 7, 15, 23 and 31 have no window.
TEST(LayersFromConfig, ReadsVisionTowers) {
  Params file = {{"model_type", word("qwen2_5_vl_vision")},
                 {"depth", 32.0},
                 {"hidden_size", 1280.0},
                 {"num_heads", 16.0}};
  const std::vector<ConfigLayer> qwen = read_layers(file);
  ASSERT_EQ(qwen.size(), 32u);
  EXPECT_EQ(qwen[0].type, "windowed_attention");
  EXPECT_EQ(qwen[0].patch_window, 8);
  EXPECT_FALSE(qwen[0].causal);
  EXPECT_EQ(qwen[0].encoding.value().id, "rope_2d");
  EXPECT_EQ(qwen[7].type, "full_attention");
  EXPECT_FALSE(qwen[7].patch_window);
  file["fullatt_block_indexes"] = list({0, 31});
  EXPECT_EQ(read_layers(file)[0].type, "full_attention");
  EXPECT_EQ(read_layers(file)[7].type, "windowed_attention");
  file["window_size"] = 7.0;
  EXPECT_EQ(layers_from_config(file).status().message(),
            "window_size: 7 is smaller than spatial_merge_size * patch_size, 28");
  // 100 pixels hold 3 pairs of patches of 14 pixels.
  file["window_size"] = 100.0;
  EXPECT_EQ(read_layers(file)[1].patch_window, 6);
  for (const float index : {1.5F, 32.0F, -1.0F}) {
    file["fullatt_block_indexes"] = list({index});
    EXPECT_NE(layers_from_config(file).status().message().find("is not a layer index from 0 to 31"),
              std::string::npos);
  }

  const std::vector<ConfigLayer> clip = read_layers(
      make_config("clip_vision_model", 12, {{"image_size", 224.0}, {"patch_size", 32.0}}));
  ASSERT_EQ(clip.size(), 12u);
  EXPECT_EQ(clip[0].encoding.value().id, "learned");
  EXPECT_EQ(clip[0].type, "full_attention");
  EXPECT_FALSE(clip[0].qk_norm);

  Params janus = make_config("janus_vision_model", 24, {{"depth", 2.0}});
  EXPECT_EQ(read_layers(janus).size(), 24u);
  EXPECT_FALSE(read_layers(janus)[0].qk_norm);
  janus["use_qk_norm"] = true;
  EXPECT_EQ(read_layers(janus)[0].qk_norm.value().norm, "layer");
}

// LLaVA 1.5 has the keys of its language model at the top level; ALIGN has none.
TEST(LayersFromConfig, ReadsMultimodalConfigsWithoutATextConfig) {
  EXPECT_EQ(read_layers(make_config("align", 4))[0].encoding.value().id, "learned");
  const std::vector<ConfigLayer> llava =
      read_layers(make_config("llava", 2, {{"rope_theta", 5e5}}));
  EXPECT_EQ(number(*llava[1].encoding, "base"), 5e5);
}

}  // namespace published_layers_test
}  // namespace phasor::test
