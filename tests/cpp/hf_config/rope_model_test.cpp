// Scaling of published models, and missing or unknown keys.

#include <gtest/gtest.h>

#include "model_file.h"
#include "phasor/hf_config.h"

namespace phasor::test {
namespace {

TEST(RopeModel, ReadsModelsWithoutScaling) {
  const EncodingConfig config =
      read({{"model_type", word("mistral")}, {"rope_theta", 1e6}, {"hidden_size", 4096.0}});
  EXPECT_EQ(config.id, "rope");
  EXPECT_EQ(number(config, "base"), 1e6);
  EXPECT_EQ(text(config, "layout"), "half_split");
  EXPECT_EQ(text(config, "scaling"), "none");
  // Llama 1 and 2 have no rope_theta.
  EXPECT_EQ(number(read({{"model_type", word("llama")}}), "base"), 10000);
}

TEST(RopeModel, ReadsLlama31Scaling) {
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

TEST(RopeModel, YarnDerivesMissingValuesFromTheModelLength) {
  EXPECT_EQ(number(read({{"max_position_embeddings", 4096.0},
                         {"rope_scaling.type", word("yarn")},
                         {"rope_scaling.factor", 16.0}}),
                   "original_length"),
            4096);
  const EncodingConfig ratio = read({{"max_position_embeddings", 131072.0},
                                     {"rope_scaling.type", word("yarn")},
                                     {"rope_scaling.original_max_position_embeddings", 4096.0}});
  EXPECT_EQ(number(ratio, "factor"), 32);
}

TEST(RopeModel, ReadsPhi3Longrope) {
  Params file = {{"model_type", word("phi3")},
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

TEST(RopeModel, ReadsDynamicScaling) {
  const EncodingConfig config = read({{"max_position_embeddings", 2048.0},
                                      {"rope_scaling.type", word("dynamic")},
                                      {"rope_scaling.factor", 2.0}},
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

TEST(RopeModel, ReadsQwenVlSections) {
  const EncodingConfig llama_base = read({{"rope_theta", 1e6},
                                          {"rope_scaling.type", word("mrope")},
                                          {"rope_scaling.mrope_section", list({16, 24, 24})}});
  EXPECT_EQ(llama_base.id, "mrope");
  EXPECT_EQ(text(llama_base, "arrangement"), "contiguous");
  EXPECT_EQ(std::get<Tensor>(llama_base.params.at("sections")).data,
            (std::vector<float>{16, 24, 24}));
  const EncodingConfig default_type = read({{"rope_scaling.rope_type", word("default")},
                                            {"rope_scaling.mrope_interleaved", true},
                                            {"rope_scaling.mrope_section", list({24, 20, 20})}});
  EXPECT_EQ(text(default_type, "arrangement"), "interleaved");
  const EncodingConfig yarn_config =
      read({{"rope_scaling.type", word("yarn")},
            {"rope_scaling.mrope_section", list({16, 24, 24})},
            {"rope_scaling.factor", 4.0},
            {"rope_scaling.original_max_position_embeddings", 32768.0}});
  EXPECT_EQ(yarn_config.id, "mrope");
  EXPECT_EQ(text(yarn_config, "scaling"), "yarn");
}

TEST(RopeModel, ReadsAllKeysForPartialRotation) {
  EXPECT_EQ(number(read({{"model_type", word("phi")}, {"partial_rotary_factor", 0.5}}),
                   "rotary_fraction"),
            0.5);
  EXPECT_EQ(number(read({{"rope_parameters.rope_theta", 1e4},
                         {"rope_parameters.partial_rotary_factor", 0.5}}),
                   "rotary_fraction"),
            0.5);
  const EncodingConfig neox =
      read({{"model_type", word("gpt_neox")}, {"rotary_pct", 0.25}, {"rotary_emb_base", 20000.0}});
  EXPECT_EQ(number(neox, "rotary_fraction"), 0.25);
  EXPECT_EQ(number(neox, "base"), 20000);
  const EncodingConfig gptj = read({{"model_type", word("gptj")}, {"rotary_dim", 64.0}});
  EXPECT_EQ(number(gptj, "rotary_dim"), 64);
  EXPECT_EQ(text(gptj, "layout"), "interleaved");
  EXPECT_EQ(text(read({{"model_type", word("kimi_k2")}, {"rope_interleave", true}}), "layout"),
            "interleaved");
}

TEST(RopeModel, RejectsInvalidSequenceLengths) {
  EXPECT_EQ(refusal({}, {.sequence_length = 0.5}), "sequence_length: 0.5 is not a whole number");
  EXPECT_EQ(refusal({}, {.sequence_length = -1}), "sequence_length: -1 is outside 0 to 2147483647");
}

TEST(RopeModel, NamesMissingKeys) {
  const auto scaling = [](const char* type, Params extra_params = {}) {
    extra_params["rope_scaling.rope_type"] = word(type);
    return refusal(extra_params);
  };
  EXPECT_EQ(refusal({{"rope_scaling.factor", 2.0}}),
            "rope_scaling.rope_type: the key is missing; expected one of default, mrope, linear, "
            "dynamic, yarn, longrope, su, llama3, proportional");
  EXPECT_EQ(refusal({{"factor", 2.0}}).rfind("rope_type: the key is missing", 0), 0u);
  EXPECT_EQ(scaling("linear"), "rope_scaling.factor: the key is missing; linear needs it");
  EXPECT_EQ(scaling("dynamic", {{"rope_scaling.factor", 2.0}}),
            "rope_scaling.original_max_position_embeddings: the key is missing; dynamic needs it, "
            "or the model's max_position_embeddings");
  EXPECT_EQ(scaling("yarn", {{"max_position_embeddings", 4096.0}}),
            "rope_scaling.factor: the key is missing; yarn needs it");
  EXPECT_EQ(
      scaling("llama3", {{"rope_scaling.factor", 8.0}, {"rope_scaling.low_freq_factor", 1.0}}),
      "rope_scaling.high_freq_factor: the key is missing; llama3 needs it");
  EXPECT_EQ(scaling("longrope", {{"rope_scaling.short_factor", list({1})}}),
            "rope_scaling.long_factor: the key is missing; longrope needs it");
  EXPECT_EQ(scaling("mrope"), "rope_scaling.mrope_section: the key is missing; mrope needs it");
}

TEST(RopeModel, NamesUnknownKeysAndValuesOfWrongType) {
  EXPECT_EQ(refusal({{"rope_scaling.rope_type", word("ntk")}}),
            "rope_scaling.rope_type: \"ntk\" is unknown; expected one of default, mrope, linear, "
            "dynamic, yarn, longrope, su, llama3, proportional");
  EXPECT_EQ(
      refusal({{"rope_scaling.type", word("linear")},
               {"rope_scaling.factor", 2.0},
               {"rope_scaling.facter", 3.0}}),
      "rope_scaling.facter: linear does not use this key, whose value is 3; expected one of type, "
      "rope_type, "
      "rope_theta, partial_rotary_factor, factor, "
      "mrope_section, mrope_interleaved");
  EXPECT_EQ(refusal({{"rope_scaling.type", word("linear")}, {"rope_scaling.factor", word("2")}}),
            "rope_scaling.factor: \"2\" is not a number");
  EXPECT_EQ(refusal({{"rope_scaling.type", 7.0}}), "rope_scaling.type: 7 is not a string");
  EXPECT_EQ(refusal({{"rope_scaling", word("yarn")}}), "rope_scaling: \"yarn\" is not an object");
  EXPECT_EQ(refusal({{"rope_theta", true}}), "rope_theta: true is not a number");
  EXPECT_EQ(refusal({{"rope_scaling.type", word("longrope")},
                     {"rope_scaling.short_factor", 1.0},
                     {"rope_scaling.long_factor", list({1})}}),
            "rope_scaling.short_factor: 1 is not a list of numbers");
  EXPECT_EQ(
      refusal(
          {{"rope_scaling.type", word("default")}, {"rope_parameters.rope_type", word("default")}}),
      "rope_scaling: cannot be combined with the keys rope_parameters.*; expected one of them");
}

}  // namespace
}  // namespace phasor::test
