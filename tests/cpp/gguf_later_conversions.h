#pragma once
// GGUF files of Gemma, Phi-3, Qwen3, SmolLM3, DistilBERT and ModernBERT as the converter of
// llama.cpp writes them. Their configs have the format of transformers 5.

#include "gguf_conversions.h"

namespace phasor::test {

// Keys of gated decoders, and the RoPE base of layers without a window.
inline GgufFile decoder_file(const GoldenCheckpoint& model, const std::string& a) {
  const Json &config = model.config, &rope = config["rope_parameters"];
  GgufFile out;
  out.text("general.architecture", a);
  add_llama_keys(config, a, out);
  copy_key(rope.contains("full_attention") ? rope["full_attention"] : rope, "rope_theta", out,
           a + ".rope.freq_base", true);
  return out;
}

inline GgufFile qwen3_file(const GoldenCheckpoint& model) {
  GgufFile out = decoder_file(model, "qwen3");
  add_tensors(model, "qwen3", keep_tensor, out);
  return out;
}

inline GgufFile phi3_file(const GoldenCheckpoint& model) {
  GgufFile out = decoder_file(model, "phi3");
  out.count("phi3.rope.dimension_count", 8);
  copy_key(model.config, "sliding_window", out, "phi3.attention.sliding_window");
  add_tensors(model, "phi3", keep_tensor, out);
  out.floats("output.weight", model.file.tensors.at("lm_head.weight"));
  return out;
}

inline GgufFile smollm3_file(const GoldenCheckpoint& model) {
  GgufFile out = decoder_file(model, "smollm3");
  add_tensors(
      model, "smollm3",
      [&](const std::string& name, const Tensor& tensor) {
        const bool query = name.find("q_proj") != name.npos, key = name.find("k_proj") != name.npos;
        const char* heads = query ? "num_attention_heads" : "num_key_value_heads";
        return query || key ? interleave_halves(tensor, read_integer(model.config, heads)) : tensor;
      },
      out);
  return out;
}

template <int version>
inline GgufFile gemma_file(const GoldenCheckpoint& model) {
  const std::string a = version == 1 ? "gemma" : version == 2 ? "gemma2" : "gemma3";
  const Json& config = model.config;
  GgufFile out = decoder_file(model, a);
  copy_key(config, "sliding_window", out, a + ".attention.sliding_window");
  copy_key(config, "attn_logit_softcapping", out, a + ".attn_logit_softcapping", true);
  copy_key(config, "final_logit_softcapping", out, a + ".final_logit_softcapping", true);
  if (version == 3) {
    std::vector<std::uint8_t> has_window;
    for (const Json& type : config["layer_types"])
      has_window.push_back(type == "sliding_attention" ? 1 : 0);
    out.numbers(a + ".attention.sliding_window_pattern", GgufType::boolean, has_window);
  }
  add_tensors(
      model, a,
      [](const std::string& name, const Tensor& tensor) {
        Tensor sum = tensor;
        if (name.find("norm") != name.npos) {
          for (float& value : sum.data) value += 1;
        }
        return sum;
      },
      out);
  return out;
}

inline GgufFile distilbert_file(const GoldenCheckpoint& model) {
  GgufFile out;
  out.text("general.architecture", "bert").real("bert.attention.layer_norm_epsilon", 1e-12);
  copy_key(model.config, "max_position_embeddings", out, "bert.context_length");
  copy_key(model.config, "dim", out, "bert.embedding_length");
  copy_key(model.config, "n_layers", out, "bert.block_count");
  copy_key(model.config, "hidden_dim", out, "bert.feed_forward_length");
  copy_key(model.config, "n_heads", out, "bert.attention.head_count");
  out.flag("bert.attention.causal", false);
  add_tensors(model, "distilbert", keep_tensor, out);
  return out;
}

inline GgufFile modernbert_file(const GoldenCheckpoint& model) {
  const Json &config = model.config, &rope = config["rope_parameters"];
  const std::string a = "modern-bert";
  GgufFile out;
  out.text("general.architecture", a).flag(a + ".attention.causal", false);
  copy_key(config, "max_position_embeddings", out, a + ".context_length");
  copy_key(config, "hidden_size", out, a + ".embedding_length");
  copy_key(config, "num_hidden_layers", out, a + ".block_count");
  copy_key(config, "intermediate_size", out, a + ".feed_forward_length");
  copy_key(config, "num_attention_heads", out, a + ".attention.head_count");
  copy_key(config, "norm_eps", out, a + ".attention.layer_norm_epsilon", true);
  copy_key(config, "local_attention", out, a + ".attention.sliding_window");
  out.count(a + ".attention.sliding_window_pattern", 3);
  copy_key(rope["full_attention"], "rope_theta", out, a + ".rope.freq_base", true);
  copy_key(rope["sliding_attention"], "rope_theta", out, a + ".rope.freq_base_swa", true);
  add_tensors(model, a, keep_tensor, out);
  out.floats("cls.weight", model.file.tensors.at("head.dense.weight"));
  return out;
}

// Models with config.json in the format of transformers 5.
inline constexpr GoldenModel kLaterModels[] = {
    {"qwen3-a", qwen3_file},           {"phi3-a", phi3_file},
    {"smollm3-a", smollm3_file},       {"gemma-a", gemma_file<1>, 1e-5},
    {"gemma2-a", gemma_file<2>, 1e-5}, {"gemma3-a", gemma_file<3>, 1e-5},
    {"distilbert-a", distilbert_file}, {"modernbert-a", modernbert_file},
};

}  // namespace phasor::test
