// ModernBERT, an encoder with RoPE and sliding windows. The first layer has no norm before
// attention, because the embeddings are normalised.

#include "model/architecture.h"

namespace phasor::architectures::modernbert {

namespace {

constexpr Architecture kArchitectures[] = {
    {.model_types = "modernbert",
     .prefix = "model.",
     .norm_eps = "norm_eps",
     .embedding = "embeddings.tok_embeddings",
     .embedding_norm = "embeddings.norm",
     .pre_attention_norm = "attn_norm",
     .pre_mlp_norm = "mlp_norm",
     .lacks_first_attention_norm = true,
     .o = "attn.Wo",
     .qkv = "attn.Wqkv",
     .down = "mlp.Wo",
     .gate_up = "mlp.Wi",
     .activation = "hidden_activation",
     .last_norm = "final_norm",
     .head = "^decoder",
     .head_dense = "^head.dense",
     .head_norm = "^head.norm",
     .head_bias = "^decoder.bias",
     .head_activation = "classifier_activation",
     .required_values = "decoder_bias=true"},
};

}  // namespace

std::span<const Architecture> list_architectures() { return kArchitectures; }

}  // namespace phasor::architectures::modernbert
