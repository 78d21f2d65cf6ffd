#pragma once
// Decoders of random weights, as tensors for DecoderReference and as a checkpoint.

#include "checkpoint.h"
#include "decoder_reference.h"
#include "phasor/safetensors.h"

namespace phasor::test {

inline OrderedMap<Tensor> random_tensors(const ReferenceDecoder& d) {
  OrderedMap<Tensor> result;
  std::uint32_t seed = 1;
  const auto add_tensor = [&](const std::string& name, std::vector<int> shape) {
    const bool is_norm = shape.size() == 1;
    Tensor t = value_of(random_normal(seed++, shape));
    for (float& x : t.data)
      x = is_norm ? static_cast<float>(1 - d.norm_adds) + 0.25f * x : 0.2f * x;
    result.add(name, std::move(t));
  };
  add_tensor("model.embed_tokens.weight", {d.vocab, d.hidden});
  const int q = d.heads * d.head_dim, kv = d.kv_heads * d.head_dim;
  for (int n = 0; n < d.layers; ++n) {
    const std::string prefix = "model.layers." + std::to_string(n) + ".";
    add_tensor(prefix + "input_layernorm.weight", {d.hidden});
    add_tensor(prefix + "post_attention_layernorm.weight", {d.hidden});
    if (d.sandwich) {
      add_tensor(prefix + "pre_feedforward_layernorm.weight", {d.hidden});
      add_tensor(prefix + "post_feedforward_layernorm.weight", {d.hidden});
    }
    if (d.qk_norm) {
      add_tensor(prefix + "self_attn.q_norm.weight", {d.head_dim});
      add_tensor(prefix + "self_attn.k_norm.weight", {d.head_dim});
    }
    if (d.fused) {
      add_tensor(prefix + "self_attn.qkv_proj.weight", {q + 2 * kv, d.hidden});
      add_tensor(prefix + "mlp.gate_up_proj.weight", {2 * d.inner, d.hidden});
    } else {
      add_tensor(prefix + "self_attn.q_proj.weight", {q, d.hidden});
      add_tensor(prefix + "self_attn.k_proj.weight", {kv, d.hidden});
      add_tensor(prefix + "self_attn.v_proj.weight", {kv, d.hidden});
      add_tensor(prefix + "mlp.gate_proj.weight", {d.inner, d.hidden});
      add_tensor(prefix + "mlp.up_proj.weight", {d.inner, d.hidden});
    }
    add_tensor(prefix + "self_attn.o_proj.weight", {d.hidden, q});
    add_tensor(prefix + "mlp.down_proj.weight", {d.hidden, d.inner});
  }
  add_tensor("model.norm.weight", {d.hidden});
  if (!d.tied) add_tensor("lm_head.weight", {d.vocab, d.hidden});
  return result;
}

inline Checkpoint random_checkpoint(const ReferenceDecoder& d, const OrderedMap<Tensor>& tensors,
                                    Json config) {
  config.update({{"hidden_size", d.hidden},
                 {"num_attention_heads", d.heads},
                 {"num_key_value_heads", d.kv_heads},
                 {"head_dim", d.head_dim},
                 {"intermediate_size", d.inner},
                 {"vocab_size", d.vocab},
                 {"num_hidden_layers", d.layers},
                 {"rms_norm_eps", d.eps},
                 {"max_position_embeddings", 64},
                 {"tie_word_embeddings", d.tied}});
  SafetensorsFile file;
  file.tensors = tensors;
  return {"", config, {}, {value_of(write_safetensors(file, DType::f32))}};
}

}  // namespace phasor::test
