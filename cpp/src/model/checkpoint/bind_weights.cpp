#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "model/checkpoint/config_keys.h"
#include "model/checkpoint/layer_attention.h"
#include "model/checkpoint/tensor_binder.h"
#include "model/encoding_params.h"
#include "phasor/registry.h"

namespace phasor::model {

namespace {

Status find_activation(std::string_view name, Activation& out) {
  constexpr ChoiceList kTanhActivations =
      "gelu_new, gelu_pytorch_tanh, gelu_fast, gelu_python_tanh";
  constexpr ChoiceList kActivations =
      "gelu, gelu_new, gelu_pytorch_tanh, gelu_fast, relu, silu, swish";
  if (name == "gelu" || name == "gelu_python") {
    out = Activation::gelu;
  } else if (kTanhActivations.find(name) >= 0) {
    out = Activation::gelu_tanh;
  } else if (name == "relu") {
    out = Activation::relu;
  } else if (name == "silu" || name == "swish") {
    out = Activation::silu;
  } else {
    return unknown("hidden_act: \"{}\" is not supported; expected one of {}", name, kActivations);
  }
  return {};
}

Status bind_block(const Architecture& a, TensorBinder& binder, const Weights& w, bool is_first,
                  LayerWeights& block) {
  const int hidden = w.info.hidden_size, dim = w.info.head_dim, inner = w.intermediate_size;
  const int q_dim = w.info.heads * dim, kv_dim = w.info.kv_heads * dim;
  if (!is_first || !a.lacks_first_attention_norm)
    PHASOR_TRY(binder.bind_norm(a.pre_attention_norm, hidden, block.pre_attention_norm));
  PHASOR_TRY(binder.bind_norm(a.post_attention_norm, hidden, block.post_attention_norm));
  PHASOR_TRY(binder.bind_norm(a.attention_residual_norm, hidden, block.attention_residual_norm));
  PHASOR_TRY(binder.bind_norm(a.pre_mlp_norm, hidden, block.pre_mlp_norm));
  PHASOR_TRY(binder.bind_norm(a.post_mlp_norm, hidden, block.post_mlp_norm));
  PHASOR_TRY(binder.bind_norm(a.mlp_residual_norm, hidden, block.mlp_residual_norm));
  PHASOR_TRY(binder.bind_linear(a.q, q_dim, hidden, block.q));
  PHASOR_TRY(binder.bind_linear(a.k, kv_dim, hidden, block.k));
  PHASOR_TRY(binder.bind_linear(a.v, kv_dim, hidden, block.v));
  PHASOR_TRY(binder.bind_linear(a.qkv, q_dim + 2 * kv_dim, hidden, block.qkv));
  PHASOR_TRY(binder.bind_linear(a.o, hidden, q_dim, block.o));
  if (block.attention.options.qk_norm) {
    if (a.q_norm == nullptr)
      return invalid("weights: this family has no tensors for query and key norms");
    QkNorm& norm = *block.attention.options.qk_norm;
    norm.q_weight.shape = norm.k_weight.shape = {dim};
    PHASOR_TRY(
        binder.bind_numbers(binder.full_name(a.q_norm, ".weight"), {dim}, 0, norm.q_weight.data));
    PHASOR_TRY(
        binder.bind_numbers(binder.full_name(a.k_norm, ".weight"), {dim}, 0, norm.k_weight.data));
  }
  PHASOR_TRY(binder.bind_linear(w.is_gated && a.gated_gate != nullptr ? a.gated_gate : a.gate,
                                inner, hidden, block.gate));
  PHASOR_TRY(binder.bind_linear(w.is_gated && a.gated_up != nullptr ? a.gated_up : a.up, inner,
                                hidden, block.up));
  PHASOR_TRY(binder.bind_linear(a.gate_up, 2 * inner, hidden, block.gate_up));
  return binder.bind_linear(a.down, hidden, inner, block.down);
}

Status bind_embeddings(const Architecture& a, TensorBinder& binder, Weights& w) {
  const int hidden_size = w.info.hidden_size;
  PHASOR_TRY(binder.bind_matrix(a.embedding, w.info.vocab_size, w.embedding_size, w.embedding));
  if (w.embedding_size != hidden_size) {
    PHASOR_TRY(binder.bind_linear(a.project_in, hidden_size, w.embedding_size, w.project_in));
    PHASOR_TRY(binder.bind_linear(a.project_out, w.embedding_size, hidden_size, w.project_out));
  }
  if (w.position_table && w.position_table->id == "learned") {
    if (a.positions == nullptr)
      return invalid("weights: this family has no tensor for a learned position table");
    const ParamValue* max_length = w.position_table->params.find("max_length");
    const ParamValue* row_offset = w.position_table->params.find("row_offset");
    const int count = max_length != nullptr ? static_cast<int>(std::get<double>(*max_length)) : 0;
    w.max_positions =
        count - (row_offset != nullptr ? static_cast<int>(std::get<double>(*row_offset)) : 0);
    auto& table = std::get<Tensor>(w.position_table->params["table"] = Tensor());
    table.shape = {count, hidden_size};
    PHASOR_TRY(
        binder.bind_numbers(binder.full_name(a.positions, ".weight"), table.shape, 0, table.data));
  }
  return binder.bind_norm(a.embedding_norm, hidden_size, w.embedding_norm);
}

Status bind_head(const Architecture& a, TensorBinder& binder, bool is_tied, Weights& w) {
  const int hidden_size = w.embedding_size, vocab_size = w.info.vocab_size;
  const bool has_dense = binder.has(a.head_dense);
  w.info.has_head =
      a.head != nullptr && (is_tied ? a.head_dense == nullptr || has_dense : binder.has(a.head));
  if (!w.info.has_head) return {};
  if (a.head_dense != nullptr) {
    PHASOR_TRY(binder.bind_linear(a.head_dense, hidden_size, hidden_size, w.head_dense));
    PHASOR_TRY(binder.bind_norm(a.head_norm, hidden_size, w.head_norm));
  }
  if (!is_tied) return binder.bind_linear(a.head, vocab_size, hidden_size, w.head);
  if (a.head_bias == nullptr) return {};
  return binder.bind_numbers(binder.full_name(a.head_bias, ""), {vocab_size}, 0, w.head.bias);
}

Status bind_token_types(const Architecture& a, ConfigKeys& keys, TensorBinder& binder, Weights& w) {
  if (a.token_types == nullptr) return {};
  return binder.bind_matrix(a.token_types, keys.get_size("type_vocab_size", 2), w.info.hidden_size,
                            w.token_types);
}

Status read_sizes(const Architecture& a, ConfigKeys& keys, Weights& w) {
  ModelInfo& info = w.info;
  info.hidden_size = keys.get_size(a.hidden_size);
  info.layers = keys.get_size(a.layers);
  info.heads = keys.get_size(a.heads);
  info.vocab_size = keys.get_size(a.vocab_size);
  PHASOR_TRY(keys.status());
  info.kv_heads = keys.get_size(a.kv_heads, info.heads);
  info.head_dim = keys.get_size(
      a.head_dim, a.default_head_dim > 0 ? a.default_head_dim : info.hidden_size / info.heads);
  w.intermediate_size = keys.get_size(a.intermediate_size, 4 * info.hidden_size);
  w.embedding_size = a.embedding_size != nullptr ? keys.get_size(a.embedding_size, info.hidden_size)
                                                 : info.hidden_size;
  if (!a.norm_eps.empty())
    w.norm_eps = keys.get_number(a.norm_eps).value_or(a.default_norm_eps);
  else
    w.norm_eps = a.default_norm_eps;
  PHASOR_TRY(keys.status());
  if (info.heads % info.kv_heads != 0) {
    return invalid(
        "num_key_value_heads: {} does not divide the number of heads; expected a divisor of {}",
        info.kv_heads, info.heads);
  }
  if (info.head_dim == 0)
    return invalid("{}: {} is smaller than the number of heads, {}",
                   Subject{a.hidden_size.list().front()}, info.hidden_size, info.heads);
  return {};
}

}  // namespace

Status bind_weights(const Checkpoint& checkpoint, Weights& w, std::vector<Binding>& bindings) {
  const Params& config = checkpoint.config;
  ConfigKeys keys(config);
  const std::string model_type = keys.get_string("model_type").value_or("");
  PHASOR_TRY(keys.status());
  const Architecture* architecture = find_architecture(model_type);
  if (architecture == nullptr) {
    std::string names;
    for (const Architecture* supported : get_architectures())
      ((names += names.empty() ? "" : ", ") += supported->model_types.text());
    return unknown("model_type: \"{}\" is not supported; expected one of {}", model_type, names);
  }
  Architecture a = *architecture;
  PHASOR_TRY(keys.check_required(a.required_values));
  w.architecture = architecture;
  w.info.model_type = model_type;
  PHASOR_TRY(read_sizes(a, keys, w));
  w.is_parallel = a.is_parallel;
  if (a.parallel_key != nullptr)
    w.is_parallel = keys.get_boolean(a.parallel_key).value_or(a.is_parallel);
  if (a.norm_before_key != nullptr && !keys.get_boolean(a.norm_before_key).value_or(true)) {
    std::swap(a.pre_attention_norm, a.attention_residual_norm);
    std::swap(a.pre_mlp_norm, a.mlp_residual_norm);
    a.last_norm = nullptr;
  }
  std::string activation_name(a.default_activation);
  if (!a.activation.empty())
    activation_name = keys.get_string(a.activation).value_or(activation_name);
  if (a.gated_gate != nullptr && activation_name.starts_with("gated-")) {
    w.is_gated = true;
    activation_name = activation_name.substr(6);
    if (activation_name == "gelu") activation_name = "gelu_new";  // T5
  }
  w.is_gated = w.is_gated || a.gate != nullptr || a.gate_up != nullptr;
  PHASOR_TRY(find_activation(activation_name, w.activation));
  if (!a.head_activation.empty()) {
    const std::string head_activation =
        keys.get_string(a.head_activation).value_or(activation_name);
    Activation activation{};
    PHASOR_TRY(find_activation(head_activation, activation));
    if (activation != w.activation)
      return invalid("{}: \"{}\" differs from the activation of the layers, \"{}\"",
                     Subject{a.head_activation.list().front()}, head_activation, activation_name);
  }
  if (a.reads_logit_cap) w.logit_cap = keys.get_number("final_logit_softcapping").value_or(0);
  const bool is_tied = keys.get_boolean("tie_word_embeddings").value_or(a.is_tied_by_default);
  PHASOR_TRY(keys.status());

  PHASOR_TRY_ASSIGN(std::vector<ConfigLayer> layers, layers_from_config(config));
  if (!a.stack.empty())
    std::erase_if(layers, [&](const ConfigLayer& layer) { return layer.stack != a.stack; });
  if (static_cast<int>(layers.size()) != w.info.layers) {
    return invalid("{}: {} differs from the number of layers with position settings, {}",
                   Subject{a.layers.list().front()}, w.info.layers,
                   static_cast<double>(layers.size()));
  }
  w.layers.resize(layers.size());
  TensorBinder binder(checkpoint.tensors, a, bindings);
  PHASOR_TRY(binder.check_unique_names());
  for (std::size_t n = 0; n < layers.size(); ++n) {
    PHASOR_TRY(configure_attention(layers[n], static_cast<int>(n), w.layers[n].attention));
    EncodingConfig& encoding = w.layers[n].attention.encoding;
    const EncodingInfo* info = find_encoding(encoding.id);
    if (info == nullptr || info->injection != Injection::input) continue;
    w.position_table = std::move(encoding);
    encoding = {};
  }
  for (const LayerWeights& block : w.layers) {
    const EncodingConfig& encoding = block.attention.encoding;
    if (!has_growing_frequencies(encoding)) continue;
    const int length = original_length(encoding);
    w.cacheable_length = w.cacheable_length > 0 ? std::min(w.cacheable_length, length) : length;
  }
  w.info.causal = w.layers.front().attention.mask == Mask::causal;
  PHASOR_TRY(bind_embeddings(a, binder, w));
  PHASOR_TRY(bind_token_types(a, keys, binder, w));
  for (std::size_t n = 0; n < layers.size(); ++n) {
    binder.enter_layer(static_cast<int>(n));
    PHASOR_TRY(bind_block(a, binder, w, n == 0, w.layers[n]));
    if (a.relative_bias == nullptr) continue;
    // Only the first layer has a table in the file. ModelLoader::finish() copies it to the other
    // layers.
    if (n > 0) continue;
    Params& params = w.layers[0].attention.encoding.params;
    const ParamValue* num_buckets = params.find("num_buckets");
    auto& table = std::get<Tensor>(params["table"] = Tensor());
    table.shape = {num_buckets != nullptr ? static_cast<int>(std::get<double>(*num_buckets)) : 32,
                   w.info.heads};
    PHASOR_TRY(binder.bind_numbers(binder.full_name(a.relative_bias, ".weight"), table.shape, 0,
                                   table.data));
  }
  binder.leave_layer();
  PHASOR_TRY(binder.bind_norm(a.last_norm, w.info.hidden_size, w.last_norm));
  PHASOR_TRY(bind_head(a, binder, is_tied, w));
  PHASOR_TRY(keys.status());
  PHASOR_TRY(keys.check_unread_keys());
  PHASOR_TRY(binder.check_unbound(is_tied));
  w.info.bytes = binder.bytes();
  w.info.parameters = binder.parameter_count();
  std::sort(bindings.begin(), bindings.end(), [](const Binding& x, const Binding& y) {
    return x.file_index != y.file_index ? x.file_index < y.file_index : x.begin < y.begin;
  });
  return {};
}

}  // namespace phasor::model
