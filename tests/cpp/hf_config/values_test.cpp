// Invalid values are rejected with the path of their key.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model_file.h"

namespace phasor::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(),
                 kInfinity = std::numeric_limits<double>::infinity();

const Params kPlain = {{"model_type", word("llama")}};
const Params kYarn = {{"max_position_embeddings", 32768.0},
                      {"rope_scaling.rope_type", word("yarn")},
                      {"rope_scaling.factor", 4.0},
                      {"rope_scaling.original_max_position_embeddings", 8192.0}};
const Params kLlama3 = {{"rope_scaling.rope_type", word("llama3")},
                        {"rope_scaling.factor", 8.0},
                        {"rope_scaling.low_freq_factor", 1.0},
                        {"rope_scaling.high_freq_factor", 4.0},
                        {"rope_scaling.original_max_position_embeddings", 8192.0}};
const Params kLongrope = {{"max_position_embeddings", 131072.0},
                          {"original_max_position_embeddings", 4096.0},
                          {"rope_scaling.type", word("longrope")},
                          {"rope_scaling.short_factor", list({1, 2})},
                          {"rope_scaling.long_factor", list({4, 8})}};

Params with_key(Params file, const std::string& key, ParamValue value) {
  file[key] = std::move(value);
  return file;
}

struct Case {
  Params file;
  const char* key;
  double value;
  const char* expected_values;
};

void expect_refusals(std::initializer_list<Case> cases) {
  for (const Case& c : cases) {
    const std::string message = refusal(with_key(c.file, c.key, c.value));
    const std::string message_start = std::string(c.key) + ": ";
    EXPECT_EQ(message.rfind(message_start, 0), 0u) << message << " for " << c.key << " " << c.value;
    EXPECT_NE(message.find(c.expected_values), std::string::npos) << message;
  }
}

TEST(RopeValues, ReadsTheUnchangedConfigs) {
  for (const Params& file : {kPlain, kYarn, kLlama3, kLongrope}) read(file, {}, 4);
}

TEST(RopeValues, RejectsInvalidBases) {
  const std::pair<const char*, const char*> keys[] = {{"llama", "rope_theta"},
                                                      {"gpt_neox", "rotary_emb_base"},
                                                      {"dbrx", "attn_config.rope_theta"},
                                                      {"llama", "rope_parameters.rope_theta"}};
  for (const auto& [family, key] : keys) {
    for (const double value : {kNaN, kInfinity, -kInfinity, -5.0, 0.0, 1.0}) {
      expect_refusals(
          {{{{"model_type", word(family)}}, key, value, " is outside 1.001 to 1000000000000"}});
    }
  }
  EXPECT_EQ(refusal(with_key(kPlain, "rope_theta", -5.0)),
            "rope_theta: -5 is outside 1.001 to 1000000000000");
  EXPECT_EQ(refusal({{"text_config.rope_theta", kNaN}}),
            "text_config.rope_theta: NaN is outside 1.001 to 1000000000000");
  EXPECT_EQ(refusal({{"rope_local_base_freq", 0.0}}, {.layer_type = "sliding_attention"}),
            "rope_local_base_freq: 0 is outside 1.001 to 1000000000000");
}

TEST(RopeValues, RejectsInvalidFactors) {
  for (const double value : {-1.0, 0.0, 0.5, kNaN, kInfinity}) {
    expect_refusals(
        {{kYarn, "rope_scaling.factor", value, " is outside 1 to 1000000"},
         {kLlama3, "rope_scaling.factor", value, " is outside 1 to 1000000"},
         {{{"rope_scaling.type", word("linear")}},
          "rope_scaling.factor",
          value,
          " is outside 1 to 1000000"},
         {{{"type", word("linear")}}, "factor", value, " is outside 1 to 1000000"},
         {{{"type", word("proportional")}}, "factor", value, " is outside 1 to 1000000"},
         {{{"type", word("dynamic")}, {"max_position_embeddings", 2048.0}},
          "factor",
          value,
          " is outside 1 to 1000000"}});
  }
  expect_refusals(
      {{{{"type", word("dynamic")}, {"factor", 1.0}}, "alpha", -2, " is outside 1 to 1000000"}});
}

TEST(RopeValues, RejectsInvalidRotaryFractions) {
  for (const double value : {7.0, 0.0, -0.5, kNaN}) {
    expect_refusals(
        {{kPlain, "partial_rotary_factor", value, " is not a number in (0, 1]"},
         {kPlain, "rope_parameters.partial_rotary_factor", value, " is not a number in (0, 1]"},
         {{{"model_type", word("gpt_neox")}}, "rotary_pct", value, " is not a number in (0, 1]"},
         {{{"rope_type", word("proportional")}},
          "partial_rotary_factor",
          value,
          " is not a number in (0, 1]"}});
  }
  for (const double value : {0.0, -2.0, 7.0, 63.5, kNaN, kInfinity}) {
    expect_refusals({{{{"model_type", word("gptj")}},
                      "rotary_dim",
                      value,
                      " is not an even number from 2 to 1048576"}});
  }
}

TEST(RopeValues, RejectsInvalidHeadDims) {
  for (const double value : {0.0, -64.0, 63.0, 64.5, kNaN}) {
    expect_refusals({{kPlain, "head_dim", value, " is not an even number from 2 to 1048576"},
                     {{{"model_type", word("deepseek_v3")}},
                      "qk_rope_head_dim",
                      value,
                      " is not an even number from 2 to 1048576"}});
  }
  EXPECT_EQ(
      refusal({{"model_type", word("phi")}, {"partial_rotary_factor", 0.3}, {"head_dim", 10.0}}),
      "partial_rotary_factor: 0.3 of 10 channels is 3; expected an even number of at least 2, "
      "because rope rotates channels in pairs");
  EXPECT_EQ(refusal({{"model_type", word("gptj")}, {"rotary_dim", 64.0}, {"head_dim", 16.0}}),
            "rotary_dim: 64 exceeds dim 16");
  EXPECT_EQ(refusal(with_key(kLongrope, "head_dim", 8.0)),
            "rope_scaling.short_factor: has 2 values; expected one per rotated channel pair, 4");
  Params latent = {
      {"model_type", word("deepseek_v3")}, {"head_dim", 192.0}, {"qk_rope_head_dim", 64.0}};
  EXPECT_EQ(text(read(latent), "layout"), "interleaved");
}

TEST(RopeValues, RejectsInvalidContextLengths) {
  constexpr const char* kAllowed = " is not a whole number from 2 to 2147483647";
  constexpr const char* kOriginal = "rope_scaling.original_max_position_embeddings";
  for (const double value : {0.0, -1.0, 4096.5, kNaN, kInfinity}) {
    expect_refusals({{kYarn, kOriginal, value, kAllowed},
                     {kLlama3, kOriginal, value, kAllowed},
                     {kYarn, "max_position_embeddings", value, kAllowed},
                     {kLongrope, "original_max_position_embeddings", value, kAllowed},
                     {kLongrope, "max_position_embeddings", value, kAllowed},
                     {{{"rope_scaling.type", word("dynamic")}, {"rope_scaling.factor", 2.0}},
                      "max_position_embeddings",
                      value,
                      kAllowed}});
  }
  EXPECT_EQ(refusal(with_key(kLongrope, "max_position_embeddings", 2048.0)),
            "max_position_embeddings: 2048 is below original_length, which is 4096");
  EXPECT_EQ(refusal({{"max_position_embeddings", 1024.0},
                     {"rope_scaling.type", word("yarn")},
                     {"rope_scaling.original_max_position_embeddings", 4096.0}}),
            "rope_scaling.factor: the key is missing; yarn needs it");
}

TEST(RopeValues, RejectsInvalidSequenceLengths) {
  for (const double value : {-1.0, kNaN, kInfinity}) {
    EXPECT_EQ(refusal(kPlain, {.sequence_length = value}).rfind("sequence_length: ", 0), 0u)
        << value;
  }
  EXPECT_EQ(refusal(kPlain, {.sequence_length = -1}),
            "sequence_length: -1 is outside 0 to 2147483647");
  EXPECT_EQ(refusal(kLongrope, {.sequence_length = 0.5}),
            "sequence_length: 0.5 is not a whole number");
}

TEST(RopeValues, RejectsInvalidAttentionFactorsAndRampBounds) {
  for (const double value : {-1.0, kNaN, kInfinity}) {
    for (const char* key :
         {"attention_factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim"}) {
      expect_refusals({{kYarn, (std::string("rope_scaling.") + key).c_str(), value, "is "}});
    }
    expect_refusals(
        {{kLongrope, "rope_scaling.attention_factor", value, " is not a number in (0, 1000]"},
         {kLongrope, "rope_scaling.short_mscale", value, " is not a number in (0, 1000]"},
         {kLlama3, "rope_scaling.low_freq_factor", value, " is outside "},
         {kLlama3, "rope_scaling.high_freq_factor", value, " is outside "}});
  }
  expect_refusals(
      {{kYarn, "rope_scaling.attention_factor", 0, ": 0 is not a number in (0, 1000]"},
       {kLongrope, "rope_scaling.short_mscale", 0, ": 0 is not a number in (0, 1000]"},
       {kLlama3, "rope_scaling.high_freq_factor", 0.5, "is below low_freq_factor, which is 1"},
       {kYarn, "rope_scaling.beta_fast", 0.5, "is below beta_slow, which is 1"}});
  EXPECT_FALSE(read(with_key(kYarn, "rope_scaling.mscale", 0.0)).params.contains("mscale"));
}

TEST(RopeValues, RejectsInvalidLists) {
  for (const float value : {0.0F, -1.0F, std::nanf("")}) {
    const std::string message =
        refusal(with_key(kLongrope, "rope_scaling.long_factor", list({4, value})));
    EXPECT_EQ(message.rfind("rope_scaling.long_factor[1]: ", 0), 0u) << message;
  }
  EXPECT_EQ(refusal(with_key(kLongrope, "rope_scaling.long_factor", list({4, 8, 16}))),
            "rope_scaling.long_factor: has 3 values; expected one per rotated channel pair, 2");
  const Params mrope = {{"rope_scaling.type", word("mrope")}};
  EXPECT_EQ(refusal(with_key(mrope, "rope_scaling.mrope_section", list({16, 24}))),
            "rope_scaling.mrope_section: has 2 entries; expected 3 (time, row, column)");
  for (const float value : {-1.0F, 0.5F, std::nanf("")}) {
    const std::string message =
        refusal(with_key(mrope, "rope_scaling.mrope_section", list({16, 24, value})));
    EXPECT_EQ(message.rfind("rope_scaling.mrope_section", 0), 0u) << message;
  }
  EXPECT_EQ(refusal(with_key(mrope, "rope_scaling.mrope_section", list({0, 0, 0})))
                .rfind("rope_scaling.mrope_section: ", 0),
            0u);
}

TEST(RopeValues, RejectsValuesOfWrongType) {
  for (const char* key :
       {"rope_theta", "partial_rotary_factor", "head_dim", "qk_rope_head_dim", "rotary_pct",
        "rotary_dim", "rotary_emb_base", "rope_local_base_freq", "attn_config.rope_theta"}) {
    EXPECT_EQ(refusal(with_key(kPlain, key, word("8")), {.layer_type = "full_attention"}),
              std::string(key) + ": \"8\" is not a number");
  }
  for (const char* key : {"alibi", "rope_interleave"}) {
    EXPECT_EQ(refusal(with_key(kPlain, key, 1.0)), std::string(key) + ": 1 is not true or false");
  }
  EXPECT_EQ(refusal(with_key(kYarn, "rope_scaling.truncate", 1.0)),
            "rope_scaling.truncate: 1 is not true or false");
  EXPECT_EQ(refusal({{"mrope_section", list({1, 1, 2})}, {"mrope_interleaved", 1.0}}),
            "mrope_interleaved: 1 is not true or false");
  EXPECT_EQ(refusal({{"model_type", 7.0}, {"rope_theta", 1e4}}), "model_type: 7 is not a string");
  EXPECT_EQ(refusal({{"position_embedding_type", true}, {"rope_theta", 1e4}}),
            "position_embedding_type: true is not a string");
}

}  // namespace
}  // namespace phasor::test
