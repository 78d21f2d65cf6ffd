#include "train/transformer.h"

#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "phasor/registry.h"

namespace phasor {

namespace {

nn::Activation to_nn_activation(ActivationType choice) {
  switch (choice) {
    case ActivationType::gelu: return nn::Activation::gelu;
    case ActivationType::gelu_tanh: return nn::Activation::gelu_tanh;
    case ActivationType::relu: return nn::Activation::relu;
    case ActivationType::swiglu: return nn::Activation::swiglu;
  }
  return nn::Activation::gelu;
}

}  // namespace

int TransformerNetwork::add_norm(const std::string& name, Arena& arena) {
  const int first_entry = arena.add(name + ".weight", {embed_dim_});
  if (norm_kind_ == nn::NormKind::layer_norm) arena.add(name + ".bias", {embed_dim_});
  return first_entry;
}

Status TransformerNetwork::check_encoding(const TrainConfig& config) const {
  if (!encoding_->token_tensors.empty() &&
      (encoding_->as_projections() == nullptr || encoding_->as_token_transform() != nullptr)) {
    return invalid("encoding: {} needs {} per token, which this transformer does not compute",
                   encoding_->id, encoding_->token_tensors.front().name);
  }
  if (encoding_->as_mixing() != nullptr) {
    return invalid(
        "encoding: {} needs the scores of all heads together, but training computes one head at a "
        "time",
        encoding_->id);
  }
  if (encoding_->causal_only() && !config.causal)
    return invalid("causal: expected true; {} is defined only for causal attention", encoding_->id);
  if (encoding_->as_projections() == nullptr && encoding_->as_custom_dot_product() != nullptr) {
    return invalid(
        "remap: is not supported in training; {} can be remapped for longer texts afterwards",
        detail(encoding_->id));
  }
  if (const TableEncoding* table = encoding_->as_table();
      table != nullptr && table->table_dim(embed_dim_) > embed_dim_) {
    return invalid(
        "{}: the table of {} has {} channels, which cannot be added to embeddings with {} channels",
        argument("embed_dim"), detail(encoding_->id), table->table_dim(embed_dim_), embed_dim_);
  }
  return {};
}

void TransformerNetwork::add_layers(const TrainConfig& config, Arena& arena) {
  const int inner = config.dim_feedforward > 0 ? config.dim_feedforward : 4 * embed_dim_;
  const bool is_gated = activation_ == nn::Activation::swiglu;
  for (int n = 0; n < config.layers; ++n) {
    const std::string name = format_error("layers.{}.", n);
    LayerEntries layer{};
    layer.norm1 = add_norm(name + "norm1", arena);
    layer.in_proj = arena.add(name + "attention.in_proj_weight", {3 * embed_dim_, embed_dim_});
    layer.out_proj = arena.add(name + "attention.out_proj.weight", {embed_dim_, embed_dim_});
    layer.norm2 = add_norm(name + "norm2", arena);
    layer.up =
        arena.add(name + "feed_forward.up.weight", {is_gated ? 2 * inner : inner, embed_dim_});
    layer.up_bias = is_gated ? -1 : arena.add(name + "feed_forward.up.bias", {inner});
    layer.down = arena.add(name + "feed_forward.down.weight", {embed_dim_, inner});
    layer.down_bias = is_gated ? -1 : arena.add(name + "feed_forward.down.bias", {embed_dim_});
    layers_.push_back(layer);
  }
}

Status TransformerNetwork::create(const TrainConfig& config, const ModelSizes& sizes,
                                  Arena& arena) {
  arena_ = &arena;
  sizes_ = sizes;
  embed_dim_ = config.embed_dim;
  is_tied_ = config.tie_word_embeddings;
  level_ = select_level(config);
  norm_kind_ =
      config.norm == NormType::layer_norm ? nn::NormKind::layer_norm : nn::NormKind::rms_norm;
  activation_ = to_nn_activation(config.activation);
  embedding_scale_ = std::sqrt(static_cast<float>(embed_dim_));
  if (config.embed_dim % config.heads != 0)
    return invalid("heads: {} does not divide {}; expected a divisor of {}", config.heads,
                   argument("embed_dim"), config.embed_dim);
  const int head_dim = config.embed_dim / config.heads;
  if (is_tied_ && sizes.class_count != sizes.symbol_count) {
    return invalid("{}: the task has {} classes, but {} symbols", argument("tie_word_embeddings"),
                   sizes.class_count, sizes.symbol_count);
  }

  const EncodingInfo* type = find_encoding(config.encoding.id);
  const bool is_input_encoding = type != nullptr && type->injection == Injection::input;
  axes_ = type != nullptr ? type->axes : 1;
  if (axes_ > 1 && sizes.grid_columns == 0) {
    return invalid("encoding: {} needs {} coordinates per position, but the tokens of {} have one",
                   config.encoding.id, axes_, config.task);
  }
  PHASOR_TRY(phasor::create_encoding(config.encoding,
                                     {.length = config.sequence_length,
                                      .dim = is_input_encoding ? config.embed_dim : head_dim,
                                      .heads = config.heads,
                                      .axes = axes_,
                                      .scale = config.scale,
                                      .embed_dim = config.embed_dim})
                 .move_to(encoding_));
  PHASOR_TRY(check_encoding(config));

  embedding_entry_ = arena.add("embedding.weight", {sizes.symbol_count, embed_dim_});
  PHASOR_TRY(add_encodings(config, arena));
  add_layers(config, arena);
  final_norm_entry_ = add_norm("norm", arena);
  output_head_entry_ =
      is_tied_ ? embedding_entry_ : arena.add("head.weight", {sizes.class_count, embed_dim_});
  output_bias_entry_ = is_tied_ ? -1 : arena.add("head.bias", {sizes.class_count});
  add_options(config, arena);

  attention_params_ = {.encoding = encoding_.get(),
                       .size = {},
                       .heads = config.heads,
                       .head_dim = head_dim,
                       .causal = config.causal,
                       .scale = config.scale.value_or(encoding_->scale(head_dim).value_or(
                           1 / std::sqrt(static_cast<double>(head_dim)))),
                       .positions = {},
                       .repeated_positions = {},
                       .has_qk_norm = config.qk_norm};
  return {};
}

std::optional<int> TransformerNetwork::last_row() const {
  if (encoding_->as_table() == nullptr || encoding_->parameters().empty()) return {};
  // A computed encoding is valid at every position. For a learned table, bisection finds the last
  // valid position.
  int low = 0, high = kMaxExtent;
  const auto is_valid = [&](double position) {
    return encoding_->check_positions(Positions(std::span(&position, 1))).ok();
  };
  if (is_valid(high)) return {};
  while (high - low > 1) {
    const int midpoint = low + (high - low) / 2;
    (is_valid(midpoint) ? low : high) = midpoint;
  }
  return low;
}

Status TransformerNetwork::set_positions(std::vector<double> positions, int items) {
  const int tokens = static_cast<int>(positions.size()) / axes_;
  if (items == attention_params_.size.items && positions == positions_) return {};
  const Positions new_positions(positions, axes_);
  PHASOR_TRY(encoding_->check_positions(new_positions));
  PHASOR_TRY(encoding_->check_distances(new_positions, new_positions));
  positions_ = std::move(positions);
  attention_params_.size = {items, tokens};
  attention_params_.positions = Positions(positions_, axes_);
  repeated_positions_.clear();
  for (int item = 0; item < items && encoding_->as_query_key() != nullptr; ++item)
    repeated_positions_.insert(repeated_positions_.end(), positions_.begin(), positions_.end());
  attention_params_.repeated_positions = Positions(repeated_positions_, axes_);
  return {};
}

}  // namespace phasor
