#pragma once
// A family of models: which keys of its config.json are sizes, how its tensors are called, and how
// norms, attention and feed-forward layer follow each other. All rows are in architectures/, one
// file per lineage. Where position enters, windows, scales, soft caps and norms of queries and keys
// are not described here: layers_from_config has them.

#include <span>
#include <string_view>

#include "nn/norms.h"
#include "phasor/params.h"
#include "phasor/tensor_view.h"

namespace phasor {

/// Names of tensors without ".weight" and ".bias"; nullptr: the family has none. They follow the
/// prefix of the file, except those that begin with "^". Biases are read where a file has them.
struct Architecture {
  ChoiceList names{};           ///< model_type
  const char* prefix = "";      ///< of most tensors; the file of a base model leaves it out
  std::string_view stack = {};  ///< of layers_from_config, in a model with two

  // Keys of sizes: the first one that a file has.
  ChoiceList hidden_size = "hidden_size";
  ChoiceList layers = "num_hidden_layers";
  ChoiceList heads = "num_attention_heads";
  ChoiceList kv_heads = "num_key_value_heads";         ///< by default as many as heads
  ChoiceList head_dim = "head_dim";                    ///< by default hidden_size / heads
  int default_head_dim = 0;                            ///< 0: that
  ChoiceList intermediate_size = "intermediate_size";  ///< by default 4 hidden_size
  ChoiceList vocab_size = "vocab_size";

  nn::NormKind norm = nn::NormKind::layer_norm;
  bool norm_one_plus = false;  ///< times 1 + weight
  ChoiceList norm_eps = {};    ///< a key
  double default_norm_eps = 1e-5;

  // Embeddings
  const char* embedding = nullptr;
  bool scales_embedding = false;  ///< times the square root of hidden_size
  const char* positions = nullptr;
  const char* token_types = nullptr;
  const char* embedding_norm = nullptr;
  /// Between embeddings that have another size and the layers (OPT)
  const char *project_in = nullptr, *project_out = nullptr;
  const char* embedding_size = nullptr;  ///< the key of that size

  // A layer: {} is its number.
  const char* layer = "layers.{}.";
  bool weights_are_in_out = false;  ///< Conv1D of GPT-2, (in_features, out_features)
  /// Norms before a branch, after it, and of its sum with the residual stream
  const char *attention_in = nullptr, *attention_out = nullptr, *attention_sum = nullptr;
  const char *mlp_in = nullptr, *mlp_out = nullptr, *mlp_sum = nullptr;
  bool first_attention_is_unnormed = false;  ///< the first layer has no `attention_in`
  /// Where this key is false, the norms before the branches are those of the sums
  const char* norm_before_key = nullptr;
  bool parallel = false;  ///< both branches read x; without mlp_in they share a norm
  const char* parallel_key = nullptr;
  const char *q = nullptr, *k = nullptr, *v = nullptr, *o = nullptr;
  const char* qkv = nullptr;
  QkvLayout qkv_layout = QkvLayout::qkv_heads_dim;
  const char *q_norm = nullptr, *k_norm = nullptr;
  /// A table of relative positions that the first layer has and all use (T5)
  const char* relative_bias = nullptr;
  const char *gate = nullptr, *up = nullptr, *down = nullptr;
  const char* gate_up = nullptr;  ///< both in one, gates first
  ChoiceList activation = "hidden_act";
  const char* default_activation = "gelu";
  /// Instead of `up` where the activation is "gated-..." (T5)
  const char *gated_gate = nullptr, *gated_up = nullptr;

  const char* last_norm = nullptr;

  // Logits
  const char* head = nullptr;  ///< its weight is that of the embedding where the two are tied
  const char *head_dense = nullptr, *head_norm = nullptr;  ///< before it (BERT)
  const char* head_bias = nullptr;                         ///< the name of a tensor
  ChoiceList head_activation = {};  ///< a key with the activation of the layers
  bool tied = true;                 ///< where tie_word_embeddings does not say it
  bool reads_logit_cap = false;     ///< final_logit_softcapping

  /// Tensors that are not needed: the end of a name, or with a dot at its end the beginning
  ChoiceList ignored{};
  /// Keys with the only values that are known
  ChoiceList required{};
};

/// All rows of all files.
std::span<const Architecture* const> all_architectures();
/// nullptr if there is none for this model_type.
const Architecture* find_architecture(std::string_view model_type);

}  // namespace phasor
