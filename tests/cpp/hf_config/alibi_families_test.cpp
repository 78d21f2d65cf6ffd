// Model families that always or optionally use ALiBi.

#include <gtest/gtest.h>

#include <cmath>

#include "model_encoding_file.h"
#include "phasor/relative_position.h"
#include "results.h"

namespace phasor::test {
namespace {

TEST(ModelFamily, ReadsAlibiOfBert) {
  EXPECT_EQ(
      model({{"model_type", word("bert")}, {"position_embedding_type", word("alibi")}}).encoding.id,
      "alibi");
  const ConfigEncoding mosaic = model({{"model_type", word("bert")},
                                       {"position_embedding_type", word("absolute")},
                                       {"alibi_starting_size", 512.0}});
  EXPECT_EQ(mosaic.encoding.id, "alibi");
  EXPECT_TRUE(mosaic.encoding.params.empty());  // symmetric
}

TEST(ModelFamily, ReadsRowShiftedAlibiOfBloom) {
  const ConfigEncoding bloom =
      model({{"model_type", word("bloom")}, {"n_head", 16.0}, {"offset_alibi", 100.0}});
  EXPECT_EQ(bloom.encoding.id, "alibi");
  EXPECT_EQ(text(bloom.encoding, "form"), "row_shifted");
  EXPECT_EQ(std::get<double>(bloom.source_keys.at("n_head")), 16);
  EXPECT_FALSE(bloom.source_keys.contains("offset_alibi"));
}

TEST(ModelFamily, FalconUsesRopeOrAlibi) {
  EXPECT_EQ(model({{"model_type", word("falcon")}}).encoding.id, "rope");
  EXPECT_EQ(model({{"model_type", word("falcon")}, {"alibi", false}}).encoding.id, "rope");
  const ConfigEncoding falcon = model({{"model_type", word("falcon")},
                                       {"alibi", true},
                                       {"num_attention_heads", 32.0},
                                       {"hidden_size", 2048.0}},
                                      {}, 64, 32);
  EXPECT_EQ(text(falcon.encoding, "form"), "row_shifted");
  const std::vector<float>& slopes = std::get<Tensor>(falcon.encoding.params.at("slopes")).data;
  ASSERT_EQ(slopes.size(), 32u);
  EXPECT_EQ(slopes[3], 0.0625F);  // 2^-1 / sqrt(64)
  for (std::size_t h = 0; h < slopes.size(); ++h) {
    const float unscaled = slopes[h] * 8;
    EXPECT_EQ(__builtin_bit_cast(std::uint32_t, unscaled) & 0xffff, 0u);  // bfloat16
    const double exact_slope = value_of(alibi_slopes(32))[h];
    EXPECT_LE(std::fabs(static_cast<double>(unscaled) / exact_slope - 1), 1.0 / 256);
  }
}

TEST(ModelFamily, FalconWithAlibiIgnoresKeysOfRotation) {
  const Params file = {
      {"model_type", word("falcon")}, {"alibi", true}, {"n_head", 4.0}, {"hidden_size", 64.0}};
  const std::vector<float> slopes =
      std::get<Tensor>(model(file, {}, 16, 4).encoding.params.at("slopes")).data;
  for (const auto& [key, value] : Params{{"rope_theta", 10000.0},
                                         {"rope_parameters.rope_theta", 10000.0},
                                         {"rope_parameters.rope_type", word("default")},
                                         {"rope_scaling.type", word("linear")}}) {
    Params saved_config = file;
    saved_config[key] = value;
    const ConfigEncoding falcon = model(saved_config, {}, 16, 4);
    EXPECT_EQ(falcon.encoding.id, "alibi") << key;
    EXPECT_EQ(std::get<Tensor>(falcon.encoding.params.at("slopes")).data, slopes) << key;
    EXPECT_TRUE(std::get<bool>(falcon.source_keys.at("alibi")));
    EXPECT_FALSE(falcon.source_keys.contains(key));
    saved_config["alibi"] = false;
    if (key == "rope_theta") {
      EXPECT_EQ(model(saved_config).encoding.id, "rope");
    }
  }
}

TEST(ModelFamily, ReadsAlibiParametersOfMpt) {
  const ConfigEncoding plain = model({{"model_type", word("mpt")}, {"attn_config.alibi", true}});
  EXPECT_EQ(text(plain.encoding, "form"), "mpt");
  EXPECT_EQ(number(plain.encoding, "max_seq_len"), 2048);
  EXPECT_EQ(number(plain.encoding, "bias_max"), 8);
  EXPECT_FALSE(plain.scale.has_value());
  const ConfigEncoding custom = model({{"model_type", word("mpt")},
                                       {"max_seq_len", 64.0},
                                       {"n_heads", 4.0},
                                       {"attn_config.alibi_bias_max", 16.0},
                                       {"attn_config.softmax_scale", 0.5}});
  EXPECT_EQ(number(custom.encoding, "max_seq_len"), 64);
  EXPECT_EQ(number(custom.encoding, "bias_max"), 16);
  EXPECT_EQ(custom.scale, 0.5);
  EXPECT_EQ(model_refusal({{"model_type", word("mpt")}, {"attn_config.alibi", false}}),
            "attn_config.alibi: false contradicts model_type");
  EXPECT_EQ(model_refusal({{"model_type", word("mpt")}, {"attn_config.alibi_bias_max", 100.0}}),
            "attn_config.alibi_bias_max: 100 is outside 0.125 to 64");
}

}  // namespace
}  // namespace phasor::test
