// The encoder of T5. Its max_distance of 128 is hard-coded in llama.cpp.

#include "gguf/gguf_architecture.h"

namespace phasor {

namespace {

constexpr KeyName kT5Keys[] = {
    {"embedding_length", "d_model"},
    {"block_count", "num_layers"},
    {"feed_forward_length", "d_ff"},
    {"attention.head_count", "num_heads"},
    {"attention.key_length", "d_kv"},
    {"attention.layer_norm_rms_epsilon", "layer_norm_epsilon"},
    {"attention.relative_buckets_count", "relative_attention_num_buckets"},
};

template <bool is_gated>
constexpr WeightName kT5Weights[] = {
    {"token_embd", "shared"},
    {"enc.output_norm", "encoder.final_layer_norm"},
    {"enc.blk.{}.attn_norm", "encoder.block.{}.layer.0.layer_norm"},
    {"enc.blk.{}.attn_q", "encoder.block.{}.layer.0.SelfAttention.q"},
    {"enc.blk.{}.attn_k", "encoder.block.{}.layer.0.SelfAttention.k"},
    {"enc.blk.{}.attn_v", "encoder.block.{}.layer.0.SelfAttention.v"},
    {"enc.blk.{}.attn_o", "encoder.block.{}.layer.0.SelfAttention.o"},
    {"enc.blk.{}.attn_rel_b", "encoder.block.{}.layer.0.SelfAttention.relative_attention_bias"},
    {"enc.blk.{}.ffn_norm", "encoder.block.{}.layer.1.layer_norm"},
    {"enc.blk.{}.ffn_gate", "encoder.block.{}.layer.1.DenseReluDense.wi_0"},
    {"enc.blk.{}.ffn_up", is_gated ? "encoder.block.{}.layer.1.DenseReluDense.wi_1"
                                   : "encoder.block.{}.layer.1.DenseReluDense.wi"},
    {"enc.blk.{}.ffn_down", "encoder.block.{}.layer.1.DenseReluDense.wo"},
};

constexpr const char* kGateTensor = "enc.blk.0.ffn_gate.weight";

void read_t5(GgufConfigReader& r) {
  const bool is_gated = r.has_tensor(kGateTensor);
  r.config["feed_forward_proj"] = std::string(is_gated ? "gated-gelu" : "relu");
  r.config["relative_attention_max_distance"] = 128;
  r.config["is_encoder_decoder"] = true;
  r.expect("attention.value_length", r.head_dim());
  r.expect("attention.causal", 0);
  r.skip("attention.layer_norm_epsilon");  // equal to layer_norm_rms_epsilon
  r.skip("context_length");                // the relative bias has no maximum length
  r.skip("decoder_start_token_id");
  r.skip("pooling_type");
}

constexpr GgufArchitecture kT5[] = {
    {"t5encoder", "t5", kT5Keys, kT5Weights<true>, read_t5, kGateTensor},
    {"t5encoder", "t5", kT5Keys, kT5Weights<false>, read_t5},
};

}  // namespace

std::span<const GgufArchitecture> t5_architectures() { return kT5; }

}  // namespace phasor
