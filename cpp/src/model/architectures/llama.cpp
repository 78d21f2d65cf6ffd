// Llama and families that differ from it only in positions and in query and key norms.

#include "model/architecture.h"

namespace phasor::architectures::llama {

namespace {

constexpr Architecture kArchitectures[] = {
    {.model_types = "llama, mistral, qwen2, qwen3, smollm3",
     .prefix = "model.",
     .norm = nn::NormKind::rms_norm,
     .norm_eps = "rms_norm_eps",
     .default_norm_eps = 1e-6,
     .embedding = "embed_tokens",
     .pre_attention_norm = "input_layernorm",
     .pre_mlp_norm = "post_attention_layernorm",
     .q = "self_attn.q_proj",
     .k = "self_attn.k_proj",
     .v = "self_attn.v_proj",
     .o = "self_attn.o_proj",
     .q_norm = "self_attn.q_norm",
     .k_norm = "self_attn.k_norm",
     .gate = "mlp.gate_proj",
     .up = "mlp.up_proj",
     .down = "mlp.down_proj",
     .default_activation = "silu",
     .last_norm = "norm",
     .head = "^lm_head",
     .is_tied_by_default = false,
     .ignored_tensors = "rotary_emb.inv_freq"},
};

}  // namespace

std::span<const Architecture> list_architectures() { return kArchitectures; }

}  // namespace phasor::architectures::llama
