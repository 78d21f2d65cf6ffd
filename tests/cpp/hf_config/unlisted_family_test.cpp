// Families that are not listed are read only if every key that may concern positions is known.
// Assumptions are reported.

#include <gtest/gtest.h>

#include "model_encoding_file.h"

namespace phasor::test {
namespace {

TEST(UnlistedFamily, ReportsAssumptions) {
  const ConfigEncoding read = model(
      {{"model_type", word("foo")}, {"rope_theta", 500.0}, {"max_position_embeddings", 4096.0}});
  EXPECT_EQ(read.encoding.id, "rope");
  EXPECT_EQ(number(read.encoding, "base"), 500);
  EXPECT_EQ(std::get<std::string>(read.assumed.at("layout")), "half_split");
  EXPECT_EQ(std::get<double>(read.assumed.at("rotary_fraction")), 1);
  EXPECT_EQ(std::get<std::string>(read.assumed.at("layers")), "all");
  EXPECT_EQ(std::get<std::string>(read.assumed.at("direction")), "positive");
  EXPECT_FALSE(read.assumed.contains("rope_theta"));
  EXPECT_TRUE(read.defaults.empty());
  const ConfigEncoding explicit_keys =
      model({{"model_type", word("foo")},
             {"rope_scaling.rope_type", word("linear")},
             {"rope_scaling.factor", 2.0},
             {"rope_interleave", true},
             {"partial_rotary_factor", 0.5},
             {"layer_types", word("full_attention, full_attention")}});
  EXPECT_EQ(text(explicit_keys.encoding, "layout"), "interleaved");
  EXPECT_EQ(explicit_keys.assumed.size(), 2u);
  EXPECT_EQ(std::get<double>(explicit_keys.assumed.at("rope_theta")), 10000);
}

TEST(UnlistedFamily, RejectsUnknownPositionKeys) {
  struct Case {
    const char *family, *key;
    ParamValue value;
    const char* quoted_family;
  };
  const Case cases[] = {
      {"phi3small", "rope_embedding_base", 1e6, "1000000"},
      {"phi3small", "rope_position_scale", 1.0, "1"},
      {"foo", "rotary_emb_fraction", 1.0, "1"},
      {"foo", "rotary_emb_interleaved", true, "true"},
      {"stablelm_epoch", "rope_pct", 0.25, "0.25"},
      {"qwen", "use_dynamic_ntk", true, "true"},
      {"qwen", "use_logn_attn", true, "true"},
      {"foo", "rope_ratio", 50.0, "50"},
      {"foo", "no_rope_layers", list({1, 0}), "a list of 2 numbers"},
      {"foo", "use_rope", false, "false"},
      {"foo", "sliding_window", 4096.0, "4096"},
      {"foo", "sliding_window_pattern", 4.0, "4"},
      {"foo", "use_sliding_window", true, "true"},
      {"foo", "layer_types", word("sliding_attention, full_attention"),
       "\"sliding_attention, full_attention\""},
      {"foo", "attn_config.rope_theta", 5000.0, "5000"},
      {"foo", "use_alibi", true, "true"},
      // latent attention, layers without attention, images
      {"foo", "kv_lora_rank", 512.0, "512"},
      {"foo", "qk_rope_head_dim", 64.0, "64"},
      {"foo", "hybrid_override_pattern", word("M*"), "\"M*\""},
      {"foo", "full_attention_interval", 4.0, "4"},
      {"foo", "full_attn_idxs", list({2}), "a list of 1 numbers"},
      {"foo", "attn_layer_period", 8.0, "8"},
      {"foo", "mamba_d_state", 16.0, "16"},
      {"foo", "attention_chunk_size", 8192.0, "8192"},
      {"foo", "patch_size", 16.0, "16"},
  };
  for (const Case& c : cases) {
    Params file = {{"model_type", word(c.family)}, {"rope_theta", 10000.0}};
    const std::string expected_message =
        std::string(c.key) + ": " + c.quoted_family + " has no known meaning for model_type \"" +
        c.family +
        "\", which is not listed; set the encoding yourself, for example {id: "
        "\"rope\", base: 10000, layout: \"half_split\"}";
    file[c.key] = c.value;
    EXPECT_EQ(model_refusal(file), expected_message);
    const Params nested_config = {{"text_config.model_type", word(c.family)},
                                  {"text_config.rope_theta", 10000.0},
                                  {std::string("text_config.") + c.key, c.value}};
    EXPECT_EQ(model_refusal(nested_config), "text_config." + expected_message);
  }
  // No other key concerns positions.
  const std::string family_message =
      model_refusal({{"model_type", word("phi3small")}, {"rope_embedding_base", 1e6}});
  EXPECT_EQ(family_message.rfind("rope_embedding_base: 1000000 has no known meaning for model_type "
                                 "\"phi3small\", which is not listed;",
                                 0),
            0u);
  EXPECT_EQ(model_refusal({{"rope_theta", 10000.0}, {"rope_ratio", 2.0}}).substr(0, 76),
            "rope_ratio: 2 has no known meaning for model_type none, which is not listed;");
}

TEST(UnlistedFamily, IgnoresDisabledOptionsAndUnrelatedKeys) {
  const Params file = {{"model_type", word("foo")},
                       {"rope_theta", 10000.0},
                       {"use_dynamic_ntk", false},
                       {"use_logn_attn", false},
                       {"sliding_window", 4096.0},
                       {"use_sliding_window", false},
                       {"alibi", false},
                       {"routed_scaling_factor", 2.5},
                       {"vision_config.rope_theta", 100.0},
                       {"rope_scaling", Tensor{}}};
  EXPECT_EQ(number(model(file).encoding, "base"), 10000);
  EXPECT_EQ(
      number(
          model({{"model_type", word("foo")}, {"rope_theta", 500.0}, {"sliding_window", Tensor{}}})
              .encoding,
          "base"),
      500);
}

TEST(UnlistedFamily, RequiresALayerIfLayersDiffer) {
  const Params file = {{"model_type", word("foo")},
                       {"layer_types", word("sliding_attention, full_attention")},
                       {"rope_parameters.full_attention.rope_type", word("default")},
                       {"rope_parameters.full_attention.rope_theta", 1e6},
                       {"rope_parameters.sliding_attention.rope_type", word("default")},
                       {"rope_parameters.sliding_attention.rope_theta", 1e4}};
  EXPECT_EQ(model_refusal(file),
            "layer_type: is required, because layers differ; expected one of full_attention, "
            "sliding_attention");
  EXPECT_EQ(number(model(file, {.layer_idx = 0}).encoding, "base"), 1e4);
  EXPECT_EQ(number(model(file, {.layer_type = "full_attention"}).encoding, "base"), 1e6);
  Params without_types = file;
  without_types["layer_types"] = Tensor{};
  EXPECT_EQ(model_refusal(without_types, {.layer_idx = 0}),
            "layer_type: is required, because layers differ; expected one of full_attention, "
            "sliding_attention");
}

TEST(UnlistedFamily, ReadsAlibiAndAssumesItsForm) {
  const ConfigEncoding read =
      model({{"model_type", word("foo")}, {"alibi", true}, {"n_head", 8.0}});
  EXPECT_EQ(read.encoding.id, "alibi");
  EXPECT_EQ(std::get<std::string>(read.assumed.at("form")), "symmetric");
  EXPECT_EQ(model_refusal({{"model_type", word("foo")}, {"alibi", true}, {"alibi_bias_max", 8.0}})
                .rfind("alibi_bias_max: 8 has no known meaning", 0),
            0u);
}

}  // namespace
}  // namespace phasor::test
