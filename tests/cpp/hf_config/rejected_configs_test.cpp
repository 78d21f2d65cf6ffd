// Rejected configs: without positions, with contradictory keys or with invalid values.

#include <gtest/gtest.h>

#include "core/format_error.h"
#include "model_encoding_file.h"

namespace phasor::test {
namespace {

TEST(ConfigEncoding, RejectsUnknownFamiliesWithoutPositionKeys) {
  const std::string sentence = " is not known, and no other key specifies the positions";
  for (const char* family : {"foo", "baichuan", "perceiver"}) {
    EXPECT_EQ(model_refusal({{"model_type", word(family)},
                             {"hidden_size", 64.0},
                             {"max_position_embeddings", 512.0}}),
              "model_type: \"" + std::string(family) + "\"" + sentence);
  }
  const std::string missing =
      "model_type: the key is missing; expected the name of the family whose conventions apply";
  EXPECT_EQ(model_refusal({}), missing);
  EXPECT_EQ(model_refusal({{"position_embedding_type", word("absolute")}}), missing);
  EXPECT_EQ(model_refusal({{"text_config.hidden_size", 64.0}}), "text_config." + missing);
}

TEST(ConfigEncoding, RejectsContradictoryKeys) {
  const auto make_message = [](const std::string& key, const std::string& other_key) {
    return key + " contradicts " + other_key;
  };
  EXPECT_EQ(model_refusal({{"model_type", word("foo")}, {"alibi", true}, {"rope_theta", 10000.0}}),
            make_message("rope_theta: 10000", "alibi"));
  EXPECT_EQ(model_refusal({{"model_type", word("foo")},
                           {"position_embedding_type", word("alibi")},
                           {"rotary_dim", 4.0}}),
            make_message("rotary_dim: 4", "alibi"));
  EXPECT_EQ(model_refusal({{"model_type", word("bloom")}, {"rope_theta", 10000.0}}),
            make_message("rope_theta: 10000", "model_type"));
  EXPECT_EQ(model_refusal({{"model_type", word("gpt2")}, {"rope_scaling.type", word("linear")}}),
            make_message("rope_scaling.type: \"linear\"", "model_type"));
  EXPECT_EQ(model_refusal({{"model_type", word("gpt2")}, {"alibi", true}}),
            make_message("alibi: true", "model_type"));
  EXPECT_EQ(model_refusal({{"model_type", word("bloom")}, {"alibi", false}}),
            make_message("alibi: false", "model_type"));
  EXPECT_EQ(model_refusal({{"model_type", word("llama")}, {"alibi", true}}),
            make_message("model_type: \"llama\"", "alibi"));
  EXPECT_EQ(
      model_refusal({{"text_config.model_type", word("opt")}, {"text_config.rope_theta", 10000.0}}),
      "text_config." + make_message("rope_theta: 10000", "model_type"));
  EXPECT_EQ(
      model_refusal({{"model_type", word("gpt2")}, {"position_embedding_type", word("rotary")}}),
      make_message("position_embedding_type: \"rotary\"", "model_type"));
  EXPECT_EQ(
      model_refusal({{"model_type", word("gpt2")}, {"position_embedding_type", word("nope")}}),
      make_message("position_embedding_type: \"nope\"", "model_type"));
  for (const char* type : {"rotary", "relative_key"}) {
    EXPECT_EQ(model_refusal({{"model_type", word("foo")},
                             {"alibi", true},
                             {"position_embedding_type", word(type)}}),
              make_message("position_embedding_type: \"" + std::string(type) + "\"", "alibi"));
  }
  EXPECT_EQ(model_refusal({{"model_type", word("foo")},
                           {"alibi", true},
                           {"position_embedding_type", word("nope")}}),
            make_message("alibi: true", "position_embedding_type"));
  EXPECT_EQ(model_refusal({{"model_type", word("bert")},
                           {"alibi", false},
                           {"position_embedding_type", word("alibi")}}),
            make_message("alibi: false", "model_type"));
  EXPECT_EQ(
      model_refusal({{"model_type", word("llama")}, {"position_embedding_type", word("absolute")}}),
      "position_embedding_type: \"absolute\" models do not rotate queries and keys");
}

TEST(ConfigEncoding, RejectsValuesOfWrongTypeOrRange) {
  const std::string uneven =
      " is not a whole number of at most " + to_message(kMaxExtent) + " that divides hidden_size, ";
  EXPECT_EQ(model_refusal({{"model_type", 7.0}}), "model_type: 7 is not a string");
  EXPECT_EQ(model_refusal({{"model_type", word("foo")}, {"alibi", word("yes")}}),
            "alibi: \"yes\" is not true or false");
  EXPECT_EQ(model_refusal({{"model_type", word("opt")}, {"max_position_embeddings", 1.5}}),
            "max_position_embeddings: 1.5 is not a whole number");
  EXPECT_EQ(model_refusal({{"model_type", word("opt")}, {"max_position_embeddings", word("2048")}}),
            "max_position_embeddings: \"2048\" is not a number");
  EXPECT_EQ(model_refusal({{"model_type", word("t5")}, {"relative_attention_num_buckets", 1.0}},
                          {.stack = "encoder"}),
            "relative_attention_num_buckets: 1 is outside 2 to 4096");
  EXPECT_EQ(model_refusal({{"model_type", word("falcon")},
                           {"alibi", true},
                           {"num_attention_heads", 8.0},
                           {"hidden_size", 4.0}}),
            "num_attention_heads: 8" + uneven + "4");
  EXPECT_EQ(model_refusal({{"model_type", word("falcon")}, {"alibi", true}, {"n_head", 0.0}}),
            "n_head: 0" + uneven + "4544");
  EXPECT_EQ(model_refusal({{"model_type", word("falcon")}, {"alibi", true}, {"hidden_size", 64.0}}),
            "num_attention_heads: 71" + uneven + "64");
  EXPECT_EQ(
      model_refusal(
          {{"model_type", word("falcon")}, {"alibi", true}, {"n_head", 2.5}, {"hidden_size", 5.0}}),
      "n_head: 2.5" + uneven + "5");
  EXPECT_EQ(model_refusal({{"model_type", word("gemma2")}, {"query_pre_attn_scalar", -1.0}}),
            "query_pre_attn_scalar: -1 is not a number in (0, 1048576]");
  EXPECT_EQ(model_refusal({{"model_type", word("t5")}}, {.stack = "both"}),
            "stack: \"both\" is unknown; expected one of encoder, decoder");
}

}  // namespace
}  // namespace phasor::test
