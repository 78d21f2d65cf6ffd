// Listed families whose layers differ or rotate only if a key enables it, layer by layer as in
// transformers.

#include <gtest/gtest.h>

#include <cmath>

#include "listed_rope.h"

namespace phasor::test {
namespace {

TEST(ListedLayers, Cohere2AndExaoneRotateOnlyLayersWithAWindow) {
  for (const char* family : {"cohere2", "exaone4", "exaone_moe"}) {
    const Expected rotary = {.layout = std::string(family) == "cohere2" ? kNeighbours : kHalf};
    const Params file = {{"model_type", word(family)}, {"num_hidden_layers", 8.0}};
    for (int layer = 0; layer < 8; ++layer) {
      const std::string where = family + (" " + std::to_string(layer));
      if (layer % 4 == 3) {
        expect_none(file, {.layer_idx = layer}, where);
      } else {
        expect(file, {.layer_idx = layer}, rotary, where);
      }
    }
    expect(file, {.layer_type = "sliding_attention"}, rotary, family);
    expect_none(file, {.layer_type = "full_attention"}, family);
    EXPECT_EQ(model_refusal(file),
              "layer_type: is required, because layers differ; expected one of full_attention, "
              "sliding_attention");
    EXPECT_EQ(model_refusal(file, {.layer_idx = 8}),
              "layer_idx: 8 is not a layer index; expected 0 to 7");
    EXPECT_EQ(model_refusal(file, {.layer_type = "full_attention", .layer_idx = 2}),
              "layer_type: \"full_attention\" is not the type of layer 2, which is "
              "\"sliding_attention\"");
    EXPECT_EQ(refusal(file, {.layer_idx = 3}),
              "layer_idx: layer 3 does not rotate queries and keys");
    EXPECT_EQ(refusal(file, {.layer_type = "full_attention"}),
              "layer_type: \"full_attention\" layers do not rotate queries and keys");

    Params listed = file;
    listed["layer_types"] = word("full_attention, sliding_attention");
    expect_none(listed, {.layer_idx = 0}, family);
    expect(listed, {.layer_idx = 1}, rotary, family);
    listed["layer_types"] = word("sliding_attention, sliding_attention");
    expect(listed, {}, rotary, family);
    Params every_second = file;
    every_second["sliding_window_pattern"] = 2.0;
    expect_none(every_second, {.layer_idx = 1}, family);
    every_second["sliding_window_pattern"] = 0.0;
    EXPECT_EQ(model_refusal(every_second),
              "sliding_window_pattern: 0 is not a whole number from 1 to 1048576");
    Params short_list = file;
    short_list["num_hidden_layers"] = 3.0;
    expect(short_list, {}, rotary, family);
  }
}

TEST(ListedLayers, WithoutAWindowExaone4RotatesAllLayersAndCohere2None) {
  const Params null_window = {{"num_hidden_layers", 8.0}, {"sliding_window", Tensor{}}};
  Params exaone = null_window, cohere = null_window;
  exaone["model_type"] = word("exaone4");
  exaone["layer_types"] = word("full_attention, full_attention");
  cohere["model_type"] = word("cohere2");
  expect(exaone, {}, {}, "EXAONE 4.0 1.2B");
  expect_none(cohere, {}, "cohere2");
  EXPECT_EQ(refusal(cohere), "config: no layer of this model rotates queries and keys");
}

TEST(ListedLayers, Llama4AndSmolLm3DoNotRotateEveryFourthLayer) {
  for (const auto& [family, expected] :
       {std::pair{"llama4_text", Expected{.layout = kNeighbours, .base = 500000}},
        {"llama4", Expected{.layout = kNeighbours, .base = 500000}},
        {"smollm3", Expected{.base = 2e6}}}) {
    const Params without_keys = {{"model_type", word(family)}};
    Params with_count = without_keys, interval = without_keys, listed = without_keys;
    with_count["num_hidden_layers"] = 8.0;
    interval["no_rope_layer_interval"] = 3.0;
    listed["no_rope_layers"] = list({0, 1, 1});
    for (const Params& file : {without_keys, with_count}) {
      for (int layer = 0; layer < 3; ++layer) expect(file, {.layer_idx = layer}, expected, family);
      expect_none(file, {.layer_idx = 3}, family);
      expect_none(file, {.layer_idx = 7}, family);
      EXPECT_EQ(
          model_refusal(file).rfind("layer_idx: is required, because layers differ; expected 0", 0),
          0u)
          << model_refusal(file);
    }
    expect_none(interval, {.layer_idx = 2}, family);
    expect(interval, {.layer_idx = 3}, expected, family);
    expect_none(listed, {.layer_idx = 0}, family);
    expect(listed, {.layer_idx = 2}, expected, family);
    Params without_pattern = without_keys;
    without_pattern["no_rope_layers"] = list({0, 0});
    expect_none(without_pattern, {}, family);
    EXPECT_EQ(refusal(without_pattern), "config: no layer of this model rotates queries and keys");
    EXPECT_EQ(refusal(listed, {.layer_idx = 0}),
              "layer_idx: layer 0 does not rotate queries and keys");
  }
}

// In transformers, Llama 4 ignores an empty list and SmolLM3 raises an IndexError.
TEST(ListedLayers, Llama4IgnoresAnEmptyLayerListAndSmolLm3RejectsIt) {
  const Params llama4 = {{"model_type", word("llama4_text")}, {"no_rope_layers", list({})}};
  expect(llama4, {.layer_idx = 2}, {.layout = kNeighbours, .base = 500000}, "llama4_text");
  expect_none(llama4, {.layer_idx = 3}, "llama4_text");
  const Params smollm3 = {{"model_type", word("smollm3")}, {"no_rope_layers", list({})}};
  const std::string expected_message =
      "no_rope_layers: the list is empty; expected one entry per layer, or no list";
  EXPECT_EQ(model_refusal(smollm3), expected_message);
  EXPECT_EQ(model_refusal(smollm3, {.layer_idx = 2}), expected_message);
  EXPECT_EQ(refusal(smollm3, {.layer_idx = 2}), expected_message);
}

TEST(ListedLayers, Olmo3ScalesOnlyFullAttention) {
  const Params file = {{"model_type", word("olmo3")},
                       {"rope_theta", 5e5},
                       {"rope_scaling.rope_type", word("yarn")},
                       {"rope_scaling.factor", 8.0},
                       {"rope_scaling.original_max_position_embeddings", 8192.0}};
  const Params version_5 = {{"model_type", word("olmo3")},
                            {"rope_parameters.rope_theta", 5e5},
                            {"rope_parameters.rope_type", word("yarn")},
                            {"rope_parameters.factor", 8.0},
                            {"rope_parameters.original_max_position_embeddings", 8192.0}};
  for (const Params& config : {file, version_5}) {
    for (int layer = 0; layer < 3; ++layer)
      expect(config, {.layer_idx = layer}, {.base = 5e5}, "olmo3");
    expect(config, {.layer_idx = 3}, {.base = 5e5, .scaling = "yarn"}, "olmo3");
    EXPECT_EQ(model_refusal(config),
              "layer_type: is required, because layers differ; expected one of full_attention, "
              "sliding_attention");
  }
}

TEST(ListedLayers, Gemma3AndModernBertHaveALocalBase) {
  for (const char* family : {"gemma3", "gemma3_text"}) {
    for (int layer = 0; layer < 12; ++layer) {
      expect({{"model_type", word(family)}}, {.layer_idx = layer},
             {.base = layer % 6 == 5 ? 1e6 : 10000.0}, family);
    }
  }
  for (const char* family : {"gemma3n", "gemma3n_text"}) {
    for (int layer = 0; layer < 10; ++layer) {
      expect({{"model_type", word(family)}}, {.layer_idx = layer},
             {.base = layer % 5 == 4 ? 1e6 : 10000.0}, family);
    }
  }
  const Params modernbert = {{"model_type", word("modernbert")},
                             {"global_rope_theta", 150000.0},
                             {"position_embedding_type", word("absolute")}};
  for (int layer = 0; layer < 6; ++layer) {
    expect(modernbert, {.layer_idx = layer}, {.base = layer % 3 == 0 ? 150000.0 : 10000.0},
           "modernbert");
  }
  Params without_local_base = modernbert;
  without_local_base["local_rope_theta"] = Tensor{};  // null: the global base
  expect(without_local_base, {.layer_type = "sliding_attention"}, {.base = 150000}, "modernbert");
}

TEST(ListedLayers, MllamaCrossAttentionHasNoPositions) {
  for (const char* family : {"mllama", "mllama_text_model"}) {
    Params file = {{"model_type", word(family)}, {"num_hidden_layers", 40.0}};
    expect(file, {.layer_idx = 0}, {.base = 500000}, family);
    expect_none(file, {.layer_idx = 3}, family);
    EXPECT_EQ(model_refusal(file),
              "layer_idx: is required, because layers differ; expected 0 to 39");
    file["cross_attention_layers"] = list({1, 2});
    expect_none(file, {.layer_idx = 1}, family);
    expect(file, {.layer_idx = 3}, {.base = 500000}, family);
    file["cross_attention_layers"] = list({});
    expect(file, {}, {.base = 500000}, family);
  }
}

TEST(ListedLayers, Zamba2AndGraniteHybridRotateOnlyIfEnabled) {
  Params zamba = {
      {"model_type", word("zamba2")}, {"hidden_size", 2560.0}, {"num_attention_heads", 32.0}};
  expect_none(zamba, {}, "zamba2");
  EXPECT_EQ(
      refusal(zamba),
      "use_mem_rope: models of this family rotate queries and keys only if this key enables it");
  EXPECT_EQ(model(zamba).scale, 1 / std::sqrt(80.0));
  zamba["use_mem_rope"] = false;
  zamba["rope_theta"] = 10000.0;
  expect_none(zamba, {}, "zamba2");
  zamba["use_mem_rope"] = true;
  expect(zamba, {}, {}, "zamba2");
  zamba["use_long_context"] = true;
  EXPECT_EQ(model_refusal(zamba), "use_long_context: true is not supported");
  Params granite = {{"model_type", word("granitemoehybrid")}, {"rope_theta", 10000.0}};
  expect_none(granite, {}, "granitemoehybrid");
  granite["position_embedding_type"] = word("nope");
  EXPECT_EQ(model(granite).encoding.id, "none");
  granite["position_embedding_type"] = word("rope");
  expect(granite, {}, {}, "granitemoehybrid");
}

TEST(ListedLayers, RejectsLinearAttentionLayers) {
  Params file = {{"model_type", word("qwen3_next")},
                 {"layer_types", word("linear_attention, full_attention")}};
  EXPECT_EQ(model_refusal(file, {.layer_idx = 0}),
            "layer_idx: layer 0 is linear_attention, which has no queries or keys");
  expect(file, {.layer_idx = 1}, {.rotary_fraction = 0.25}, "qwen3_next");
  expect(file, {}, {.rotary_fraction = 0.25}, "qwen3_next");
}

}  // namespace
}  // namespace phasor::test
