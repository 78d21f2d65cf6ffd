// Gemma multiplies embeddings by sqrt(hidden_size) and norms by 1 + weight. Gemma 2 and 3 have
// norms before and after each branch.

#include "model/architecture.h"

namespace phasor::architectures::gemma {

namespace {

constexpr Architecture kGemma2 = {.model_types = "gemma2",
                                  .prefix = "model.",
                                  .default_head_dim = 256,
                                  .norm = nn::NormKind::rms_norm,
                                  .adds_one_to_norm_weights = true,
                                  .norm_eps = "rms_norm_eps",
                                  .default_norm_eps = 1e-6,
                                  .embedding = "embed_tokens",
                                  .scales_embedding = true,
                                  .pre_attention_norm = "input_layernorm",
                                  .post_attention_norm = "post_attention_layernorm",
                                  .pre_mlp_norm = "pre_feedforward_layernorm",
                                  .post_mlp_norm = "post_feedforward_layernorm",
                                  .q = "self_attn.q_proj",
                                  .k = "self_attn.k_proj",
                                  .v = "self_attn.v_proj",
                                  .o = "self_attn.o_proj",
                                  .gate = "mlp.gate_proj",
                                  .up = "mlp.up_proj",
                                  .down = "mlp.down_proj",
                                  .activation = "hidden_activation, hidden_act",
                                  .default_activation = "gelu_pytorch_tanh",
                                  .last_norm = "norm",
                                  .head = "^lm_head",
                                  .reads_logit_cap = true};

constexpr Architecture gemma3() {
  Architecture architecture = kGemma2;
  architecture.model_types = "gemma3_text";
  architecture.q_norm = "self_attn.q_norm";
  architecture.k_norm = "self_attn.k_norm";
  return architecture;
}

constexpr Architecture gemma() {
  Architecture architecture = kGemma2;
  architecture.model_types = "gemma";
  architecture.post_attention_norm = architecture.post_mlp_norm = nullptr;
  architecture.pre_mlp_norm = "post_attention_layernorm";
  architecture.reads_logit_cap = false;
  return architecture;
}

constexpr Architecture kArchitectures[] = {gemma(), kGemma2, gemma3()};

}  // namespace

std::span<const Architecture> list_architectures() { return kArchitectures; }

}  // namespace phasor::architectures::gemma
