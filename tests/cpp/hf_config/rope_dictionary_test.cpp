// Places of rotary keys in a config, and configs without them.

#include <gtest/gtest.h>

#include "model_file.h"

namespace phasor::test {
namespace {

TEST(RopeDictionary, ReadsABareDictionary) {
  const Params dictionary = {{"rope_type", word("yarn")},
                             {"factor", 4.0},
                             {"original_max_position_embeddings", 32768.0},
                             {"rope_theta", 1e6},
                             {"truncate", false},
                             {"beta_fast", 16.0},
                             {"mscale", 1.0},
                             {"mscale_all_dim", 0.707}};
  const EncodingConfig config = read(dictionary);
  EXPECT_EQ(text(config, "scaling"), "yarn");
  EXPECT_EQ(number(config, "base"), 1e6);
  EXPECT_EQ(number(config, "original_length"), 32768);
  EXPECT_EQ(number(config, "beta_fast"), 16);
  EXPECT_FALSE(std::get<bool>(config.params.at("truncate")));
  EXPECT_EQ(number(read({{"type", word("linear")}, {"factor", 2.0}}), "factor"), 2);
}

TEST(RopeDictionary, ReadsDictionariesPerLayerType) {
  const Params gemma4 = {{"rope_parameters.full_attention.rope_type", word("proportional")},
                         {"rope_parameters.full_attention.partial_rotary_factor", 0.25},
                         {"rope_parameters.full_attention.rope_theta", 1e6},
                         {"rope_parameters.sliding_attention.rope_type", word("default")},
                         {"rope_parameters.sliding_attention.rope_theta", 10000.0}};
  const EncodingConfig full = read(gemma4, {.layer_type = "full_attention"});
  EXPECT_EQ(number(full, "kept_fraction"), 0.25);
  EXPECT_FALSE(full.params.contains("rotary_fraction"));
  EXPECT_EQ(number(full, "base"), 1e6);
  EXPECT_EQ(number(read(gemma4, {.layer_type = "sliding_attention"}), "base"), 10000);
  EXPECT_EQ(refusal(gemma4),
            "layer_type: is required, because layers differ; expected one of full_attention, "
            "sliding_attention");
  EXPECT_EQ(refusal(gemma4, {.layer_type = "linear"}),
            "layer_type: \"linear\" is unknown; expected one of full_attention, sliding_attention");
  Params without_layers;
  for (const auto& [key, value] : gemma4)
    without_layers[key.substr(std::string("rope_parameters.").size())] = value;
  EXPECT_EQ(number(read(without_layers, {.layer_type = "full_attention"}), "kept_fraction"), 0.25);
}

TEST(RopeDictionary, RejectsAKeyBesideDictionariesPerLayerType) {
  const Params layers = {{"rope_parameters.full_attention.rope_type", word("default")},
                         {"rope_parameters.full_attention.rope_theta", 1e6}};
  Params incomplete = layers;
  incomplete["rope_parameters.rope_theta"] = 10000.0;
  EXPECT_EQ(
      refusal(incomplete, {.layer_type = "full_attention"}),
      "rope_parameters.rope_theta: 10000 cannot be combined with dictionaries per layer type");
  EXPECT_EQ(number(read(layers, {.layer_type = "full_attention"}), "base"), 1e6);
}

TEST(RopeDictionary, RejectsNonObjectsAndTwoDictionaries) {
  EXPECT_EQ(refusal({{"rope_scaling", word("yarn")}}), "rope_scaling: \"yarn\" is not an object");
  EXPECT_EQ(refusal({{"rope_parameters", 4.0}}), "rope_parameters: 4 is not an object");
  EXPECT_EQ(refusal({{"text_config.rope_scaling", true}, {"text_config.rope_theta", 1e6}}),
            "text_config.rope_scaling: true is not an object");
  EXPECT_EQ(
      refusal({{"rope_parameters.rope_type", word("default")},
               {"rope_scaling.rope_type", word("linear")}}),
      "rope_scaling: cannot be combined with the keys rope_parameters.*; expected one of them");
}

TEST(RopeDictionary, ReadsGemma3ConfigsOfVersion4) {
  const Params file = {{"rope_theta", 1e6},
                       {"rope_local_base_freq", 10000.0},
                       {"rope_scaling.rope_type", word("linear")},
                       {"rope_scaling.factor", 8.0}};
  EXPECT_EQ(number(read(file, {.layer_type = "sliding_attention"}), "base"), 10000);
  EXPECT_EQ(text(read(file, {.layer_type = "sliding_attention"}), "scaling"), "none");
  EXPECT_EQ(text(read(file, {.layer_type = "full_attention"}), "scaling"), "linear");
}

TEST(RopeDictionary, RejectsFilesWithoutRotaryKeysOrFamily) {
  const std::string missing =
      "rope_parameters: the key is missing; expected rope_parameters, rope_scaling, rope_theta, or "
      "the model_type of a family with rotary positions";
  EXPECT_EQ(refusal({}), missing);
  EXPECT_EQ(refusal({{"0", 1.0}, {"1", 2.0}}), missing);  // a JavaScript array
  EXPECT_EQ(refusal({{"text_config.vocab_size", 32000.0}}), "text_config." + missing);
  EXPECT_EQ(refusal({{"hidden_size", 4096.0},
                     {"num_attention_heads", 32.0},
                     {"max_position_embeddings", 4096.0}}),
            missing);
  // Llama 2 as published has no rotary key.
  const EncodingConfig llama2 = read({{"hidden_size", 4096.0},
                                      {"intermediate_size", 11008.0},
                                      {"max_position_embeddings", 4096.0},
                                      {"model_type", word("llama")},
                                      {"num_attention_heads", 32.0},
                                      {"num_key_value_heads", 32.0}});
  EXPECT_EQ(number(llama2, "base"), 10000);
  EXPECT_EQ(number(read({{"rope_theta", 5000.0}}), "base"), 5000);
}

TEST(RopeDictionary, RejectsModelsWithOtherPositions) {
  EXPECT_EQ(refusal({{"hidden_size", 768.0}, {"position_embedding_type", word("absolute")}}),
            "position_embedding_type: \"absolute\" models do not rotate queries and keys");
  EXPECT_EQ(refusal({{"model_type", word("falcon")}, {"alibi", true}}),
            "alibi: ALiBi models do not rotate queries and keys");
  EXPECT_EQ(number(read({{"model_type", word("falcon")}, {"alibi", false}}), "base"), 10000);
}

TEST(RopeDictionary, FindsTheTextModelOfAMultimodalConfig) {
  for (const std::string name :
       {"text_config", "language_config", "llm_config", "thinker_config.text_config"}) {
    const Params file = {
        {"model_type", word("llava")},       {"vision_config.hidden_size", 1024.0},
        {"vision_config.rope_theta", 100.0}, {name + ".model_type", word("glm")},
        {name + ".rope_theta", 500000.0},    {name + ".rope_scaling.rope_type", word("linear")},
        {name + ".rope_scaling.factor", 8.0}};
    const EncodingConfig config = read(file);
    EXPECT_EQ(number(config, "base"), 500000) << name;
    EXPECT_EQ(number(config, "factor"), 8) << name;
    EXPECT_EQ(text(config, "layout"), "interleaved") << name;
    Params broken;
    for (const auto& [key, value] : file) {
      if (key != name + ".rope_scaling.factor") broken[key] = value;
    }
    EXPECT_EQ(refusal(broken), name + ".rope_scaling.factor: the key is missing; linear needs it");
    broken = file;
    broken[name + ".rope_theta"] = word("big");
    EXPECT_EQ(refusal(broken), name + ".rope_theta: \"big\" is not a number");
  }
  // LLaVA 1.5 leaves out Llama's defaults; Qwen2-VL has keys at the top level that are missing in
  // its text_config.
  EXPECT_EQ(number(read({{"model_type", word("llava")}, {"text_config.model_type", word("llama")}}),
                   "base"),
            10000);
  EXPECT_EQ(number(read({{"rope_theta", 1e6}, {"text_config.hidden_size", 1536.0}}), "base"), 1e6);
}

}  // namespace
}  // namespace phasor::test
