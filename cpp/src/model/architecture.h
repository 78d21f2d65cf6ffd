#pragma once
// A model family: the config.json keys of its sizes, the names of its tensors, and the order of
// norms, attention and feed-forward layer. The families are defined in architectures/. Positions,
// windows, scales, soft caps, and query and key norms are read by layers_from_config instead.

#include <span>
#include <string_view>

#include "nn/norms.h"
#include "phasor/params.h"
#include "phasor/tensor_view.h"

namespace phasor {

/// Tensor names omit ".weight" and ".bias". A name is nullptr if the family has no such tensor.
/// `prefix` is prepended to names that do not begin with "^". A bias is read if the file contains
/// one.
struct Architecture {
  ChoiceList model_types{};  ///< values of model_type in config.json
  const char* prefix = "";   ///< prefix of most tensor names; missing in files of base models
  /// For encoder-decoder models, the stack to load, as in ConfigLayer::stack
  std::string_view stack = {};

  // Config keys of the sizes. If a field lists several keys, the first one in the config is read.
  ChoiceList hidden_size = "hidden_size";
  ChoiceList layers = "num_hidden_layers";
  ChoiceList heads = "num_attention_heads";
  ChoiceList kv_heads = "num_key_value_heads";  ///< default: heads
  ChoiceList head_dim = "head_dim";
  int default_head_dim = 0;  ///< used if the config has no head_dim; 0 means hidden_size / heads
  ChoiceList intermediate_size = "intermediate_size";  ///< default: 4 hidden_size
  ChoiceList vocab_size = "vocab_size";

  nn::NormKind norm = nn::NormKind::layer_norm;
  bool adds_one_to_norm_weights = false;
  ChoiceList norm_eps = {};  ///< config key of the norms' epsilon
  double default_norm_eps = 1e-5;

  // Embeddings
  const char* embedding = nullptr;
  bool scales_embedding = false;  ///< multiplies embeddings by sqrt(hidden_size)
  const char* positions = nullptr;
  const char* token_types = nullptr;
  const char* embedding_norm = nullptr;
  /// Projections between the embeddings and the layers, if their sizes differ (OPT)
  const char *project_in = nullptr, *project_out = nullptr;
  const char* embedding_size = nullptr;  ///< config key of the embedding size

  // Prefix of a layer's tensor names. {} is replaced with the layer index.
  const char* layer_prefix = "layers.{}.";
  /// If true, weights are (in_features, out_features), as in GPT-2's Conv1D.
  bool weights_are_transposed = false;
  /// Norms applied to a branch's input, to its output, and to the residual stream after the branch
  const char *pre_attention_norm = nullptr, *post_attention_norm = nullptr,
             *attention_residual_norm = nullptr;
  const char *pre_mlp_norm = nullptr, *post_mlp_norm = nullptr, *mlp_residual_norm = nullptr;
  bool lacks_first_attention_norm = false;
  /// Config key of a boolean. If it is false, each norm follows its branch instead of preceding it
  const char* norm_before_key = nullptr;
  /// If true, attention and the feed-forward layer run in parallel on the same input. They share
  /// one norm if pre_mlp_norm is nullptr
  bool is_parallel = false;
  const char* parallel_key = nullptr;
  const char *q = nullptr, *k = nullptr, *v = nullptr, *o = nullptr;
  const char* qkv = nullptr;
  QkvLayout qkv_layout = QkvLayout::qkv_heads_dim;
  const char *q_norm = nullptr, *k_norm = nullptr;
  /// The relative position table of the first layer, which all layers share (T5)
  const char* relative_bias = nullptr;
  const char *gate = nullptr, *up = nullptr, *down = nullptr;
  /// `gate` and `up` as one matrix; the rows of `gate` come first
  const char* gate_up = nullptr;
  ChoiceList activation = "hidden_act";
  const char* default_activation = "gelu";
  /// Used instead of `gate` and `up` if the activation begins with "gated-" (T5)
  const char *gated_gate = nullptr, *gated_up = nullptr;

  const char* last_norm = nullptr;

  // Logits
  const char* head = nullptr;  ///< a tied head uses the embedding's weight
  const char *head_dense = nullptr, *head_norm = nullptr;  ///< layers before the head (BERT)
  const char* head_bias = nullptr;  ///< name of the tensor, including ".bias"
  /// Config key of the head's activation, by default that of the layers
  ChoiceList head_activation = {};
  bool is_tied_by_default = true;  ///< used if the config has no tie_word_embeddings
  bool reads_logit_cap = false;    ///< final_logit_softcapping

  /// Tensors that are not loaded. Entries that end with a dot are prefixes of tensor names, and all
  /// other entries are suffixes
  ChoiceList ignored_tensors{};
  /// Boolean config keys for which only one value is supported, in the form "key=value, ..."
  ChoiceList required_values{};
};

std::span<const Architecture* const> get_architectures();
/// Returns the architecture for a model_type, or nullptr if there is none.
const Architecture* find_architecture(std::string_view model_type);

}  // namespace phasor
