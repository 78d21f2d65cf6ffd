// Differences between GGUF metadata and config.json by architecture, and rejected files.

#include <gtest/gtest.h>

#include <set>

#include "gguf_models.h"
#include "phasor/hf_config.h"

namespace phasor::test {
namespace {

constexpr int kEmbed = 32, kHeads = 4, kDim = 16;

// A model of this architecture with the tensor names of gguf-py. Only norms have values other than
// 0. 4 heads of 16 channels exceed the embedding dim of 32.
GgufFile make_file(const std::string& a, int layers = 2) {
  GgufFile out;
  out.text("general.architecture", a);
  out.count(a + ".embedding_length", kEmbed).count(a + ".block_count", layers);
  out.count(a + ".feed_forward_length", 48).count(a + ".context_length", 128);
  out.count(a + ".attention.head_count", kHeads).count(a + ".attention.head_count_kv", 2);
  out.real(a + ".attention.layer_norm_rms_epsilon", 1e-6);
  out.count(a + ".attention.key_length", kDim).count(a + ".attention.value_length", kDim);
  const Json names = read_json("golden-gguf/names.json")["names"][a];
  for (const auto& [name, gguf] : names.items()) {
    const bool query = name.ends_with("q_proj.weight"), key = name.ends_with("k_proj.weight");
    if (name.find("norm") != name.npos) {
      out.floats(gguf.get<std::string>(), Tensor({2}, {1.5f, -3}));
    } else {
      out.floats(gguf.get<std::string>(), Tensor({query ? kHeads * kDim
                                                  : key ? 2 * kDim
                                                        : 8,
                                                  kEmbed}));
    }
  }
  return out;
}

Result<GgufModel> read_model(const GgufFile& file, const OrderedMap<Tensor>& config_tensors = {}) {
  const Bytes bytes = file.bytes();
  const Result<GgufHeader> header = header_of(bytes);
  if (!header.ok()) return header.status();
  return model_from_gguf(*header, config_tensors);
}

std::string read_error(const GgufFile& file, const OrderedMap<Tensor>& config_tensors = {}) {
  const Result<GgufModel> model = read_model(file, config_tensors);
  return model.ok() ? "not rejected" : model.status().message();
}

template <class T>
T metadata(const GgufModel& model, const char* key) {
  const ParamValue* value = model.config.find(key);
  EXPECT_NE(value, nullptr) << key;
  const T* typed = value == nullptr ? nullptr : std::get_if<T>(value);
  EXPECT_NE(typed, nullptr) << key;
  return typed == nullptr ? T() : *typed;
}

TEST(GgufArchitectures, WeightNamesMatchTransformers) {
  const Json all_names = read_json("golden-gguf/names.json")["names"];
  for (const char* a : {"gemma", "gemma2", "gemma3", "qwen3", "phi3", "smollm3"}) {
    SCOPED_TRACE(a);
    GgufFile file = make_file(a);
    if (std::string(a) == "phi3") file.count("phi3.rope.dimension_count", kDim);
    const GgufModel model = value_of(read_model(file));
    std::set<std::string> names, expected;
    for (const GgufWeight& weight : model.weights) names.insert(weight.name);
    for (const auto& [name, gguf] : all_names[a].items()) expected.insert(name);
    EXPECT_EQ(names, expected);
    EXPECT_EQ(metadata<double>(model, "head_dim"), kDim);
    EXPECT_EQ(metadata<bool>(model, "tie_word_embeddings"), true);
    EXPECT_EQ(metadata<double>(model, "vocab_size"), 8);
    EXPECT_EQ(metadata<double>(model, "rms_norm_eps"), 1e-6);
    ASSERT_OK_AND_ASSIGN(const auto layers, layers_from_config(model.config));
    EXPECT_EQ(layers.size(), 2u);
  }
}

TEST(GgufArchitectures, GemmaNormsAreReadWithoutTheAddedOne) {
  const GgufFile file = make_file("gemma3");
  const Bytes bytes = file.bytes();
  ASSERT_OK_AND_ASSIGN(const GgufHeader header, header_of(bytes));
  ASSERT_OK_AND_ASSIGN(const GgufModel model, model_from_gguf(header, {}));
  int norm_count = 0;
  for (const GgufWeight& weight : model.weights) {
    const bool is_norm = weight.name.find("norm") != weight.name.npos;
    EXPECT_EQ(weight.includes_one, is_norm) << weight.name;
    if (!is_norm) continue;
    ++norm_count;
    const Tensor restored =
        value_of(read_gguf_weight(header, weight, bytes_of(bytes, header.tensors[weight.tensor])));
    EXPECT_EQ(restored.data, (std::vector<float>{0.5f, -4}));
  }
  EXPECT_EQ(norm_count, 13);
}

TEST(GgufArchitectures, Gemma3UsesTheLocalBaseAndGlobalLayersOfLlamaCpp) {
  GgufFile file = make_file("gemma3", 12);
  file.real("gemma3.rope.freq_base", 1e6).count("gemma3.attention.sliding_window", 512);
  const GgufModel model = value_of(read_model(file));
  EXPECT_EQ(metadata<std::string>(model, "model_type"), "gemma3_text");
  EXPECT_EQ(metadata<double>(model, "rope_local_base_freq"), 10000);
  ASSERT_OK_AND_ASSIGN(const auto layers, layers_from_config(model.config));
  ASSERT_EQ(layers.size(), 12u);
  for (std::size_t n = 0; n < 12; ++n) {
    const bool global = n % 6 == 5;
    EXPECT_EQ(layers[n].window, global ? std::nullopt : std::optional(512)) << n;
    EXPECT_EQ(std::get<double>(layers[n].encoding->params.at("base")), global ? 1e6 : 1e4) << n;
  }
}

TEST(GgufArchitectures, Gemma3ReadsTheLayerPatternOfTheFile) {
  GgufFile file = make_file("gemma3", 3);
  file.count("gemma3.attention.sliding_window", 512);
  GgufFile larger_file = file;
  file.numbers("gemma3.attention.sliding_window_pattern", GgufType::boolean,
               std::vector<std::uint8_t>{0, 1, 0});
  EXPECT_EQ(metadata<std::string>(value_of(read_model(file)), "layer_types"),
            "full_attention, sliding_attention, full_attention");
  larger_file.numbers("gemma3.attention.sliding_window_pattern", GgufType::boolean,
                      std::vector<std::uint8_t>{0, 1});
  EXPECT_EQ(read_error(larger_file),
            "gemma3.attention.sliding_window_pattern: has 2 elements; expected one per layer, 3");
}

// The 27B models divide queries by the square root of hidden size / heads (5376 / 32 in Gemma 3),
// not of the head dim.
TEST(GgufArchitectures, Gemma27BScalesQueriesByTheHiddenSizePerHead) {
  EXPECT_EQ(
      metadata<double>(value_of(read_model(make_file("gemma3", 61))), "query_pre_attn_scalar"),
      kDim);
  EXPECT_EQ(
      metadata<double>(value_of(read_model(make_file("gemma3", 62))), "query_pre_attn_scalar"),
      kEmbed / kHeads);
  EXPECT_EQ(
      metadata<double>(value_of(read_model(make_file("gemma2", 46))), "query_pre_attn_scalar"),
      kEmbed / kHeads);
}

TEST(GgufArchitectures, SmolLm3DoesNotRotateEveryFourthLayer) {
  GgufFile file = make_file("smollm3", 8);
  ASSERT_OK_AND_ASSIGN(const auto layers, layers_from_config(value_of(read_model(file)).config));
  for (std::size_t n = 0; n < 8; ++n)
    EXPECT_EQ(layers[n].encoding->id, n % 4 == 3 ? "none" : "rope") << n;
}

TEST(GgufArchitectures, Phi3ReadsRopeFactorsFromTensors) {
  GgufFile file = make_file("phi3");
  file.count("phi3.rope.dimension_count", kDim);
  file.count("phi3.rope.scaling.original_context_length", 64);
  file.real("phi3.rope.scaling.attn_factor", 1.19);
  const Tensor long_factors({8}, {1, 2, 3, 4, 5, 6, 7, 8}),
      short_factors({8}, std::vector<float>(8, 1));
  file.floats("rope_factors_long.weight", long_factors)
      .floats("rope_factors_short.weight", short_factors);
  const GgufModel model =
      value_of(read_model(file, {{"rope_factors_long.weight", long_factors},
                                 {"rope_factors_short.weight", short_factors}}));
  EXPECT_EQ(metadata<Tensor>(model, "rope_scaling.long_factor").data, long_factors.data);
  EXPECT_EQ(metadata<Tensor>(model, "rope_scaling.short_factor").data, short_factors.data);
  EXPECT_EQ(metadata<double>(model, "rope_scaling.attention_factor"), 1.19);
  ASSERT_OK_AND_ASSIGN(const auto layers, layers_from_config(model.config));
  EXPECT_EQ(layers.size(), 2u);
  EXPECT_EQ(read_error(file), "config_tensors: has no values for rope_factors_short.weight");
}

TEST(GgufArchitectures, ReadsYarnAndLinearScalingAndRejectsOtherTypes) {
  GgufFile file = make_file("qwen3");
  file.real("qwen3.rope.scaling.factor", 4);
  file.count("qwen3.rope.scaling.original_context_length", 64);
  GgufFile linear = file, none = file, other = file;
  const GgufModel yarn = value_of(read_model(file.text("qwen3.rope.scaling.type", "yarn")));
  EXPECT_EQ(metadata<std::string>(yarn, "rope_scaling.rope_type"), "yarn");
  EXPECT_EQ(metadata<double>(yarn, "rope_scaling.factor"), 4);
  EXPECT_EQ(metadata<double>(yarn, "rope_scaling.original_max_position_embeddings"), 64);
  EXPECT_TRUE(layers_from_config(yarn.config).ok());
  EXPECT_EQ(
      metadata<std::string>(value_of(read_model(linear.text("qwen3.rope.scaling.type", "linear"))),
                            "rope_scaling.rope_type"),
      "linear");
  EXPECT_FALSE(value_of(read_model(none.text("qwen3.rope.scaling.type", "none")))
                   .config.contains("rope_scaling.rope_type"));
  EXPECT_EQ(
      read_error(other.text("qwen3.rope.scaling.type", "spiral")),
      "qwen3.rope.scaling.type: spiral is not supported; expected none, linear, yarn or longrope");
}

TEST(GgufArchitectures, RejectsUnknownKeysAndTensors) {
  EXPECT_EQ(read_error(make_file("qwen3").real("qwen3.attention.clamp_kqv", 8)),
            "qwen3.attention.clamp_kqv: the key is not known for this architecture");
  EXPECT_EQ(read_error(make_file("qwen3").floats("blk.0.attn_sinks.weight", Tensor({4}))),
            "blk.0.attn_sinks.weight: the tensor is not known for the architecture qwen3");
  EXPECT_EQ(read_error(make_file("qwen3").floats("blk.2.attn_norm.weight", Tensor({2}))),
            "blk.2.attn_norm.weight: the model has only 2 layers");
  EXPECT_EQ(read_error(make_file("qwen3").floats("blk.00.attn_norm.weight", Tensor({2}))),
            "blk.00.attn_norm.weight: the tensor is not known for the architecture qwen3");
  // Keys of tokenizers and of conversion tools are ignored.
  EXPECT_EQ(read_error(make_file("qwen3").text("tokenizer.ggml.pre", "qwen2").count("x.y", 1)),
            "not rejected");
}

TEST(GgufArchitectures, RejectsFilesThatAreNotASupportedModel) {
  EXPECT_EQ(
      read_error(GgufFile().text("general.architecture", "mamba")),
      "general.architecture: \"mamba\" is not known; expected one of bert, modern-bert, gemma, "
      "gemma2, gemma3, gpt2, gptneox, bloom, llama, smollm3, qwen2, qwen3, phi3, t5encoder");
  EXPECT_EQ(read_error(GgufFile()), "general.architecture: the key is missing");
  EXPECT_EQ(read_error(make_file("qwen3").text("general.type", "adapter")),
            "general.type: \"adapter\" is not supported; expected model");
  EXPECT_EQ(read_error(GgufFile().text("general.architecture", "qwen3")),
            "qwen3.embedding_length: the key is missing");
}

TEST(GgufArchitectures, RejectsUnsupportedValues) {
  GgufFile expert_model;
  expert_model.text("general.architecture", "llama").count("llama.expert_count", 8);
  for (const char* key :
       {"embedding_length", "block_count", "feed_forward_length", "attention.head_count"})
    expert_model.count(std::string("llama.") + key, 2);
  expert_model.real("llama.attention.layer_norm_rms_epsilon", 1e-5);
  expert_model.floats("token_embd.weight", Tensor({4, 2}));
  EXPECT_EQ(read_error(expert_model), "llama.expert_count: 8 is not supported; expected 0");
  EXPECT_EQ(read_error(make_file("qwen3").count("qwen3.rope.dimension_count", 8)),
            "qwen3.rope.dimension_count: 8 is not supported; expected 16");
  EXPECT_EQ(read_error(make_file("qwen3").count("qwen3.vocab_size", 9)),
            "qwen3.vocab_size: 9 is not supported; expected 8");
  GgufFile layers = GgufFile();
  layers.text("general.architecture", "qwen3")
      .number("qwen3.embedding_length", GgufType::int32, -4);
  EXPECT_EQ(read_error(layers), "qwen3.block_count: the key is missing");
}

TEST(GgufArchitectures, RejectsProjectionsOfAnotherShape) {
  GgufFile file;
  file.text("general.architecture", "smollm3");
  for (const char* key : {"embedding_length", "block_count", "feed_forward_length"})
    file.count(std::string("smollm3.") + key, 8);
  file.count("smollm3.attention.head_count", 2);
  file.real("smollm3.attention.layer_norm_rms_epsilon", 1e-5);
  file.floats("token_embd.weight", Tensor({4, 8})).floats("blk.0.attn_k.weight", Tensor({9, 8}));
  EXPECT_EQ(read_error(file), "blk.0.attn_k.weight: has shape 9 x 8; expected 2 heads of 4 rows");
}

}  // namespace
}  // namespace phasor::test
