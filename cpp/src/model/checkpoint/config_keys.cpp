#include "model/checkpoint/config_keys.h"

#include <algorithm>
#include <cmath>

#include "core/format_error.h"

namespace phasor::model {

namespace {

// Config keys that layers_from_config reads and validates, including all keys nested in
// rope_scaling and rope_parameters.
constexpr ChoiceList kPositionKeys =
    "model_type, rope_theta, rotary_pct, rotary_emb_base, rotary_dim, partial_rotary_factor, "
    "rope_local_base_freq, max_position_embeddings, original_max_position_embeddings, n_positions, "
    "n_ctx, seq_length, position_embedding_type, pad_token_id, layer_types, sliding_window, "
    "sliding_window_pattern, _sliding_window_pattern, use_sliding_window, max_window_layers, "
    "no_rope_layers, no_rope_layer_interval, query_pre_attn_scalar, attn_logit_softcapping, "
    "scale_attn_weights, scale_attn_by_inverse_layer_idx, relative_attention_num_buckets, "
    "relative_attention_max_distance, use_bidirectional_attention, rope_scaling, rope_parameters, "
    "num_decoder_layers, is_causal, attention_types, attention_layers, window_size, "
    "local_attention, global_attn_every_n_layers, global_rope_theta, "
    "local_rope_theta";

// Keys that do not affect the output, such as those for training, generation, tokenizers, other
// tasks and speed. Includes bias keys, because a bias is loaded whenever the file has one.
constexpr ChoiceList kNeutralKeys =
    "architectures, auto_map, transformers_version, torch_dtype, dtype, use_cache, "
    "bos_token_id, eos_token_id, decoder_start_token_id, unk_token_id, sep_token_id, cls_token_id, "
    "mask_token_id, initializer_range, initializer_factor, init_std, attention_dropout, "
    "hidden_dropout, classifier_dropout, resid_pdrop, embd_pdrop, attn_pdrop, embd_pdrop, "
    "resid_dropout, embedding_dropout, dropout, dropout_rate, layerdrop, hidden_dropout_prob, "
    "attention_probs_dropout_prob, activation_dropout, attention_bias, mlp_bias, pretraining_tp, "
    "gradient_checkpointing, reorder_and_upcast_attn, summary_type, summary_use_proj, "
    "summary_activation, summary_proj_to_labels, summary_first_dropout, task_specific_params, "
    "prefix, finetuning_task, id2label, label2id, num_labels, problem_type, _name_or_path, "
    "output_attentions, output_hidden_states, output_past, attention_softmax_in_fp32, "
    "bias_dropout_fusion, masked_softmax_fusion, skip_bias_add, skip_bias_add_qkv, "
    "slow_but_exact, offset_alibi, type_vocab_size, is_encoder_decoder, is_gated_act, "
    "dense_act_fn, n_special, predict_special_tokens, tokenizer_class, cache_implementation, "
    "pooler_fc_size, pooler_num_attention_heads, pooler_num_fc_layers, pooler_size_per_head, "
    "pooler_type, directionality, gradient_checkpointing, model_name, embedding_size, "
    "torch_dtype, head_dim, num_key_value_heads, tie_word_embeddings, "
    "sinusoidal_pos_embds, qa_dropout, "
    "seq_classif_dropout, embed_dropout, mlp_dropout, initializer_cutoff_factor, "
    "classifier_pooling, classifier_bias, norm_bias, deterministic_flash_attn, sparse_prediction, "
    "sparse_pred_ignore_index, reference_compile, repad_logits_with_grad";

std::string_view top_level_key(std::string_view path) { return path.substr(0, path.find('.')); }

}  // namespace

void ConfigKeys::fail(Status status) {
  if (status_.ok()) status_ = std::move(status);
}

template <class T>
std::optional<T> ConfigKeys::get(ChoiceList keys, const char* kind) {
  std::optional<T> result;
  for (const std::string_view key : keys.list()) {
    used_keys_.push_back(key);
    const ParamValue* value = config_.find(key);
    const auto* tensor = value != nullptr ? std::get_if<Tensor>(value) : nullptr;
    if (value == nullptr || (tensor != nullptr && tensor->shape.empty()) || result)
      continue;  // null
    if (const T* typed_value = std::get_if<T>(value)) {
      result = *typed_value;
    } else {
      fail(invalid("{}: {} is not {}", Subject{key}, *value, kind));
    }
  }
  return result;
}

int ConfigKeys::get_size(ChoiceList keys) {
  const std::optional<double> value = get_number(keys);
  const std::string_view key = keys.list().front();
  if (!value) {
    fail(invalid("{}: the key is missing; expected a whole number", Subject{key}));
    return 1;
  }
  if (!(*value >= 1 && *value <= kMaxExtent && *value == std::floor(*value))) {
    fail(invalid("{}: {} is not a whole number from {}", Subject{key}, *value,
                 Range{1, kMaxExtent}));
    return 1;
  }
  return static_cast<int>(*value);
}

int ConfigKeys::get_size(ChoiceList keys, int default_value) {
  return !keys.empty() && get_number(keys) ? get_size(keys) : default_value;
}

Status ConfigKeys::check_unread_keys() const {
  for (const auto& [path, value] : config_) {
    const std::string_view name = top_level_key(path);
    if (std::find(used_keys_.begin(), used_keys_.end(), name) != used_keys_.end()) continue;
    if (kPositionKeys.find(name) >= 0 || kNeutralKeys.find(name) >= 0) continue;
    const auto* tensor = std::get_if<Tensor>(&value);
    if (tensor != nullptr && tensor->shape.empty()) continue;  // null
    return unknown("{}: this key is not supported and might change the results", Subject{path});
  }
  return {};
}

Status ConfigKeys::check_required(ChoiceList required) {
  for (const std::string_view rule : required.list()) {
    const std::size_t separator = rule.find('=');
    const std::string_view key = rule.substr(0, separator);
    const bool expected = rule.substr(separator + 1) == "true";
    used_keys_.push_back(key);
    const ParamValue* value = config_.find(key);
    const bool* flag = value != nullptr ? std::get_if<bool>(value) : nullptr;
    if (value == nullptr || (flag != nullptr && *flag == expected)) continue;
    return invalid("{}: {} is not supported; expected {}", Subject{key}, *value,
                   expected ? "true" : "false");
  }
  return {};
}

template std::optional<double> ConfigKeys::get<double>(ChoiceList, const char*);
template std::optional<bool> ConfigKeys::get<bool>(ChoiceList, const char*);
template std::optional<std::string> ConfigKeys::get<std::string>(ChoiceList, const char*);

}  // namespace phasor::model
