#include "model/architecture.h"

namespace phasor::architectures::t5 {

namespace {

constexpr Architecture kArchitectures[] = {
    {.model_types = "t5, mt5",
     .stack = "encoder",
     .hidden_size = "d_model",
     .layers = "num_layers",
     .heads = "num_heads",
     .kv_heads = {},
     .head_dim = "d_kv",
     .intermediate_size = "d_ff",
     .norm = nn::NormKind::rms_norm,
     .norm_eps = "layer_norm_epsilon",
     .default_norm_eps = 1e-6,
     .embedding = "shared",
     .layer_prefix = "encoder.block.{}.",
     .pre_attention_norm = "layer.0.layer_norm",
     .pre_mlp_norm = "layer.1.layer_norm",
     .q = "layer.0.SelfAttention.q",
     .k = "layer.0.SelfAttention.k",
     .v = "layer.0.SelfAttention.v",
     .o = "layer.0.SelfAttention.o",
     .relative_bias = "layer.0.SelfAttention.relative_attention_bias",
     .up = "layer.1.DenseReluDense.wi",
     .down = "layer.1.DenseReluDense.wo",
     .activation = "feed_forward_proj",
     .default_activation = "relu",
     .gated_gate = "layer.1.DenseReluDense.wi_0",
     .gated_up = "layer.1.DenseReluDense.wi_1",
     .last_norm = "encoder.final_layer_norm",
     .ignored_tensors = "decoder., lm_head., encoder.embed_tokens."},
};

}  // namespace

std::span<const Architecture> list_architectures() { return kArchitectures; }

}  // namespace phasor::architectures::t5
