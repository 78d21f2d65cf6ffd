// Files as models publish them, as keys and values.

#include "phasor/rope_model.h"

#include <gtest/gtest.h>

#include "phasor/phasor.h"

namespace phasor::test {
namespace {

using Map = std::map<std::string, ParamValue>;

std::string word(const char* text) { return text; }
Tensor list(std::vector<float> values) {
  const int count = static_cast<int>(values.size());
  return {{count}, std::move(values)};
}

EncodingConfig read(const Map& file, const RopeModelOptions& options = {}, int width = 128) {
  EncodingConfig out;
  Status status = read_rope_model(file, options, out);
  EXPECT_TRUE(status.ok()) << status.message;
  std::unique_ptr<Encoding> encoding;  // what is read can be made
  status = create(out, {.width = width}, encoding);
  EXPECT_TRUE(status.ok()) << status.message;
  return out;
}

std::string refusal(const Map& file, const RopeModelOptions& options = {}) {
  EncodingConfig out{.id = "untouched", .params = {}};
  const Status status = read_rope_model(file, options, out);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(out.id, "untouched");
  return status.message;
}

double number(const EncodingConfig& config, const std::string& name) { return std::get<double>(config.params.at(name)); }
std::string text(const EncodingConfig& config, const std::string& name) { return std::get<std::string>(config.params.at(name)); }

TEST(RopeModel, AModelWithoutScaling) {
  const EncodingConfig config = read({{"model_type", word("mistral")}, {"rope_theta", 1e6}, {"hidden_size", 4096.0}});
  EXPECT_EQ(config.id, "rope");
  EXPECT_EQ(number(config, "base"), 1e6);
  EXPECT_EQ(text(config, "layout"), "half_split");
  EXPECT_EQ(text(config, "scaling"), "none");
  EXPECT_EQ(number(read({{"model_type", word("llama")}}), "base"), 10000);  // Llama 1 and 2 do not say it
}

TEST(RopeModel, Llama31) {
  const EncodingConfig config = read({{"rope_theta", 500000.0},
                                      {"max_position_embeddings", 131072.0},
                                      {"rope_scaling.factor", 8.0},
                                      {"rope_scaling.low_freq_factor", 1.0},
                                      {"rope_scaling.high_freq_factor", 4.0},
                                      {"rope_scaling.original_max_position_embeddings", 8192.0},
                                      {"rope_scaling.rope_type", word("llama3")}});
  EXPECT_EQ(text(config, "scaling"), "llama3");
  EXPECT_EQ(number(config, "original_length"), 8192);
  EXPECT_EQ(number(config, "factor"), 8);
}

TEST(RopeModel, OnlyTheDictionary) {
  const Map dictionary = {{"rope_type", word("yarn")},
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

TEST(RopeModel, YarnWithoutOriginalLengthTakesThatOfTheModel) {
  EXPECT_EQ(number(read({{"max_position_embeddings", 4096.0}, {"rope_scaling.type", word("yarn")}, {"rope_scaling.factor", 16.0}}),
                   "original_length"),
            4096);
  const EncodingConfig ratio = read({{"max_position_embeddings", 131072.0},
                                     {"rope_scaling.type", word("yarn")},
                                     {"rope_scaling.original_max_position_embeddings", 4096.0}});
  EXPECT_EQ(number(ratio, "factor"), 32);
}

TEST(RopeModel, Phi3) {
  Map file = {{"model_type", word("phi3")},
              {"max_position_embeddings", 131072.0},
              {"original_max_position_embeddings", 4096.0},
              {"rope_scaling.type", word("su")},
              {"rope_scaling.short_factor", list({1, 1.5F, 2, 3})},
              {"rope_scaling.long_factor", list({1, 4, 16, 64})}};
  const EncodingConfig config = read(file, {.sequence_length = 5000}, 8);
  EXPECT_EQ(text(config, "scaling"), "longrope");
  EXPECT_EQ(number(config, "max_length"), 131072);
  EXPECT_EQ(number(config, "original_length"), 4096);
  EXPECT_EQ(number(config, "sequence_length"), 5000);
  file["rope_scaling.short_mscale"] = 1.25;
  file["rope_scaling.long_mscale"] = 1.5;
  EXPECT_EQ(number(read(file, {}, 8), "attention_factor"), 1.25);
  EXPECT_EQ(number(read(file, {.sequence_length = 5000}, 8), "attention_factor"), 1.5);
}

TEST(RopeModel, DynamicCountsFromTheLengthOfTheModel) {
  const EncodingConfig config =
      read({{"max_position_embeddings", 2048.0}, {"rope_scaling.type", word("dynamic")}, {"rope_scaling.factor", 2.0}},
           {.sequence_length = 4096});
  EXPECT_EQ(text(config, "scaling"), "dynamic_ntk");
  EXPECT_EQ(number(config, "original_length"), 2048);
  const EncodingConfig hunyuan = read({{"rope_scaling.type", word("dynamic")},
                                       {"rope_scaling.factor", 1.0},
                                       {"rope_scaling.alpha", 1000.0},
                                       {"rope_scaling.beta_fast", 32.0}});
  EXPECT_EQ(text(hunyuan, "scaling"), "ntk_aware");
  EXPECT_EQ(number(hunyuan, "factor"), 1000);
}

TEST(RopeModel, QwenVl) {
  const EncodingConfig two =
      read({{"rope_theta", 1e6}, {"rope_scaling.type", word("mrope")}, {"rope_scaling.mrope_section", list({16, 24, 24})}});
  EXPECT_EQ(two.id, "mrope");
  EXPECT_EQ(text(two, "arrangement"), "contiguous");
  EXPECT_EQ(std::get<Tensor>(two.params.at("sections")).data, (std::vector<float>{16, 24, 24}));
  const EncodingConfig three = read({{"rope_scaling.rope_type", word("default")},
                                     {"rope_scaling.mrope_interleaved", true},
                                     {"rope_scaling.mrope_section", list({24, 20, 20})}});
  EXPECT_EQ(text(three, "arrangement"), "interleaved");
  const EncodingConfig longer = read({{"rope_scaling.type", word("yarn")},
                                      {"rope_scaling.mrope_section", list({16, 24, 24})},
                                      {"rope_scaling.factor", 4.0},
                                      {"rope_scaling.original_max_position_embeddings", 32768.0}});
  EXPECT_EQ(longer.id, "mrope");
  EXPECT_EQ(text(longer, "scaling"), "yarn");
}

TEST(RopeModel, LayersOfVersion5) {
  const Map gemma4 = {{"rope_parameters.full_attention.rope_type", word("proportional")},
                      {"rope_parameters.full_attention.partial_rotary_factor", 0.25},
                      {"rope_parameters.full_attention.rope_theta", 1e6},
                      {"rope_parameters.sliding_attention.rope_type", word("default")},
                      {"rope_parameters.sliding_attention.rope_theta", 10000.0}};
  const EncodingConfig full = read(gemma4, {.layer_type = "full_attention"});
  EXPECT_EQ(number(full, "kept_fraction"), 0.25);
  EXPECT_EQ(full.params.count("rotary_fraction"), 0u);
  EXPECT_EQ(number(full, "base"), 1e6);
  EXPECT_EQ(number(read(gemma4, {.layer_type = "sliding_attention"}), "base"), 10000);
  EXPECT_EQ(refusal(gemma4), "layer_type: it is not given, but layers differ; there are full_attention, sliding_attention");
  EXPECT_EQ(refusal(gemma4, {.layer_type = "linear"}), "layer_type: \"linear\" is unknown; there are full_attention, sliding_attention");
  Map bare;
  for (const auto& [key, value] : gemma4) bare[key.substr(std::string("rope_parameters.").size())] = value;
  EXPECT_EQ(number(read(bare, {.layer_type = "full_attention"}), "kept_fraction"), 0.25);
}

TEST(RopeModel, Gemma3BeforeVersion5) {
  const Map file = {
      {"rope_theta", 1e6}, {"rope_local_base_freq", 10000.0}, {"rope_scaling.rope_type", word("linear")}, {"rope_scaling.factor", 8.0}};
  EXPECT_EQ(number(read(file, {.layer_type = "sliding_attention"}), "base"), 10000);
  EXPECT_EQ(read(file, {.layer_type = "sliding_attention"}).params.count("scaling"), 0u);
  EXPECT_EQ(text(read(file, {.layer_type = "full_attention"}), "scaling"), "linear");
}

TEST(RopeModel, PartialRotaryHasFourNames) {
  EXPECT_EQ(number(read({{"model_type", word("phi")}, {"partial_rotary_factor", 0.5}}), "rotary_fraction"), 0.5);
  EXPECT_EQ(number(read({{"rope_parameters.rope_theta", 1e4}, {"rope_parameters.partial_rotary_factor", 0.5}}), "rotary_fraction"), 0.5);
  const EncodingConfig neox = read({{"model_type", word("gpt_neox")}, {"rotary_pct", 0.25}, {"rotary_emb_base", 20000.0}});
  EXPECT_EQ(number(neox, "rotary_fraction"), 0.25);
  EXPECT_EQ(number(neox, "base"), 20000);
  const EncodingConfig gptj = read({{"model_type", word("gptj")}, {"rotary_dim", 64.0}});
  EXPECT_EQ(number(gptj, "rotary_width"), 64);
  EXPECT_EQ(text(gptj, "layout"), "interleaved");
  EXPECT_EQ(text(read({{"model_type", word("kimi")}, {"rope_interleave", true}}), "layout"), "interleaved");
}

TEST(RopeModel, AFileThatIsNotOfAModelIsRefused) {
  const std::string missing =
      "rope_parameters: the key is missing; a config.json has rope_parameters, rope_scaling or rope_theta, or at least model_type or "
      "hidden_size";
  EXPECT_EQ(refusal({}), missing);
  EXPECT_EQ(refusal({{"0", 1.0}, {"1", 2.0}}), missing);  // a list of JavaScript
  EXPECT_EQ(refusal({{"text_config.vocab_size", 32000.0}}), "text_config." + missing);
  // Llama 2 as it was published: not a word about rotation.
  const EncodingConfig llama2 = read({{"hidden_size", 4096.0},
                                      {"intermediate_size", 11008.0},
                                      {"max_position_embeddings", 4096.0},
                                      {"num_attention_heads", 32.0},
                                      {"num_key_value_heads", 32.0}});
  EXPECT_EQ(number(llama2, "base"), 10000);
  EXPECT_EQ(number(read({{"rope_theta", 5000.0}}), "base"), 5000);
}

TEST(RopeModel, ModelsWithPositionsOfAnotherKindAreRefused) {
  EXPECT_EQ(refusal({{"model_type", word("gpt2")}, {"n_embd", 768.0}}), "model_type: \"gpt2\" models do not turn queries and keys");
  EXPECT_EQ(refusal({{"hidden_size", 768.0}, {"position_embedding_type", word("absolute")}}),
            "position_embedding_type: \"absolute\" models do not turn queries and keys");
  EXPECT_EQ(refusal({{"model_type", word("falcon")}, {"alibi", true}}), "alibi: ALiBi models do not turn queries and keys");
  EXPECT_EQ(number(read({{"model_type", word("falcon")}, {"alibi", false}}), "base"), 10000);
  EXPECT_EQ(number(read({{"model_type", word("esm")}, {"position_embedding_type", word("rotary")}}), "base"), 10000);
}

TEST(RopeModel, TheTextModelOfAMultimodalOneIsFound) {
  for (const std::string name : {"text_config", "language_config", "llm_config", "thinker_config.text_config"}) {
    const Map file = {{"model_type", word("llava")},       {"vision_config.hidden_size", 1024.0},
                      {"vision_config.rope_theta", 100.0}, {name + ".model_type", word("glm")},
                      {name + ".rope_theta", 500000.0},    {name + ".rope_scaling.rope_type", word("linear")},
                      {name + ".rope_scaling.factor", 8.0}};
    const EncodingConfig config = read(file);
    EXPECT_EQ(number(config, "base"), 500000) << name;
    EXPECT_EQ(number(config, "factor"), 8) << name;
    EXPECT_EQ(text(config, "layout"), "interleaved") << name;
    Map broken = file;
    broken.erase(name + ".rope_scaling.factor");
    EXPECT_EQ(refusal(broken), name + ".rope_scaling.factor: the key is missing; linear needs it");
    broken = file;
    broken[name + ".rope_theta"] = word("big");
    EXPECT_EQ(refusal(broken), name + ".rope_theta: \"big\" is not a number");
  }
  // LLaVA 1.5 leaves out what Llama's defaults say; Qwen2-VL says at the top what its text_config leaves out.
  EXPECT_EQ(number(read({{"model_type", word("llava")}, {"text_config.model_type", word("llama")}}), "base"), 10000);
  EXPECT_EQ(number(read({{"rope_theta", 1e6}, {"text_config.hidden_size", 1536.0}}), "base"), 1e6);
}

TEST(RopeModel, MissingKeysAreNamed) {
  const auto scaling = [](const char* type, Map more = {}) {
    more["rope_scaling.rope_type"] = word(type);
    return refusal(more);
  };
  EXPECT_EQ(
      refusal({{"rope_scaling.factor", 2.0}}),
      "rope_scaling.rope_type: the key is missing; it is one of default, mrope, linear, dynamic, yarn, longrope, su, llama3, proportional");
  EXPECT_EQ(refusal({{"factor", 2.0}}).rfind("rope_type: the key is missing", 0), 0u);
  EXPECT_EQ(scaling("linear"), "rope_scaling.factor: the key is missing; linear needs it");
  EXPECT_EQ(scaling("dynamic", {{"rope_scaling.factor", 2.0}}),
            "rope_scaling.original_max_position_embeddings: the key is missing; dynamic needs it, or the model's max_position_embeddings");
  EXPECT_EQ(scaling("yarn", {{"max_position_embeddings", 4096.0}}), "rope_scaling.factor: the key is missing; yarn needs it");
  EXPECT_EQ(scaling("llama3", {{"rope_scaling.factor", 8.0}, {"rope_scaling.low_freq_factor", 1.0}}),
            "rope_scaling.high_freq_factor: the key is missing; llama3 needs it");
  EXPECT_EQ(scaling("longrope", {{"rope_scaling.short_factor", list({1})}}),
            "rope_scaling.long_factor: the key is missing; longrope needs it");
  EXPECT_EQ(scaling("mrope"), "rope_scaling.mrope_section: the key is missing; mrope needs it");
}

TEST(RopeModel, UnknownKeysAndValuesOfAnotherKindAreNamed) {
  EXPECT_EQ(
      refusal({{"rope_scaling.rope_type", word("ntk")}}),
      "rope_scaling.rope_type: \"ntk\" is unknown; there are default, mrope, linear, dynamic, yarn, longrope, su, llama3, proportional");
  EXPECT_EQ(refusal({{"rope_scaling.type", word("linear")}, {"rope_scaling.factor", 2.0}, {"rope_scaling.facter", 3.0}}),
            "rope_scaling.facter: linear has no such key, here 3; it has factor, mrope_interleaved, mrope_section, partial_rotary_factor, "
            "rope_theta, rope_type, type");
  EXPECT_EQ(refusal({{"rope_scaling.type", word("linear")}, {"rope_scaling.factor", word("2")}}),
            "rope_scaling.factor: \"2\" is not a number");
  EXPECT_EQ(refusal({{"rope_scaling.type", 7.0}}), "rope_scaling.type: 7 is not a text");
  EXPECT_EQ(refusal({{"rope_scaling", word("yarn")}}), "rope_scaling: \"yarn\" is not an object");
  EXPECT_EQ(refusal({{"rope_theta", true}}), "rope_theta: true is not a number");
  EXPECT_EQ(refusal({{"rope_scaling.type", word("longrope")}, {"rope_scaling.short_factor", 1.0}, {"rope_scaling.long_factor", list({1})}}),
            "rope_scaling.short_factor: 1 is not a list of numbers");
  EXPECT_EQ(refusal({{"rope_scaling.type", word("default")}, {"rope_parameters.rope_type", word("default")}}),
            "rope_scaling: it is given beside rope_parameters.*; a model has one of them");
}

}  // namespace
}  // namespace phasor::test
