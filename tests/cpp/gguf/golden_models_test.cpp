// Whole tiny models of transformers, written as GGUF by the formulas of llama.cpp's converter: the
// config, the layers and every number of every tensor come back.

#include <gtest/gtest.h>

#include <cmath>

#include "gguf_models.h"
#include "phasor/encoding_ops.h"
#include "phasor/hf_config.h"

namespace phasor::test {
namespace {

int whole(const Json& config, const char* key) { return config[key].get<int>(); }

// A key of the config below `architecture`, if the config has it.
void copy(const Json& config, const char* key, GgufFile& out, const std::string& gguf,
          bool is_real = false) {
  if (!config.contains(key) || config[key].is_null()) return;
  if (is_real) {
    out.real(gguf, config[key].get<double>());
  } else {
    out.count(gguf, config[key].get<double>());
  }
}

Tensor unchanged(const std::string&, const Tensor& tensor) { return tensor; }

// Llama, Qwen: the keys that both write.
void add_llama_keys(const Json& config, const std::string& a, GgufFile& out) {
  copy(config, "hidden_size", out, a + ".embedding_length");
  copy(config, "num_hidden_layers", out, a + ".block_count");
  copy(config, "intermediate_size", out, a + ".feed_forward_length");
  copy(config, "max_position_embeddings", out, a + ".context_length");
  copy(config, "num_attention_heads", out, a + ".attention.head_count");
  copy(config, "num_key_value_heads", out, a + ".attention.head_count_kv");
  copy(config, "rms_norm_eps", out, a + ".attention.layer_norm_rms_epsilon", true);
  copy(config, "rope_theta", out, a + ".rope.freq_base", true);
  copy(config, "vocab_size", out, a + ".vocab_size");
  copy(config, "head_dim", out, a + ".attention.key_length");
  copy(config, "head_dim", out, a + ".attention.value_length");
}

GgufFile llama_file(const Checkpoint& model, bool permuted = true) {
  const Json& config = model.config;
  GgufFile out;
  out.text("general.architecture", permuted ? "llama" : "qwen2");
  const std::string a = permuted ? "llama" : "qwen2";
  add_llama_keys(config, a, out);
  out.count(a + ".rope.dimension_count",
            whole(config, "hidden_size") / whole(config, "num_attention_heads"));
  if (config.contains("rope_parameters")) {  // as transformers 5 writes it
    const Json& rope = config["rope_parameters"];
    copy(rope, "rope_theta", out, a + ".rope.freq_base", true);
    out.text(a + ".rope.scaling.type", rope["rope_type"].get<std::string>());
    copy(rope, "factor", out, a + ".rope.scaling.factor", true);
  }
  const int heads = whole(config, "num_attention_heads"),
            kv_heads = whole(config, "num_key_value_heads");
  add_tensors(
      model, permuted ? "llama" : "qwen2",
      [&](const std::string& name, const Tensor& tensor) {
        if (permuted && name.find("q_proj") != name.npos) return interleaved(tensor, heads);
        if (permuted && name.find("k_proj") != name.npos) return interleaved(tensor, kv_heads);
        return tensor;
      },
      out);
  return out;
}

// generate_extra_tensors of the converter: divisors of the frequencies of llama3.
GgufFile llama3_file(const Checkpoint& model) {
  GgufFile out = llama_file(model);
  const Json& rope = model.config["rope_scaling"];
  const double factor = rope["factor"].get<double>(), low = rope["low_freq_factor"].get<double>(),
               high = rope["high_freq_factor"].get<double>(),
               length = rope["original_max_position_embeddings"].get<double>();
  const int dim = whole(model.config, "hidden_size") / whole(model.config, "num_attention_heads");
  Tensor divisors({dim / 2});
  for (int i = 0; i < dim / 2; ++i) {
    const double wave =
        2 * M_PI * std::pow(model.config["rope_theta"].get<double>(), 2.0 * i / dim);
    const double smooth = (length / wave - low) / (high - low);
    divisors.data[static_cast<std::size_t>(i)] =
        static_cast<float>(wave < length / high  ? 1
                           : wave > length / low ? factor
                                                 : 1 / ((1 - smooth) / factor + smooth));
  }
  out.floats("rope_freqs.weight", divisors);
  return out;
}

GgufFile gpt2_file(const Checkpoint& model) {
  GgufFile out;
  out.text("general.architecture", "gpt2");
  copy(model.config, "n_embd", out, "gpt2.embedding_length");
  copy(model.config, "n_layer", out, "gpt2.block_count");
  out.count("gpt2.feed_forward_length", 4 * whole(model.config, "n_embd"));
  copy(model.config, "n_positions", out, "gpt2.context_length");
  copy(model.config, "n_head", out, "gpt2.attention.head_count");
  copy(model.config, "layer_norm_epsilon", out, "gpt2.attention.layer_norm_epsilon", true);
  add_tensors(
      model, "gpt2",
      [](const std::string& name, const Tensor& tensor) {
        for (const char* end : {"c_attn.weight", "c_proj.weight", "c_fc.weight"}) {
          if (name.ends_with(end)) return transposed(tensor);
        }
        return tensor;
      },
      out);
  return out;
}

GgufFile neox_file(const Checkpoint& model) {
  const Json& config = model.config;
  GgufFile out;
  out.text("general.architecture", "gptneox");
  copy(config, "max_position_embeddings", out, "gptneox.context_length");
  copy(config, "hidden_size", out, "gptneox.embedding_length");
  copy(config, "num_hidden_layers", out, "gptneox.block_count");
  copy(config, "intermediate_size", out, "gptneox.feed_forward_length");
  const int heads = whole(config, "num_attention_heads");
  out.count("gptneox.rope.dimension_count",
            std::floor(config["rotary_pct"].get<double>() * whole(config, "hidden_size") / heads));
  out.count("gptneox.attention.head_count", heads);
  out.flag("gptneox.use_parallel_residual", config["use_parallel_residual"].get<bool>());
  copy(config, "layer_norm_eps", out, "gptneox.attention.layer_norm_epsilon", true);
  add_tensors(
      model, "gptneox",
      [heads](const std::string& name, const Tensor& tensor) {
        return name.find("query_key_value") == name.npos ? tensor : by_projection(tensor, heads);
      },
      out);
  return out;
}

GgufFile bloom_file(const Checkpoint& model) {
  const int heads = whole(model.config, "n_head"), embed = whole(model.config, "hidden_size");
  GgufFile out;
  out.text("general.architecture", "bloom").count("bloom.embedding_length", embed);
  out.count("bloom.feed_forward_length", 4 * embed).count("bloom.attention.head_count", heads);
  out.count("bloom.attention.head_count_kv", heads);
  copy(model.config, "n_layer", out, "bloom.block_count");
  copy(model.config, "layer_norm_epsilon", out, "bloom.attention.layer_norm_epsilon", true);
  add_tensors(
      model, "bloom",
      [heads](const std::string& name, const Tensor& tensor) {
        return name.find("query_key_value") == name.npos ? tensor : by_projection(tensor, heads);
      },
      out);
  return out;
}

GgufFile qwen_file(const Checkpoint& model) { return llama_file(model, false); }

GgufFile bert_file(const Checkpoint& model) {
  GgufFile out;
  out.text("general.architecture", "bert");
  copy(model.config, "max_position_embeddings", out, "bert.context_length");
  copy(model.config, "hidden_size", out, "bert.embedding_length");
  copy(model.config, "num_hidden_layers", out, "bert.block_count");
  copy(model.config, "intermediate_size", out, "bert.feed_forward_length");
  copy(model.config, "num_attention_heads", out, "bert.attention.head_count");
  copy(model.config, "layer_norm_eps", out, "bert.attention.layer_norm_epsilon", true);
  out.flag("bert.attention.causal", false).count("bert.pooling_type", 1);
  add_tensors(model, "bert", unchanged, out);
  return out;
}

GgufFile t5_file(const Checkpoint& model) {
  GgufFile out;
  out.text("general.architecture", "t5encoder").count("t5encoder.context_length", 512);
  copy(model.config, "d_model", out, "t5encoder.embedding_length");
  copy(model.config, "d_ff", out, "t5encoder.feed_forward_length");
  copy(model.config, "num_layers", out, "t5encoder.block_count");
  copy(model.config, "num_heads", out, "t5encoder.attention.head_count");
  copy(model.config, "d_kv", out, "t5encoder.attention.key_length");
  copy(model.config, "d_kv", out, "t5encoder.attention.value_length");
  copy(model.config, "layer_norm_epsilon", out, "t5encoder.attention.layer_norm_epsilon", true);
  copy(model.config, "layer_norm_epsilon", out, "t5encoder.attention.layer_norm_rms_epsilon", true);
  copy(model.config, "relative_attention_num_buckets", out,
       "t5encoder.attention.relative_buckets_count");
  add_tensors(model, "t5encoder", unchanged, out);
  return out;
}

struct GoldenModel {
  const char* name;
  GgufFile (*write)(const Checkpoint&);
};
GgufFile permuted_llama(const Checkpoint& model) { return llama_file(model); }

constexpr GoldenModel kModels[] = {
    {"llama-gqa", permuted_llama}, {"llama-tied", permuted_llama}, {"llama-v5cfg", permuted_llama},
    {"llama3", llama3_file},       {"gpt2-a", gpt2_file},          {"neox-a", neox_file},
    {"neox-seq", neox_file},       {"bloom-3h", bloom_file},       {"qwen2-a", qwen_file},
    {"qwen2-tied", qwen_file},     {"bert-base", bert_file},       {"t5enc-a", t5_file},
};

OrderedMap<Tensor> config_tensors(const Bytes& file, const GgufHeader& header) {
  OrderedMap<Tensor> out;
  for (const GgufTensor& tensor : header.tensors) {
    if (is_gguf_config_tensor(tensor.name))
      out.add(tensor.name,
              Tensor(tensor.shape, value_of(dequantize(tensor, bytes_of(file, tensor)))));
  }
  return out;
}

// A value of the golden config, also where it has the default of its class or the form of
// transformers 5.
Json expected(const Json& config, const std::string& key) {
  if (config.contains(key) && !config[key].is_null()) return config[key];
  if (config.contains("rope_parameters")) {
    const std::string inner = key.starts_with("rope_scaling.") ? key.substr(13) : key;
    if (config["rope_parameters"].contains(inner)) return config["rope_parameters"][inner];
  }
  const std::map<std::string, Json> defaults = {{"tie_word_embeddings", true},
                                                {"hidden_act", "gelu"},
                                                {"n_inner", 96},  // 4 * n_embd
                                                {"is_encoder_decoder", true}};
  const auto found = defaults.find(key);
  return found == defaults.end() ? Json("no such key") : found->second;
}

bool equal(const ParamValue& value, const Json& json) {
  if (const auto* number = std::get_if<double>(&value)) return json == *number;
  if (const auto* flag = std::get_if<bool>(&value)) return json == *flag;
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && json == *text;
}

TEST(GgufModels, TheConfigIsThatOfTransformers) {
  for (const GoldenModel& golden : kModels) {
    SCOPED_TRACE(golden.name);
    const Checkpoint model = checkpoint(golden.name);
    const Bytes file = golden.write(model).bytes();
    ASSERT_OK_AND_ASSIGN(const GgufHeader header, header_of(file));
    ASSERT_OK_AND_ASSIGN(const GgufModel read,
                         model_from_gguf(header, config_tensors(file, header)));
    for (const auto& [key, value] : read.config) {
      if (key.starts_with("rope_scaling.") && std::string(golden.name) == "llama3") continue;
      EXPECT_TRUE(equal(value, expected(model.config, key))) << key;
    }
    EXPECT_GE(read.config.size(), 8u);
  }
}

const std::vector<double> kPositions = {0, 1, 33};

// Encodings, windows, scales: what layers_from_config reads from both configs.
TEST(GgufModels, TheLayersAreThoseOfTransformers) {
  for (const GoldenModel& golden : kModels) {
    SCOPED_TRACE(golden.name);
    const Checkpoint model = checkpoint(golden.name);
    const Bytes file = golden.write(model).bytes();
    ASSERT_OK_AND_ASSIGN(const GgufHeader header, header_of(file));
    ASSERT_OK_AND_ASSIGN(const GgufModel read,
                         model_from_gguf(header, config_tensors(file, header)));
    Params config;
    flatten(model.config, "", config);
    ASSERT_OK_AND_ASSIGN(const auto layers, layers_from_config(read.config));
    ASSERT_OK_AND_ASSIGN(const auto original, layers_from_config(config));
    ASSERT_EQ(layers.size(), original.size());
    for (std::size_t n = 0; n < layers.size(); ++n) {
      const ConfigLayer &a = layers[n], &b = original[n];
      EXPECT_EQ(a.type, b.type);
      EXPECT_EQ(a.causal, b.causal);
      EXPECT_EQ(a.window, b.window);
      EXPECT_EQ(a.scale, b.scale);
      EXPECT_EQ(a.encoding->id, b.encoding->id);
      const bool rotates = a.encoding->id == "rope";
      const int heads = model.config.contains("num_attention_heads")
                            ? whole(model.config, "num_attention_heads")
                            : 1;
      if (rotates) {
        const int dim = whole(model.config, "hidden_size") / heads;
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

TEST(GgufModels, EveryTensorComesBack) {
  for (const GoldenModel& golden : kModels) {
    SCOPED_TRACE(golden.name);
    const Checkpoint model = checkpoint(golden.name);
    const Bytes file = golden.write(model).bytes();
    ASSERT_OK_AND_ASSIGN(const GgufHeader header, header_of(file));
    const auto values = config_tensors(file, header);
    ASSERT_OK_AND_ASSIGN(const GgufModel read, model_from_gguf(header, values));
    EXPECT_EQ(read.weights.size() + values.size(), header.tensors.size());
    EXPECT_GE(read.weights.size(), model.file.tensors.size() - 2);  // BERT's pooler
    for (const GgufWeight& weight : read.weights) {
      const Tensor* original = model.file.tensors.find(weight.name);
      ASSERT_NE(original, nullptr) << weight.name;
      const GgufTensor& tensor = header.tensors[weight.tensor];
      const Tensor back = value_of(read_gguf_weight(header, weight, bytes_of(file, tensor)));
      EXPECT_EQ(back.shape, original->shape) << weight.name;
      EXPECT_EQ(weight.shape, original->shape) << weight.name;
      EXPECT_EQ(back.data, original->data) << weight.name;
    }
  }
}

// A Llama whose rows are interleaved, and the same read as a Qwen, whose are not.
TEST(GgufModels, PermutedAndUnpermutedFilesHaveTheSameTensors) {
  const Checkpoint model = checkpoint("llama-gqa");
  const auto weights = [&](bool permuted) {
    const Bytes file = llama_file(model, permuted).bytes();
    const GgufHeader header = value_of(header_of(file));
    std::map<std::string, std::vector<float>> out;
    for (const GgufWeight& weight : value_of(model_from_gguf(header, {})).weights)
      out[weight.name] =
          value_of(read_gguf_weight(header, weight, bytes_of(file, header.tensors[weight.tensor])))
              .data;
    return out;
  };
  EXPECT_EQ(weights(true), weights(false));
  // and the files differ, or the test would compare nothing
  EXPECT_NE(llama_file(model, true).bytes(), llama_file(model, false).bytes());
}

// Whole rows move, so that a block of quantised numbers stays one.
TEST(GgufModels, QuantisedRowsMoveAsWhole) {
  const Checkpoint model = checkpoint("llama-gqa");
  const Json names = json_at("golden-gguf/names.json")["names"]["llama"];
  const std::string name = "model.layers.0.self_attn.q_proj.weight";
  const Tensor& query = model.file.tensors.at(name);
  ASSERT_EQ(query.shape[1], 32);  // a block
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
  ASSERT_OK_AND_ASSIGN(const GgufModel read, model_from_gguf(header, {}));
  const GgufWeight& weight = read.weights.back();
  ASSERT_EQ(weight.name, name);
  const Tensor rows =
      value_of(read_gguf_weight(header, weight, bytes_of(file, header.tensors[weight.tensor])));
  // The first head has 8 channels: 0, 1, 2, 3 are in rows 0, 2, 4, 6, and 4 ... in 1, 3, 5, 7.
  const int stored[] = {0, 2, 4, 6, 1, 3, 5, 7, 8, 10};
  for (int row = 0; row < 10; ++row) {
    EXPECT_EQ(weight.rows.stored_row(row), stored[row]);
    EXPECT_EQ(rows.data[static_cast<std::size_t>(row) * 32],
              static_cast<float>(stored[row]) / 64.0f);
  }
}

}  // namespace
}  // namespace phasor::test
