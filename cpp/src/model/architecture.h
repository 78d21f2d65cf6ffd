#pragma once
// A model family: the config.json keys of its sizes, the names of its tensors, and the order of
// norms, attention and feed-forward layer. All rows are in architectures/, one file per lineage.
// Positions, windows, scales, soft caps and norms of queries and keys are not described here:
// layers_from_config reads them.

#include <span>
#include <string_view>

#include "nn/norms.h"
#include "phasor/params.h"
#include "phasor/tensor_view.h"

namespace phasor {

/// Tensor names omit ".weight" and ".bias"; nullptr: the family has no such tensor. The file's
/// prefix precedes every name that does not begin with "^". Biases are read if the file has them.
struct Architecture {
  ChoiceList names{};       ///< model_type
  const char* prefix = "";  ///< prefix of most tensors; files of base models omit the prefix
  /// The `stack` option of layers_from_config, for encoder-decoder models
  std::string_view stack = {};

  // Keys of sizes. Of several keys, the first one in the file is read.
  ChoiceList hidden_size = "hidden_size";
  ChoiceList layers = "num_hidden_layers";
  ChoiceList heads = "num_attention_heads";
  ChoiceList kv_heads = "num_key_value_heads";         ///< default: heads
  ChoiceList head_dim = "head_dim";                    ///< default: hidden_size / heads
  int default_head_dim = 0;                            ///< 0: hidden_size / heads
  ChoiceList intermediate_size = "intermediate_size";  ///< default: 4 hidden_size
  ChoiceList vocab_size = "vocab_size";

  nn::NormKind norm = nn::NormKind::layer_norm;
  bool norm_one_plus = false;  ///< multiplies by 1 + weight
  ChoiceList norm_eps = {};    ///< key of the eps of norms
  double default_norm_eps = 1e-5;

  // Embeddings
  const char* embedding = nullptr;
  bool scales_embedding = false;  ///< multiplies by sqrt(hidden_size)
  const char* positions = nullptr;
  const char* token_types = nullptr;
  const char* embedding_norm = nullptr;
  /// Projections between the layers and embeddings of another size (OPT)
  const char *project_in = nullptr, *project_out = nullptr;
  const char* embedding_size = nullptr;  ///< key of the embedding size

  // The prefix of a layer's tensors; {} is its number.
  const char* layer = "layers.{}.";
  /// Weights are (in_features, out_features), as in the Conv1D of GPT-2.
  bool weights_are_in_out = false;
  /// Norms of a branch's input, its output, and its sum with the residual stream
  const char *attention_in = nullptr, *attention_out = nullptr, *attention_sum = nullptr;
  const char *mlp_in = nullptr, *mlp_out = nullptr, *mlp_sum = nullptr;
  bool first_attention_is_unnormed = false;  ///< the first layer has no `attention_in`
  /// If this key is false, norms apply to the sums instead of the inputs of the branches
  const char* norm_before_key = nullptr;
  bool parallel = false;  ///< both branches have the same input; without mlp_in they share a norm
  const char* parallel_key = nullptr;
  const char *q = nullptr, *k = nullptr, *v = nullptr, *o = nullptr;
  const char* qkv = nullptr;
  QkvLayout qkv_layout = QkvLayout::qkv_heads_dim;
  const char *q_norm = nullptr, *k_norm = nullptr;
  /// A table of relative positions in the first layer, shared by all layers (T5)
  const char* relative_bias = nullptr;
  const char *gate = nullptr, *up = nullptr, *down = nullptr;
  const char* gate_up = nullptr;  ///< the rows of `gate` and `up` in one matrix, gates first
  ChoiceList activation = "hidden_act";
  const char* default_activation = "gelu";
  /// Tensors that replace `up` if the activation is "gated-..." (T5)
  const char *gated_gate = nullptr, *gated_up = nullptr;

  const char* last_norm = nullptr;

  // Logits
  const char* head = nullptr;  ///< shares the weight of the embedding if tied
  const char *head_dense = nullptr, *head_norm = nullptr;  ///< layers before the head (BERT)
  const char* head_bias = nullptr;                         ///< full name of a tensor
  ChoiceList head_activation = {};  ///< key of the activation; default: that of the layers
  bool tied = true;                 ///< default of tie_word_embeddings
  bool reads_logit_cap = false;     ///< final_logit_softcapping

  /// Tensors that are not read: name suffixes, or prefixes if they end with a dot
  ChoiceList ignored{};
  /// Keys with the only supported value of each: "key=value, ..."
  ChoiceList required{};
};

/// All architectures, from all files of architectures/.
std::span<const Architecture* const> all_architectures();
/// The architecture with this model_type, or nullptr.
const Architecture* find_architecture(std::string_view model_type);

}  // namespace phasor
