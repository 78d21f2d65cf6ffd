// BERT, RoBERTa and DistilBERT: post-norm layers with learned positions.

#include "model/architecture.h"

namespace phasor::architectures::bert {

namespace {

constexpr Architecture kBert = {
    .model_types = "bert",
    .prefix = "bert.",
    .norm_eps = "layer_norm_eps",
    .default_norm_eps = 1e-12,
    .embedding = "embeddings.word_embeddings",
    .positions = "embeddings.position_embeddings",
    .token_types = "embeddings.token_type_embeddings",
    .embedding_norm = "embeddings.LayerNorm",
    .layer_prefix = "encoder.layer.{}.",
    .attention_residual_norm = "attention.output.LayerNorm",
    .mlp_residual_norm = "output.LayerNorm",
    .q = "attention.self.query",
    .k = "attention.self.key",
    .v = "attention.self.value",
    .o = "attention.output.dense",
    .up = "intermediate.dense",
    .down = "output.dense",
    .head = "^cls.predictions.decoder",
    .head_dense = "^cls.predictions.transform.dense",
    .head_norm = "^cls.predictions.transform.LayerNorm",
    .head_bias = "^cls.predictions.bias",
    .ignored_tensors = "pooler., cls.seq_relationship., position_ids, cls.predictions.decoder.",
    .required_values = "is_decoder=false, add_cross_attention=false"};

// RoBERTa uses different names for the tensors outside the encoder.
constexpr Architecture roberta() {
  Architecture architecture = kBert;
  architecture.model_types = "roberta, xlm-roberta, camembert";
  architecture.prefix = "roberta.";
  architecture.default_norm_eps = 1e-5;
  architecture.head = "^lm_head.decoder";
  architecture.head_dense = "^lm_head.dense";
  architecture.head_norm = "^lm_head.layer_norm";
  architecture.head_bias = "^lm_head.bias";
  architecture.ignored_tensors = "pooler., position_ids, lm_head.decoder.";
  return architecture;
}

constexpr Architecture kDistilBert = {.model_types = "distilbert",
                                      .prefix = "distilbert.",
                                      .hidden_size = "dim",
                                      .layers = "n_layers",
                                      .heads = "n_heads",
                                      .intermediate_size = "hidden_dim",
                                      .default_norm_eps = 1e-12,
                                      .embedding = "embeddings.word_embeddings",
                                      .positions = "embeddings.position_embeddings",
                                      .embedding_norm = "embeddings.LayerNorm",
                                      .layer_prefix = "transformer.layer.{}.",
                                      .attention_residual_norm = "sa_layer_norm",
                                      .mlp_residual_norm = "output_layer_norm",
                                      .q = "attention.q_lin",
                                      .k = "attention.k_lin",
                                      .v = "attention.v_lin",
                                      .o = "attention.out_lin",
                                      .up = "ffn.lin1",
                                      .down = "ffn.lin2",
                                      .activation = "activation",
                                      .head = "^vocab_projector",
                                      .head_dense = "^vocab_transform",
                                      .head_norm = "^vocab_layer_norm",
                                      .head_bias = "^vocab_projector.bias",
                                      .ignored_tensors = "position_ids"};

constexpr Architecture kArchitectures[] = {kBert, roberta(), kDistilBert};

}  // namespace

std::span<const Architecture> list_architectures() { return kArchitectures; }

}  // namespace phasor::architectures::bert
