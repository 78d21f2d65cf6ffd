// Gemma. Norms multiply by 1 + weight, and GGUF files store the sum. Differences between layers are
// hard-coded in llama.cpp (llama-model.cpp).

#include <cmath>

#include "core/format_error.h"
#include "gguf/gguf_architecture.h"

namespace phasor {

namespace {

constexpr WeightName kGemmaWeights[] = {
    {"token_embd", "model.embed_tokens"},
    {"output_norm", "model.norm", WeightForm::one_plus},
    {"blk.{}.attn_norm", "model.layers.{}.input_layernorm", WeightForm::one_plus},
    {"blk.{}.attn_q", "model.layers.{}.self_attn.q_proj"},
    {"blk.{}.attn_k", "model.layers.{}.self_attn.k_proj"},
    {"blk.{}.attn_v", "model.layers.{}.self_attn.v_proj"},
    {"blk.{}.attn_output", "model.layers.{}.self_attn.o_proj"},
    {"blk.{}.ffn_norm", "model.layers.{}.post_attention_layernorm", WeightForm::one_plus},
    {"blk.{}.ffn_gate", "model.layers.{}.mlp.gate_proj"},
    {"blk.{}.ffn_up", "model.layers.{}.mlp.up_proj"},
    {"blk.{}.ffn_down", "model.layers.{}.mlp.down_proj"},
};

// Gemma 2 and 3 have norms after each branch. Gemma 3 also has norms of queries and keys.
constexpr WeightName kGemma2Weights[] = {
    {"token_embd", "model.embed_tokens"},
    {"output_norm", "model.norm", WeightForm::one_plus},
    {"output", "lm_head"},
    {"blk.{}.attn_norm", "model.layers.{}.input_layernorm", WeightForm::one_plus},
    {"blk.{}.attn_q", "model.layers.{}.self_attn.q_proj"},
    {"blk.{}.attn_k", "model.layers.{}.self_attn.k_proj"},
    {"blk.{}.attn_v", "model.layers.{}.self_attn.v_proj"},
    {"blk.{}.attn_q_norm", "model.layers.{}.self_attn.q_norm", WeightForm::one_plus},
    {"blk.{}.attn_k_norm", "model.layers.{}.self_attn.k_norm", WeightForm::one_plus},
    {"blk.{}.attn_output", "model.layers.{}.self_attn.o_proj"},
    {"blk.{}.post_attention_norm", "model.layers.{}.post_attention_layernorm",
     WeightForm::one_plus},
    {"blk.{}.ffn_norm", "model.layers.{}.pre_feedforward_layernorm", WeightForm::one_plus},
    {"blk.{}.post_ffw_norm", "model.layers.{}.post_feedforward_layernorm", WeightForm::one_plus},
    {"blk.{}.ffn_gate", "model.layers.{}.mlp.gate_proj"},
    {"blk.{}.ffn_up", "model.layers.{}.mlp.up_proj"},
    {"blk.{}.ffn_down", "model.layers.{}.mlp.down_proj"},
};

void read_gemma(GgufConfigReader& r) {
  r.config["hidden_activation"] = std::string("gelu_pytorch_tanh");
  r.config["tie_word_embeddings"] = !r.has_tensor("output.weight");
  r.read_base();
  r.read_head_dim();
  r.expect_full_rotation();
  r.read_scaling();
}

// The largest model of each Gemma version scales by 1 / sqrt(hidden_size / heads). It is recognised
// by its number of layers.
void read_scale(GgufConfigReader& r, int largest_layer_count) {
  const bool is_largest = r.count("block_count") == largest_layer_count;
  r.config["query_pre_attn_scalar"] =
      is_largest ? std::floor(r.count("embedding_length") / double{1} / r.heads())
                 : double{1} * r.head_dim();
}

void read_gemma2(GgufConfigReader& r) {
  read_gemma(r);
  read_scale(r, 46);
  r.config["sliding_window"] = r.number("attention.sliding_window", 4096);
  r.config["attn_logit_softcapping"] = r.number("attn_logit_softcapping", 50);
  r.config["final_logit_softcapping"] = r.number("final_logit_softcapping", 30);
}

// The pattern is either a list of booleans, one per layer, or a number n: every n-th layer has no
// window.
void read_window_pattern(GgufConfigReader& r) {
  const char* key = "attention.sliding_window_pattern";
  const GgufArray* pattern = r.list(key);
  if (pattern == nullptr) {
    r.config["sliding_window_pattern"] = r.number(key, 6);
    return;
  }
  const auto layers = static_cast<std::size_t>(r.count("block_count"));
  if (pattern->numbers.size() != layers)
    return r.fail(invalid("{}: has {} elements; expected one per layer, {}", r.full_key(key),
                          detail(pattern->numbers.size()), layers));
  std::string type_list;
  for (const double has_window : pattern->numbers) {
    if (!type_list.empty()) type_list += ", ";
    type_list += has_window != 0 ? "sliding_attention" : "full_attention";
  }
  r.config["layer_types"] = type_list;
}

void read_gemma3(GgufConfigReader& r) {
  read_gemma(r);
  read_scale(r, 62);
  r.config["rope_local_base_freq"] = r.number("rope.freq_base_swa", 10000);
  if (const auto cap = r.number("final_logit_softcapping"); cap && *cap > 0)
    r.config["final_logit_softcapping"] = *cap;
  const double window = r.number("attention.sliding_window", 0);
  if (window > 0) {
    r.config["sliding_window"] = window;
    read_window_pattern(r);
  } else {  // no layer has a window
    std::string type_list = "full_attention";
    for (int layer = 1; layer < r.count("block_count"); ++layer) type_list += ", full_attention";
    r.config["layer_types"] = type_list;
    r.skip("attention.sliding_window_pattern");
  }
}

constexpr GgufArchitecture kGemma[] = {
    {"gemma", "gemma", kSizeKeys, kGemmaWeights, read_gemma},
    {"gemma2", "gemma2", kSizeKeys, kGemma2Weights, read_gemma2},
    {"gemma3", "gemma3_text", kSizeKeys, kGemma2Weights, read_gemma3},
};

}  // namespace

std::span<const GgufArchitecture> gemma_architectures() { return kGemma; }

}  // namespace phasor
