// BERT and RoBERTa: norms of the sums, three embeddings.

#include "model/architecture.h"

namespace phasor::architectures::bert {

namespace {

constexpr Architecture kArchitectures[] = {
    {.names = "bert",
     .prefix = "bert.",
     .norm_eps = "layer_norm_eps",
     .default_norm_eps = 1e-12,
     .embedding = "embeddings.word_embeddings",
     .positions = "embeddings.position_embeddings",
     .token_types = "embeddings.token_type_embeddings",
     .embedding_norm = "embeddings.LayerNorm",
     .layer = "encoder.layer.{}.",
     .attention_sum = "attention.output.LayerNorm",
     .mlp_sum = "output.LayerNorm",
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
     .ignored = "pooler., cls.seq_relationship., position_ids, cls.predictions.decoder.",
     .required = "is_decoder=false, add_cross_attention=false"},
    {.names = "roberta, xlm-roberta, camembert",
     .prefix = "roberta.",
     .norm_eps = "layer_norm_eps",
     .default_norm_eps = 1e-5,
     .embedding = "embeddings.word_embeddings",
     .positions = "embeddings.position_embeddings",
     .token_types = "embeddings.token_type_embeddings",
     .embedding_norm = "embeddings.LayerNorm",
     .layer = "encoder.layer.{}.",
     .attention_sum = "attention.output.LayerNorm",
     .mlp_sum = "output.LayerNorm",
     .q = "attention.self.query",
     .k = "attention.self.key",
     .v = "attention.self.value",
     .o = "attention.output.dense",
     .up = "intermediate.dense",
     .down = "output.dense",
     .head = "^lm_head.decoder",
     .head_dense = "^lm_head.dense",
     .head_norm = "^lm_head.layer_norm",
     .head_bias = "^lm_head.bias",
     .ignored = "pooler., position_ids, lm_head.decoder.",
     .required = "is_decoder=false, add_cross_attention=false"},

};

}  // namespace

std::span<const Architecture> all() { return kArchitectures; }

}  // namespace phasor::architectures::bert
