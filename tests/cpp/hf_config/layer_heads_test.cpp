// Numbers of heads and head_dim per layer, from published configs and from incomplete ones.

#include <gtest/gtest.h>

#include "model_file.h"
#include "phasor/hf_config.h"

namespace phasor::test {
namespace layer_heads_test {

using Size = std::optional<int>;

void expect_heads(const ConfigLayer& layer, Size heads, Size kv_heads, Size head_dim) {
  EXPECT_EQ(layer.heads, heads);
  EXPECT_EQ(layer.kv_heads, kv_heads);
  EXPECT_EQ(layer.head_dim, head_dim);
}

std::vector<ConfigLayer> read_layers(const char* family, Params extra_params) {
  extra_params["model_type"] = word(family);
  if (!extra_params.contains("num_hidden_layers") && !extra_params.contains("n_layer"))
    extra_params["num_hidden_layers"] = 6.0;
  return value_of(layers_from_config(extra_params));
}

TEST(LayerHeads, ReadsPublishedConfigs) {
  const Params llama = {{"hidden_size", 4096.0},
                        {"num_attention_heads", 32.0},
                        {"num_key_value_heads", 8.0},
                        {"rope_theta", 500000.0}};
  expect_heads(read_layers("llama", llama)[5], 32, 8, 128);
  // head_dim is not hidden_size / num_attention_heads.
  expect_heads(read_layers("gemma", {{"hidden_size", 3072.0},
                                     {"num_attention_heads", 16.0},
                                     {"num_key_value_heads", 16.0},
                                     {"head_dim", 256.0}})[0],
               16, 16, 256);
  expect_heads(read_layers("gpt2", {{"n_head", 12.0}, {"n_embd", 768.0}, {"n_layer", 2.0}})[1], 12,
               {}, 64);
  expect_heads(
      read_layers("gpt_bigcode", {{"n_head", 48.0}, {"n_embd", 6144.0}, {"n_layer", 2.0}})[0], 48,
      1, 128);
  // Content channels and rotated channels; head_dim in the config counts only the latter.
  expect_heads(read_layers("deepseek_v3", {{"num_attention_heads", 128.0},
                                           {"num_key_value_heads", 128.0},
                                           {"head_dim", 64.0},
                                           {"qk_nope_head_dim", 128.0},
                                           {"qk_rope_head_dim", 64.0}})[0],
               128, 128, 192);
}

TEST(LayerHeads, ReadsBothFalconArchitectures) {
  const Params falcon = {
      {"num_attention_heads", 71.0}, {"hidden_size", 4544.0}, {"num_kv_heads", 71.0}};
  expect_heads(read_layers("falcon", falcon)[0], 71, 1, 64);
  expect_heads(read_layers("falcon", {{"num_attention_heads", 128.0},
                                      {"hidden_size", 8192.0},
                                      {"num_kv_heads", 8.0},
                                      {"new_decoder_architecture", true}})[0],
               128, 8, 64);
}

TEST(LayerHeads, ReadsHeadsThatDifferBetweenLayers) {
  const std::vector<ConfigLayer> gemma =
      read_layers("gemma4_text", {{"num_attention_heads", 8.0},
                                  {"num_key_value_heads", 2.0},
                                  {"head_dim", 256.0},
                                  {"global_head_dim", 512.0},
                                  {"num_global_key_value_heads", 1.0}});
  expect_heads(gemma[0], 8, 2, 256);
  expect_heads(gemma[5], 8, 1, 512);
  const std::vector<ConfigLayer> mimo =
      read_layers("mimo_v2_flash", {{"num_attention_heads", 64.0},
                                    {"num_key_value_heads", 4.0},
                                    {"head_dim", 192.0},
                                    {"swa_num_key_value_heads", 8.0},
                                    {"swa_head_dim", 192.0}});
  expect_heads(mimo[0], 64, 4, 192);
  expect_heads(mimo[1], {}, 8, 192);
}

TEST(LayerHeads, LeavesUnknownSizesEmpty) {
  expect_heads(read_layers("llama", {{"rope_theta", 10000.0}})[0], {}, {}, {});
  expect_heads(read_layers("llama", {{"num_attention_heads", 3.0}, {"hidden_size", 64.0}})[0], 3,
               {}, {});
}

TEST(LayerHeads, RejectsInvalidHeadCounts) {
  const auto message = [](Params extra_params) {
    extra_params["model_type"] = word("llama");
    extra_params["num_hidden_layers"] = 2.0;
    return layers_from_config(extra_params).status().message();
  };
  EXPECT_NE(message({{"num_attention_heads", 2.5}}).find("num_attention_heads: 2.5 is not a whole"),
            std::string::npos);
  EXPECT_NE(message({{"num_attention_heads", 8.0}, {"num_key_value_heads", 0.0}})
                .find("num_key_value_heads: 0 is not"),
            std::string::npos);
  EXPECT_NE(message({{"num_attention_heads", 8.0}, {"num_key_value_heads", 3.0}})
                .find("num_key_value_heads: 3 is not a divisor of 8, the heads of layer 0"),
            std::string::npos);
}

}  // namespace layer_heads_test
}  // namespace phasor::test
