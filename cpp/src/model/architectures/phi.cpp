// Phi-3: Llama with fused qkv and gate_up projections.

#include "model/architecture.h"

namespace phasor::architectures::phi {

namespace {

constexpr Architecture kArchitectures[] = {
    {.model_types = "phi3",
     .prefix = "model.",
     .norm = nn::NormKind::rms_norm,
     .norm_eps = "rms_norm_eps",
     .embedding = "embed_tokens",
     .pre_attention_norm = "input_layernorm",
     .pre_mlp_norm = "post_attention_layernorm",
     .o = "self_attn.o_proj",
     .qkv = "self_attn.qkv_proj",
     .down = "mlp.down_proj",
     .gate_up = "mlp.gate_up_proj",
     .default_activation = "silu",
     .last_norm = "norm",
     .head = "^lm_head",
     .is_tied_by_default = false},
};

}  // namespace

std::span<const Architecture> list_architectures() { return kArchitectures; }

}  // namespace phasor::architectures::phi
