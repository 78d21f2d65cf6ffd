#pragma once
// GGUF files of each architecture as the converter of llama.cpp (convert_hf_to_gguf.py) writes
// them.

#include <cmath>
#include <numbers>

#include "gguf_models.h"

namespace phasor::test {

inline int read_integer(const Json& config, const char* key) { return config[key].get<int>(); }

// Writes a value of the config under the key `gguf`, if the config has it.
inline void copy_key(const Json& config, const char* key, GgufFile& out, const std::string& gguf,
                     bool is_real = false) {
  if (!config.contains(key) || config[key].is_null()) return;
  if (is_real) {
    out.real(gguf, config[key].get<double>());
  } else {
    out.count(gguf, config[key].get<double>());
  }
}

inline Tensor keep_tensor(const std::string&, const Tensor& tensor) { return tensor; }

// Keys that Llama and Qwen share.
inline void add_llama_keys(const Json& config, const std::string& a, GgufFile& out) {
  copy_key(config, "hidden_size", out, a + ".embedding_length");
  copy_key(config, "num_hidden_layers", out, a + ".block_count");
  copy_key(config, "intermediate_size", out, a + ".feed_forward_length");
  copy_key(config, "max_position_embeddings", out, a + ".context_length");
  copy_key(config, "num_attention_heads", out, a + ".attention.head_count");
  copy_key(config, "num_key_value_heads", out, a + ".attention.head_count_kv");
  copy_key(config, "rms_norm_eps", out, a + ".attention.layer_norm_rms_epsilon", true);
  copy_key(config, "rope_theta", out, a + ".rope.freq_base", true);
  copy_key(config, "vocab_size", out, a + ".vocab_size");
  copy_key(config, "head_dim", out, a + ".attention.key_length");
  copy_key(config, "head_dim", out, a + ".attention.value_length");
}

inline GgufFile llama_file(const GoldenCheckpoint& model, bool permuted = true) {
  const Json& config = model.config;
  GgufFile out;
  out.text("general.architecture", permuted ? "llama" : "qwen2");
  const std::string a = permuted ? "llama" : "qwen2";
  add_llama_keys(config, a, out);
  out.count(a + ".rope.dimension_count",
            read_integer(config, "hidden_size") / read_integer(config, "num_attention_heads"));
  if (config.contains("rope_parameters")) {  // the format of transformers 5
    const Json& rope = config["rope_parameters"];
    copy_key(rope, "rope_theta", out, a + ".rope.freq_base", true);
    out.text(a + ".rope.scaling.type", rope["rope_type"].get<std::string>());
    copy_key(rope, "factor", out, a + ".rope.scaling.factor", true);
  }
  const int heads = read_integer(config, "num_attention_heads"),
            kv_heads = read_integer(config, "num_key_value_heads");
  add_tensors(
      model, permuted ? "llama" : "qwen2",
      [&](const std::string& name, const Tensor& tensor) {
        if (permuted && name.find("q_proj") != name.npos) return interleave_halves(tensor, heads);
        if (permuted && name.find("k_proj") != name.npos)
          return interleave_halves(tensor, kv_heads);
        return tensor;
      },
      out);
  return out;
}

// Frequency divisors of Llama 3, as in generate_extra_tensors of the converter.
inline GgufFile llama3_file(const GoldenCheckpoint& model) {
  GgufFile out = llama_file(model);
  const Json& rope = model.config["rope_scaling"];
  const double factor = rope["factor"].get<double>(), low = rope["low_freq_factor"].get<double>(),
               high = rope["high_freq_factor"].get<double>(),
               length = rope["original_max_position_embeddings"].get<double>();
  const int dim =
      read_integer(model.config, "hidden_size") / read_integer(model.config, "num_attention_heads");
  Tensor divisors({dim / 2});
  for (int i = 0; i < dim / 2; ++i) {
    const double wavelength =
        2 * std::numbers::pi * std::pow(model.config["rope_theta"].get<double>(), 2.0 * i / dim);
    const double smooth = (length / wavelength - low) / (high - low);
    divisors.data[static_cast<std::size_t>(i)] =
        static_cast<float>(wavelength < length / high  ? 1
                           : wavelength > length / low ? factor
                                                       : 1 / ((1 - smooth) / factor + smooth));
  }
  out.floats("rope_freqs.weight", divisors);
  return out;
}

inline GgufFile gpt2_file(const GoldenCheckpoint& model) {
  GgufFile out;
  out.text("general.architecture", "gpt2");
  copy_key(model.config, "n_embd", out, "gpt2.embedding_length");
  copy_key(model.config, "n_layer", out, "gpt2.block_count");
  out.count("gpt2.feed_forward_length", 4 * read_integer(model.config, "n_embd"));
  copy_key(model.config, "n_positions", out, "gpt2.context_length");
  copy_key(model.config, "n_head", out, "gpt2.attention.head_count");
  copy_key(model.config, "layer_norm_epsilon", out, "gpt2.attention.layer_norm_epsilon", true);
  add_tensors(
      model, "gpt2",
      [](const std::string& name, const Tensor& tensor) {
        for (const char* end : {"c_attn.weight", "c_proj.weight", "c_fc.weight"}) {
          if (name.ends_with(end)) return transpose(tensor);
        }
        return tensor;
      },
      out);
  return out;
}

inline GgufFile neox_file(const GoldenCheckpoint& model) {
  const Json& config = model.config;
  GgufFile out;
  out.text("general.architecture", "gptneox");
  copy_key(config, "max_position_embeddings", out, "gptneox.context_length");
  copy_key(config, "hidden_size", out, "gptneox.embedding_length");
  copy_key(config, "num_hidden_layers", out, "gptneox.block_count");
  copy_key(config, "intermediate_size", out, "gptneox.feed_forward_length");
  const int heads = read_integer(config, "num_attention_heads");
  out.count(
      "gptneox.rope.dimension_count",
      std::floor(config["rotary_pct"].get<double>() * read_integer(config, "hidden_size") / heads));
  out.count("gptneox.attention.head_count", heads);
  out.flag("gptneox.use_parallel_residual", config["use_parallel_residual"].get<bool>());
  copy_key(config, "layer_norm_eps", out, "gptneox.attention.layer_norm_epsilon", true);
  add_tensors(
      model, "gptneox",
      [heads](const std::string& name, const Tensor& tensor) {
        return name.find("query_key_value") == name.npos ? tensor
                                                         : group_by_projection(tensor, heads);
      },
      out);
  return out;
}

inline GgufFile bloom_file(const GoldenCheckpoint& model) {
  const int heads = read_integer(model.config, "n_head"),
            embed = read_integer(model.config, "hidden_size");
  GgufFile out;
  out.text("general.architecture", "bloom").count("bloom.embedding_length", embed);
  out.count("bloom.feed_forward_length", 4 * embed).count("bloom.attention.head_count", heads);
  out.count("bloom.attention.head_count_kv", heads);
  copy_key(model.config, "n_layer", out, "bloom.block_count");
  copy_key(model.config, "layer_norm_epsilon", out, "bloom.attention.layer_norm_epsilon", true);
  add_tensors(
      model, "bloom",
      [heads](const std::string& name, const Tensor& tensor) {
        return name.find("query_key_value") == name.npos ? tensor
                                                         : group_by_projection(tensor, heads);
      },
      out);
  return out;
}

inline GgufFile qwen_file(const GoldenCheckpoint& model) { return llama_file(model, false); }

inline GgufFile bert_file(const GoldenCheckpoint& model) {
  GgufFile out;
  out.text("general.architecture", "bert");
  copy_key(model.config, "max_position_embeddings", out, "bert.context_length");
  copy_key(model.config, "hidden_size", out, "bert.embedding_length");
  copy_key(model.config, "num_hidden_layers", out, "bert.block_count");
  copy_key(model.config, "intermediate_size", out, "bert.feed_forward_length");
  copy_key(model.config, "num_attention_heads", out, "bert.attention.head_count");
  copy_key(model.config, "layer_norm_eps", out, "bert.attention.layer_norm_epsilon", true);
  out.flag("bert.attention.causal", false).count("bert.pooling_type", 1);
  add_tensors(model, "bert", keep_tensor, out);
  return out;
}

inline GgufFile t5_file(const GoldenCheckpoint& model) {
  GgufFile out;
  out.text("general.architecture", "t5encoder").count("t5encoder.context_length", 512);
  copy_key(model.config, "d_model", out, "t5encoder.embedding_length");
  copy_key(model.config, "d_ff", out, "t5encoder.feed_forward_length");
  copy_key(model.config, "num_layers", out, "t5encoder.block_count");
  copy_key(model.config, "num_heads", out, "t5encoder.attention.head_count");
  copy_key(model.config, "d_kv", out, "t5encoder.attention.key_length");
  copy_key(model.config, "d_kv", out, "t5encoder.attention.value_length");
  copy_key(model.config, "layer_norm_epsilon", out, "t5encoder.attention.layer_norm_epsilon", true);
  copy_key(model.config, "layer_norm_epsilon", out, "t5encoder.attention.layer_norm_rms_epsilon",
           true);
  copy_key(model.config, "relative_attention_num_buckets", out,
           "t5encoder.attention.relative_buckets_count");
  add_tensors(model, "t5encoder", keep_tensor, out);
  return out;
}

struct GoldenModel {
  const char* name;
  GgufFile (*write)(const GoldenCheckpoint&);
  /// The tolerance of results if the file stores other values than the checkpoint.
  double tolerance = 0;
};
inline GgufFile permuted_llama(const GoldenCheckpoint& model) { return llama_file(model); }

inline constexpr GoldenModel kModels[] = {
    {"llama-gqa", permuted_llama}, {"llama-tied", permuted_llama}, {"llama-v5cfg", permuted_llama},
    {"llama3", llama3_file, 1e-5}, {"gpt2-a", gpt2_file},          {"neox-a", neox_file},
    {"neox-seq", neox_file},       {"bloom-3h", bloom_file},       {"qwen2-a", qwen_file},
    {"qwen2-tied", qwen_file},     {"bert-base", bert_file},       {"t5enc-a", t5_file},
};

}  // namespace phasor::test
