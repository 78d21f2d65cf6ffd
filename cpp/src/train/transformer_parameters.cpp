#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "phasor/registry.h"
#include "train/transformer.h"

namespace phasor {

// As in T5, all layers share one encoding, unless the encoding computes token tensors.
Status TransformerNetwork::add_encodings(const TrainConfig& config, Arena& arena) {
  const auto add = [&](Encoding& encoding, const std::string& prefix) {
    for (Parameter* parameter : encoding.parameters()) {
      const bool is_table = encoding.as_score_bias() != nullptr && parameter->name == "table";
      encoding_entries_.push_back(
          {parameter, arena.add(prefix + std::string(parameter->name), parameter->value.shape,
                                is_table ? config.bias_table_lr_scale : 1)});
    }
  };
  if (encoding_->as_projections() == nullptr) {
    add(*encoding_, "encoding.");
    return {};
  }
  for (int n = 0; n < config.layers; ++n) {
    if (n > 0) {
      PHASOR_TRY(phasor::create_encoding(config.encoding, *encoding_->dims)
                     .move_to(layer_encodings_.emplace_back()));
    }
    add(get_encoding(static_cast<std::size_t>(n)), format_error("layers.{}.attention.", n));
  }
  return {};
}

// Must be called last, so that the initial values of the other parameters do not depend on the
// options.
void TransformerNetwork::add_options(const TrainConfig& config, Arena& arena) {
  first_option_entry_ = static_cast<int>(arena.entries().size());
  for (std::size_t n = 0; n < layers_.size(); ++n) {
    const std::string name = format_error("layers.{}.attention.", n);
    if (config.sinks) layers_[n].sinks = arena.add(name + "sinks", {config.heads});
    if (!config.qk_norm) continue;
    layers_[n].q_norm = arena.add(name + "q_norm.weight", {config.embed_dim / config.heads});
    layers_[n].k_norm = arena.add(name + "k_norm.weight", {config.embed_dim / config.heads});
  }
}

nn::BatchedAttentionParams TransformerNetwork::make_attention_params(std::size_t layer) const {
  nn::BatchedAttentionParams params = attention_params_;
  params.encoding = &get_encoding(layer);
  const LayerEntries& entries = layers_[layer];
  if (entries.sinks >= 0) {
    params.learned_params.sinks = arena_->get_values(entries.sinks);
    params.learned_params.d_sinks = arena_->get_grads(entries.sinks);
  }
  if (entries.q_norm >= 0) {
    params.learned_params.q_norm = arena_->get_values(entries.q_norm);
    params.learned_params.d_q_norm = arena_->get_grads(entries.q_norm);
    params.learned_params.k_norm = arena_->get_values(entries.k_norm);
    params.learned_params.d_k_norm = arena_->get_grads(entries.k_norm);
  }
  return params;
}

// Linear layers are initialised as in PyTorch, with U(-1/sqrt(in), 1/sqrt(in)). Embeddings have a
// variance of 1 after they are scaled.
void TransformerNetwork::init_parameters(const TrainConfig& config) {
  double fan_in = 1;
  // Encoding parameters do not advance the stream index, so the initial values of the other weights
  // do not depend on them.
  std::uint64_t stream_index = 0;
  for (int n = 0; n < static_cast<int>(arena_->entries().size()); ++n) {
    const Arena::Entry& e = arena_->entry(n);
    const auto is_entry = [n](const EncodingEntry& encoding) { return encoding.arena_index == n; };
    if (std::any_of(encoding_entries_.begin(), encoding_entries_.end(), is_entry)) continue;
    if (n >= first_option_entry_) {
      std::fill_n(arena_->get_values(n), e.size, e.name.ends_with(".sinks") ? 0.0f : 1.0f);
      continue;
    }
    Generator random(config.seed, RandomPurpose::weights, stream_index++);
    const auto numbers = std::span(arena_->get_values(n), e.size);
    const bool is_norm = e.name.find("norm") != std::string::npos;
    if (n == embedding_entry_) {
      for (float& x : numbers)
        x = static_cast<float>(random.normal() / static_cast<double>(embedding_scale_));
    } else if (is_norm) {
      const float initial_value = e.name.ends_with(".weight") ? 1 : 0;
      for (float& x : numbers) x = initial_value;
    } else {
      // A bias uses the fan_in of the weight before it.
      if (e.shape.size() == 2) fan_in = e.shape[1];
      const double bound = 1 / std::sqrt(fan_in);
      for (float& x : numbers) x = static_cast<float>(bound * (2 * random.uniform() - 1));
    }
  }
  std::uint64_t p = 0;
  for (const auto& [parameter, n] : encoding_entries_) {
    constexpr std::uint64_t kEncodingStream = 1u << 20;
    Generator random(config.seed, RandomPurpose::weights, kEncodingStream + p++);
    const bool is_drawn =
        parameter->value.rank() == 2 && !config.encoding.params.contains(parameter->name);
    const bool is_table = encoding_->as_table() != nullptr;
    if (is_drawn && (is_table || encoding_->as_projections() != nullptr)) {
      // Each parameter has its own random stream, so that layers start with different projections.
      const double columns = parameter->value.shape.back(),
                   deviation = is_table ? config.table_init_std : 1 / std::sqrt(columns);
      for (float& x : parameter->value.data) x = static_cast<float>(deviation * random.normal());
    }
    std::copy(parameter->value.data.begin(), parameter->value.data.end(), arena_->get_values(n));
  }
}

void TransformerNetwork::gather_gradients() {
  for (const auto& [parameter, n] : encoding_entries_) {
    std::vector<float>& grad = parameter->gradient().data;
    std::copy(grad.begin(), grad.end(), arena_->get_grads(n));
    std::fill(grad.begin(), grad.end(), 0.0f);
  }
}

Status TransformerNetwork::scatter_values() {
  for (const auto& [parameter, n] : encoding_entries_) {
    const float* from = arena_->get_values(n);
    std::copy_n(from, parameter->value.data.size(), parameter->value.data.begin());
  }
  for (std::size_t n = 0; n <= layer_encodings_.size() && !encoding_entries_.empty(); ++n)
    PHASOR_TRY(get_encoding(n).parameters_changed());
  return {};
}

}  // namespace phasor
