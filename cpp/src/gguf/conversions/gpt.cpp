// GPT-2, GPT-NeoX and BLOOM. GPT-2 files store matrices as (out, in). In the QKV matrices of
// GPT-NeoX and BLOOM files, all query rows come first, then keys, then values.

#include "gguf/gguf_architecture.h"

namespace phasor {

namespace {

constexpr KeyName kGpt2Keys[] = {
    {"embedding_length", "n_embd"},     {"block_count", "n_layer"},
    {"feed_forward_length", "n_inner"}, {"context_length", "n_positions"},
    {"attention.head_count", "n_head"}, {"attention.layer_norm_epsilon", "layer_norm_epsilon"},
};

constexpr WeightName kGpt2Weights[] = {
    {"token_embd", "transformer.wte"},
    {"position_embd", "transformer.wpe"},
    {"output_norm", "transformer.ln_f"},
    {"output", "lm_head"},
    {"blk.{}.attn_norm", "transformer.h.{}.ln_1"},
    {"blk.{}.attn_qkv", "transformer.h.{}.attn.c_attn", WeightForm::transposed},
    {"blk.{}.attn_output", "transformer.h.{}.attn.c_proj", WeightForm::transposed},
    {"blk.{}.ffn_norm", "transformer.h.{}.ln_2"},
    {"blk.{}.ffn_up", "transformer.h.{}.mlp.c_fc", WeightForm::transposed},
    {"blk.{}.ffn_down", "transformer.h.{}.mlp.c_proj", WeightForm::transposed},
};

constexpr KeyName kNeoxKeys[] = {
    {"embedding_length", "hidden_size"},
    {"block_count", "num_hidden_layers"},
    {"feed_forward_length", "intermediate_size"},
    {"context_length", "max_position_embeddings", false},
    {"attention.head_count", "num_attention_heads"},
    {"attention.layer_norm_epsilon", "layer_norm_eps"},
};

constexpr WeightName kNeoxWeights[] = {
    {"token_embd", "gpt_neox.embed_in"},
    {"output_norm", "gpt_neox.final_layer_norm"},
    {"output", "embed_out"},
    {"blk.{}.attn_norm", "gpt_neox.layers.{}.input_layernorm"},
    {"blk.{}.attn_qkv", "gpt_neox.layers.{}.attention.query_key_value", WeightForm::by_projection},
    {"blk.{}.attn_output", "gpt_neox.layers.{}.attention.dense"},
    {"blk.{}.ffn_norm", "gpt_neox.layers.{}.post_attention_layernorm"},
    {"blk.{}.ffn_up", "gpt_neox.layers.{}.mlp.dense_h_to_4h"},
    {"blk.{}.ffn_down", "gpt_neox.layers.{}.mlp.dense_4h_to_h"},
};

constexpr KeyName kBloomKeys[] = {
    {"embedding_length", "hidden_size"},
    {"block_count", "n_layer"},
    {"context_length", "seq_length", false},
    {"attention.head_count", "n_head"},
    {"attention.layer_norm_epsilon", "layer_norm_epsilon"},
};

constexpr WeightName kBloomWeights[] = {
    {"token_embd", "transformer.word_embeddings"},
    {"token_embd_norm", "transformer.word_embeddings_layernorm"},
    {"output_norm", "transformer.ln_f"},
    {"output", "lm_head"},
    {"blk.{}.attn_norm", "transformer.h.{}.input_layernorm"},
    {"blk.{}.attn_qkv", "transformer.h.{}.self_attention.query_key_value",
     WeightForm::by_projection},
    {"blk.{}.attn_output", "transformer.h.{}.self_attention.dense"},
    {"blk.{}.ffn_norm", "transformer.h.{}.post_attention_layernorm"},
    {"blk.{}.ffn_up", "transformer.h.{}.mlp.dense_h_to_4h"},
    {"blk.{}.ffn_down", "transformer.h.{}.mlp.dense_4h_to_h"},
};

void read_gpt_common(GgufConfigReader& r) {
  r.config["tie_word_embeddings"] = !r.has_tensor("output.weight");
  r.expect("attention.head_count_kv", r.heads());
}

void read_gpt2(GgufConfigReader& r) {
  read_gpt_common(r);
  r.config["activation_function"] = std::string("gelu_new");
}

void read_neox(GgufConfigReader& r) {
  read_gpt_common(r);
  r.config["hidden_act"] = std::string("gelu");
  r.read_base("rotary_emb_base");
  r.config["rotary_pct"] = double{1} * r.count("rope.dimension_count") / r.head_dim();
  r.config["use_parallel_residual"] = r.boolean("use_parallel_residual").value_or(true);
  r.read_scaling();
}

void read_bloom(GgufConfigReader& r) {
  read_gpt_common(r);
  r.expect("feed_forward_length", 4.0 * r.count("embedding_length"));
  r.expect("attention.max_alibi_bias", 8);
}

constexpr GgufArchitecture kGpt[] = {
    {"gpt2", "gpt2", kGpt2Keys, kGpt2Weights, read_gpt2},
    {"gptneox", "gpt_neox", kNeoxKeys, kNeoxWeights, read_neox},
    {"bloom", "bloom", kBloomKeys, kBloomWeights, read_bloom},
};

}  // namespace

std::span<const GgufArchitecture> gpt_architectures() { return kGpt; }

}  // namespace phasor
