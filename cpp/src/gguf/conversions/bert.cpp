// BERT, RoBERTa, DistilBERT and ModernBERT. RoBERTa files omit the table rows before position 0. A
// "bert" file without token_types.weight is DistilBERT.

#include "core/format_error.h"
#include "gguf/gguf_architecture.h"

namespace phasor {

namespace {

constexpr KeyName kBertKeys[] = {
    {"embedding_length", "hidden_size"},
    {"block_count", "num_hidden_layers"},
    {"feed_forward_length", "intermediate_size"},
    {"context_length", "max_position_embeddings"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.layer_norm_epsilon", "layer_norm_eps"},
};

constexpr WeightName kBertWeights[] = {
    {"token_embd", "embeddings.word_embeddings"},
    {"position_embd", "embeddings.position_embeddings"},
    {"token_types", "embeddings.token_type_embeddings"},
    {"token_embd_norm", "embeddings.LayerNorm"},
    {"blk.{}.attn_q", "encoder.layer.{}.attention.self.query"},
    {"blk.{}.attn_k", "encoder.layer.{}.attention.self.key"},
    {"blk.{}.attn_v", "encoder.layer.{}.attention.self.value"},
    {"blk.{}.attn_output", "encoder.layer.{}.attention.output.dense"},
    {"blk.{}.attn_output_norm", "encoder.layer.{}.attention.output.LayerNorm"},
    {"blk.{}.ffn_up", "encoder.layer.{}.intermediate.dense"},
    {"blk.{}.ffn_down", "encoder.layer.{}.output.dense"},
    {"blk.{}.layer_output_norm", "encoder.layer.{}.output.LayerNorm"},
};

constexpr KeyName kDistilBertKeys[] = {
    {"embedding_length", "dim"},           {"block_count", "n_layers"},
    {"feed_forward_length", "hidden_dim"}, {"context_length", "max_position_embeddings"},
    {"attention.head_count", "n_heads"},
};

constexpr WeightName kDistilBertWeights[] = {
    {"token_embd", "distilbert.embeddings.word_embeddings"},
    {"position_embd", "distilbert.embeddings.position_embeddings"},
    {"token_embd_norm", "distilbert.embeddings.LayerNorm"},
    {"blk.{}.attn_q", "distilbert.transformer.layer.{}.attention.q_lin"},
    {"blk.{}.attn_k", "distilbert.transformer.layer.{}.attention.k_lin"},
    {"blk.{}.attn_v", "distilbert.transformer.layer.{}.attention.v_lin"},
    {"blk.{}.attn_output", "distilbert.transformer.layer.{}.attention.out_lin"},
    {"blk.{}.attn_output_norm", "distilbert.transformer.layer.{}.sa_layer_norm"},
    {"blk.{}.ffn_up", "distilbert.transformer.layer.{}.ffn.lin1"},
    {"blk.{}.ffn_down", "distilbert.transformer.layer.{}.ffn.lin2"},
    {"blk.{}.layer_output_norm", "distilbert.transformer.layer.{}.output_layer_norm"},
};

constexpr KeyName kModernBertKeys[] = {
    {"embedding_length", "hidden_size"},
    {"block_count", "num_hidden_layers"},
    {"feed_forward_length", "intermediate_size"},
    {"context_length", "max_position_embeddings"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.layer_norm_epsilon", "norm_eps"},
    {"attention.sliding_window", "local_attention"},
    {"attention.sliding_window_pattern", "global_attn_every_n_layers"},
    {"rope.freq_base", "global_rope_theta"},
    {"rope.freq_base_swa", "local_rope_theta"},
};

constexpr WeightName kModernBertWeights[] = {
    {"token_embd", "model.embeddings.tok_embeddings"},
    {"token_embd_norm", "model.embeddings.norm"},
    {"output_norm", "model.final_norm"},
    {"blk.{}.attn_norm", "model.layers.{}.attn_norm"},
    {"blk.{}.attn_qkv", "model.layers.{}.attn.Wqkv"},
    {"blk.{}.attn_output", "model.layers.{}.attn.Wo"},
    {"blk.{}.ffn_norm", "model.layers.{}.mlp_norm"},
    {"blk.{}.ffn_up", "model.layers.{}.mlp.Wi"},
    {"blk.{}.ffn_down", "model.layers.{}.mlp.Wo"},
    // The prediction head is not read, because files lack the bias of its logits.
    {"cls", "", WeightForm::unused},
    {"cls.norm", "", WeightForm::unused},
};

void read_encoder(GgufConfigReader& r) {
  r.expect("attention.causal", 0);
  r.expect("attention.head_count_kv", r.heads());
  r.skip("pooling_type");
}

void read_bert(GgufConfigReader& r) {
  read_encoder(r);
  r.config["hidden_act"] = std::string("gelu");
  r.config["position_embedding_type"] = std::string("absolute");
  if (const GgufTensor* token_types = r.tensor("token_types.weight"))
    r.config["type_vocab_size"] = token_types->shape.size() < 2 ? 1 : token_types->shape.front();
}

void read_distilbert(GgufConfigReader& r) {
  read_encoder(r);
  r.expect("attention.layer_norm_epsilon", 1e-12);  // hard-coded in transformers
  r.config["activation"] = std::string("gelu");
}

void read_modern_bert(GgufConfigReader& r) {
  read_encoder(r);
  r.config["hidden_activation"] = std::string("gelu");
  r.read_head_dim();
  r.expect_full_rotation();
  if (const auto type = r.string("rope.scaling.type"); !type.empty() && type != "none")
    r.fail(invalid("{}: {} is not supported; expected none", r.full_key("rope.scaling.type"),
                   std::string(type)));
}

constexpr GgufArchitecture kBert[] = {
    {"bert", "bert", kBertKeys, kBertWeights, read_bert, "token_types.weight"},
    {"bert", "distilbert", kDistilBertKeys, kDistilBertWeights, read_distilbert},
    {"modern-bert", "modernbert", kModernBertKeys, kModernBertWeights, read_modern_bert},
};

}  // namespace

std::span<const GgufArchitecture> bert_architectures() { return kBert; }

}  // namespace phasor
