// Tiny models of transformers, written as GGUF like llama.cpp's converter does: config, layers and
// every value of every tensor are restored.

#include <gtest/gtest.h>

#include "gguf_conversions.h"
#include "phasor/encoding_ops.h"
#include "phasor/hf_config.h"

namespace phasor::test {
namespace {

OrderedMap<Tensor> config_tensors(const Bytes& file, const GgufHeader& header) {
  OrderedMap<Tensor> out;
  for (const GgufTensor& tensor : header.tensors) {
    if (is_gguf_config_tensor(tensor.name))
      out.add(tensor.name,
              Tensor(tensor.shape, value_of(dequantize(tensor, bytes_of(file, tensor)))));
  }
  return out;
}

// A value of the golden config, including defaults of its class and the format of transformers 5.
Json expected_value(const Json& config, const std::string& key) {
  if (config.contains(key) && !config[key].is_null()) return config[key];
  if (config.contains("rope_parameters")) {
    const std::string rope_key = key.starts_with("rope_scaling.") ? key.substr(13) : key;
    if (config["rope_parameters"].contains(rope_key)) return config["rope_parameters"][rope_key];
  }
  const std::map<std::string, Json> defaults = {{"tie_word_embeddings", true},
                                                {"hidden_act", "gelu"},
                                                {"n_inner", 96},  // 4 * n_embd
                                                {"is_encoder_decoder", true}};
  const auto default_param = defaults.find(key);
  return default_param == defaults.end() ? Json("no such key") : default_param->second;
}

bool equals_json(const ParamValue& value, const Json& json) {
  if (const auto* number = std::get_if<double>(&value)) return json == *number;
  if (const auto* boolean = std::get_if<bool>(&value)) return json == *boolean;
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && json == *text;
}

TEST(GgufModels, ConfigMatchesTransformers) {
  for (const GoldenModel& golden : kModels) {
    SCOPED_TRACE(golden.name);
    const GoldenCheckpoint model = golden_checkpoint(golden.name);
    const Bytes file = golden.write(model).bytes();
    ASSERT_OK_AND_ASSIGN(const GgufHeader header, header_of(file));
    ASSERT_OK_AND_ASSIGN(const GgufModel gguf_model,
                         model_from_gguf(header, config_tensors(file, header)));
    for (const auto& [key, value] : gguf_model.config) {
      if (key.starts_with("rope_scaling.") && std::string(golden.name) == "llama3") continue;
      EXPECT_TRUE(equals_json(value, expected_value(model.config, key))) << key;
    }
    EXPECT_GE(gguf_model.config.size(), 7u);
  }
}

const std::vector<double> kPositions = {0, 1, 33};

TEST(GgufModels, LayersMatchTransformers) {
  for (const GoldenModel& golden : kModels) {
    SCOPED_TRACE(golden.name);
    const GoldenCheckpoint model = golden_checkpoint(golden.name);
    const Bytes file = golden.write(model).bytes();
    ASSERT_OK_AND_ASSIGN(const GgufHeader header, header_of(file));
    ASSERT_OK_AND_ASSIGN(const GgufModel gguf_model,
                         model_from_gguf(header, config_tensors(file, header)));
    Params config;
    flatten(model.config, "", config);
    ASSERT_OK_AND_ASSIGN(const auto layers, layers_from_config(gguf_model.config));
    ASSERT_OK_AND_ASSIGN(const auto config_layers, layers_from_config(config));
    ASSERT_EQ(layers.size(), config_layers.size());
    for (std::size_t n = 0; n < layers.size(); ++n) {
      const ConfigLayer &a = layers[n], &b = config_layers[n];
      EXPECT_EQ(a.type, b.type);
      EXPECT_EQ(a.causal, b.causal);
      EXPECT_EQ(a.window, b.window);
      EXPECT_EQ(a.scale, b.scale);
      EXPECT_EQ(a.encoding->id, b.encoding->id);
      const bool rotates = a.encoding->id == "rope";
      const int heads = model.config.contains("num_attention_heads")
                            ? read_integer(model.config, "num_attention_heads")
                            : 1;
      if (rotates) {
        const int dim = read_integer(model.config, "hidden_size") / heads;
        const Tensor angles = value_of(rotary_angles(*a.encoding, kPositions, dim)),
                     same = value_of(rotary_angles(*b.encoding, kPositions, dim));
        ASSERT_EQ(angles.shape, same.shape);
        for (std::size_t i = 0; i < angles.data.size(); ++i)
          EXPECT_NEAR(angles.data[i], same.data[i], 2e-7f * (1 + same.data[i]));
        EXPECT_EQ(a.encoding->params.contains("layout"), b.encoding->params.contains("layout"));
      }
    }
  }
}

TEST(GgufModels, RestoresEveryTensor) {
  for (const GoldenModel& golden : kModels) {
    SCOPED_TRACE(golden.name);
    const GoldenCheckpoint model = golden_checkpoint(golden.name);
    const Bytes file = golden.write(model).bytes();
    ASSERT_OK_AND_ASSIGN(const GgufHeader header, header_of(file));
    const auto values = config_tensors(file, header);
    ASSERT_OK_AND_ASSIGN(const GgufModel gguf_model, model_from_gguf(header, values));
    EXPECT_EQ(gguf_model.weights.size() + values.size(), header.tensors.size());
    EXPECT_GE(gguf_model.weights.size(), model.file.tensors.size() - 2);  // BERT's pooler
    for (const GgufWeight& weight : gguf_model.weights) {
      const Tensor* config_layers = model.file.tensors.find(weight.name);
      ASSERT_NE(config_layers, nullptr) << weight.name;
      const GgufTensor& tensor = header.tensors[weight.tensor];
      const Tensor restored = value_of(read_gguf_weight(header, weight, bytes_of(file, tensor)));
      EXPECT_EQ(restored.shape, config_layers->shape) << weight.name;
      EXPECT_EQ(weight.shape, config_layers->shape) << weight.name;
      EXPECT_EQ(restored.data, config_layers->data) << weight.name;
    }
  }
}

// The same model as a Llama, whose rows are permuted, and as a Qwen, whose rows are not.
TEST(GgufModels, PermutedAndUnpermutedFilesHaveTheSameTensors) {
  const GoldenCheckpoint model = golden_checkpoint("llama-gqa");
  const auto weights = [&](bool is_permuted) {
    const Bytes file = llama_file(model, is_permuted).bytes();
    const GgufHeader header = value_of(header_of(file));
    std::map<std::string, std::vector<float>> out;
    for (const GgufWeight& weight : value_of(model_from_gguf(header, {})).weights)
      out[weight.name] =
          value_of(read_gguf_weight(header, weight, bytes_of(file, header.tensors[weight.tensor])))
              .data;
    return out;
  };
  EXPECT_EQ(weights(true), weights(false));
  // the comparison is only meaningful if the files differ
  EXPECT_NE(llama_file(model, true).bytes(), llama_file(model, false).bytes());
}

TEST(GgufModels, ReordersWholeRowsOfBlocks) {
  const GoldenCheckpoint model = golden_checkpoint("llama-gqa");
  const Json names = read_json("golden-gguf/names.json")["names"]["llama"];
  const std::string name = "model.layers.0.self_attn.q_proj.weight";
  const Tensor& query = model.file.tensors.at(name);
  ASSERT_EQ(query.shape[1], 32);
  // Q8_0 with the scale 1 / 64: row r has the values r.
  GgufFile out;
  out.text("general.architecture", "llama");
  add_llama_keys(model.config, "llama", out);
  out.floats("token_embd.weight", model.file.tensors.at("model.embed_tokens.weight"));
  Bytes blocks;
  for (int row = 0; row < query.shape[0]; ++row) {
    blocks.insert(blocks.end(), {0x00, 0x24});
    blocks.insert(blocks.end(), 32, static_cast<std::uint8_t>(row));
  }
  out.tensor(names[name].get<std::string>(), query.shape, 8, blocks);
  const Bytes file = out.bytes();
  ASSERT_OK_AND_ASSIGN(const GgufHeader header, header_of(file));
  ASSERT_OK_AND_ASSIGN(const GgufModel gguf_model, model_from_gguf(header, {}));
  const GgufWeight& weight = gguf_model.weights.back();
  ASSERT_EQ(weight.name, name);
  const Tensor rows =
      value_of(read_gguf_weight(header, weight, bytes_of(file, header.tensors[weight.tensor])));
  // The first head has 8 channels: 0 to 3 are in rows 0, 2, 4, 6, and 4 to 7 in rows 1, 3, 5, 7.
  const int stored_rows[] = {0, 2, 4, 6, 1, 3, 5, 7, 8, 10};
  for (int row = 0; row < 10; ++row) {
    EXPECT_EQ(weight.rows.stored_row(row), stored_rows[row]);
    EXPECT_EQ(rows.data[static_cast<std::size_t>(row) * 32],
              static_cast<float>(stored_rows[row]) / 64.0f);
  }
}

}  // namespace
}  // namespace phasor::test
