// Llama and related families. Llama files store the channels of a rotary pair next to each other in
// the rows of the query and key projections; Qwen and Phi files use the same order as transformers.

#include "gguf/gguf_architecture.h"

namespace phasor {

namespace {

constexpr WeightName kLlamaWeights[] = {
    {"token_embd", "model.embed_tokens"},
    {"output_norm", "model.norm"},
    {"output", "lm_head"},
    {"blk.{}.attn_norm", "model.layers.{}.input_layernorm"},
    {"blk.{}.attn_q", "model.layers.{}.self_attn.q_proj", WeightForm::query_pairs},
    {"blk.{}.attn_k", "model.layers.{}.self_attn.k_proj", WeightForm::key_pairs},
    {"blk.{}.attn_v", "model.layers.{}.self_attn.v_proj"},
    {"blk.{}.attn_output", "model.layers.{}.self_attn.o_proj"},
    {"blk.{}.attn_rot_embd", "", WeightForm::unused},
    {"blk.{}.ffn_norm", "model.layers.{}.post_attention_layernorm"},
    {"blk.{}.ffn_gate", "model.layers.{}.mlp.gate_proj"},
    {"blk.{}.ffn_up", "model.layers.{}.mlp.up_proj"},
    {"blk.{}.ffn_down", "model.layers.{}.mlp.down_proj"},
};

constexpr WeightName kQwenWeights[] = {
    {"token_embd", "model.embed_tokens"},
    {"output_norm", "model.norm"},
    {"output", "lm_head"},
    {"blk.{}.attn_norm", "model.layers.{}.input_layernorm"},
    {"blk.{}.attn_q", "model.layers.{}.self_attn.q_proj"},
    {"blk.{}.attn_k", "model.layers.{}.self_attn.k_proj"},
    {"blk.{}.attn_v", "model.layers.{}.self_attn.v_proj"},
    {"blk.{}.attn_q_norm", "model.layers.{}.self_attn.q_norm"},
    {"blk.{}.attn_k_norm", "model.layers.{}.self_attn.k_norm"},
    {"blk.{}.attn_output", "model.layers.{}.self_attn.o_proj"},
    {"blk.{}.ffn_norm", "model.layers.{}.post_attention_layernorm"},
    {"blk.{}.ffn_gate", "model.layers.{}.mlp.gate_proj"},
    {"blk.{}.ffn_up", "model.layers.{}.mlp.up_proj"},
    {"blk.{}.ffn_down", "model.layers.{}.mlp.down_proj"},
};

constexpr WeightName kPhiWeights[] = {
    {"token_embd", "model.embed_tokens"},
    {"output_norm", "model.norm"},
    {"output", "lm_head"},
    {"blk.{}.attn_norm", "model.layers.{}.input_layernorm"},
    {"blk.{}.attn_qkv", "model.layers.{}.self_attn.qkv_proj"},
    {"blk.{}.attn_output", "model.layers.{}.self_attn.o_proj"},
    {"blk.{}.ffn_norm", "model.layers.{}.post_attention_layernorm"},
    {"blk.{}.ffn_up", "model.layers.{}.mlp.gate_up_proj"},
    {"blk.{}.ffn_down", "model.layers.{}.mlp.down_proj"},
};

void read_llama_common(GgufConfigReader& r) {
  r.config["hidden_act"] = std::string("silu");
  r.config["tie_word_embeddings"] = !r.has_tensor("output.weight");
  r.read_base();
  r.read_head_dim();
  r.read_scaling();
  r.skip("pooling_type");
}

void read_llama(GgufConfigReader& r) {
  read_llama_common(r);
  r.expect_full_rotation();
  r.expect("expert_count", 0);
  r.expect("expert_used_count", 0);
  r.skip("tensor_data_layout");  // describes the original checkpoint, before conversion
}

void read_smollm3(GgufConfigReader& r) {
  read_llama(r);
  r.config["no_rope_layer_interval"] = 4;  // hard-coded in llama.cpp
}

void read_qwen(GgufConfigReader& r) {
  read_llama_common(r);
  r.expect_full_rotation();
}

void read_phi3(GgufConfigReader& r) {
  read_llama_common(r);
  const int rotary_dim = r.count("rope.dimension_count"), dim = r.head_dim();
  if (rotary_dim != dim) r.config["partial_rotary_factor"] = double{1} * rotary_dim / dim;
  if (const double window = r.number("attention.sliding_window", 0); window > 0)
    r.config["sliding_window"] = window;
}

constexpr GgufArchitecture kLlama[] = {
    {"llama", "llama", kSizeKeys, kLlamaWeights, read_llama},
    {"smollm3", "smollm3", kSizeKeys, kLlamaWeights, read_smollm3},
    {"qwen2", "qwen2", kSizeKeys, kQwenWeights, read_qwen},
    {"qwen3", "qwen3", kSizeKeys, kQwenWeights, read_qwen},
    {"phi3", "phi3", kSizeKeys, kPhiWeights, read_phi3},
};

}  // namespace

std::span<const GgufArchitecture> llama_architectures() { return kLlama; }

}  // namespace phasor
