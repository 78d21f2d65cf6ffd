#include "hf_config/layer_heads.h"

#include <cmath>
#include <initializer_list>

#include "core/format_error.h"
#include "hf_config/layer_types.h"

namespace phasor {

namespace {

using KeyList = std::initializer_list<std::string>;

class HeadsReader {
 public:
  HeadsReader(ConfigMap& model, int index) : model_(model), index_(index) {}

  /// Returns the value of the first of `keys` that has a number. Ignores lists, because some have
  /// one number per stage, not per layer (Swin).
  std::optional<int> read_any(KeyList keys) {
    for (const std::string& key : keys) {
      const auto* number = find_value<double>(key);
      if (number == nullptr) continue;
      if (*number >= 1 && *number <= kMaxExtent && *number == std::floor(*number))
        return static_cast<int>(*number);
      model_.fail(invalid("{}{}: {} is not a whole number from 1 to {}", model_.path, key,
                          detail(*number), kMaxExtent));
    }
    return {};
  }

  /// Returns the value for this layer, from "per_layer_config.05.head_dim" (transformers 5) or from
  /// the list "head_dim_per_layer" (Laguna).
  std::optional<int> read_for_layer(const std::string& key) {
    for (const char* zeros : {"", "0", "00"}) {
      const std::string path = format_error("per_layer_config.{}{}.{}", zeros, index_, key);
      if (const auto number = read_any({path})) return number;
    }
    const auto* list = find_value<Tensor>(key + "_per_layer");
    if (list == nullptr || static_cast<std::size_t>(index_) >= list->data.size()) return {};
    return static_cast<int>(list->data[static_cast<std::size_t>(index_)]);
  }

  /// Unlike read_any, accepts 0, because a head may have only content or only rotary channels.
  int read_or_default(const std::string& key, int default_value) {
    const auto* number = find_value<double>(key);
    return number != nullptr && *number == 0 ? 0 : read_any({key}).value_or(default_value);
  }

 private:
  template <class T>
  const T* find_value(const std::string& key) const {
    const ParamValue* entry = model_.entries.find(key);
    return entry != nullptr ? std::get_if<T>(entry) : nullptr;
  }

  ConfigMap& model_;
  int index_;
};

std::optional<int> read_latent_dim(const Family& family, HeadsReader& reader) {
  const int dim = reader.read_or_default("qk_nope_head_dim", family.qk_nope_head_dim) +
                  reader.read_or_default("qk_rope_head_dim", family.qk_rope_head_dim);
  return dim > 0 ? std::optional(dim) : std::nullopt;
}

// Returns head_dim from the file, or the family's default, or the embedding dimension divided by
// the number of heads.
std::optional<int> read_head_dim(const Family& family, HeadsReader& reader,
                                 std::optional<int> heads) {
  if (const auto dim = reader.read_any({"head_dim", "d_kv", "attention_head_dim"})) return dim;
  if (family.head_dim > 0) return family.head_dim;
  if (family.embed_dim_key == nullptr) return {};
  const auto embed_dim =
      reader.read_any({family.embed_dim_key, "d_model", "n_embd", "n_embed", "dim", "emb_dim"});
  if (!heads || !embed_dim || *embed_dim % *heads != 0) return {};
  return *embed_dim / *heads;
}

}  // namespace

std::optional<int> read_multi_query_kv_heads(ConfigMap& model, std::optional<int> heads) {
  return model.boolean("multi_query", true) ? std::optional(1) : heads;
}

std::optional<int> read_falcon_kv_heads(ConfigMap& model, std::optional<int> heads) {
  if (!model.boolean("new_decoder_architecture", false))
    return read_multi_query_kv_heads(model, heads);
  return HeadsReader(model, 0).read_any({"num_kv_heads", "n_head_kv"});
}

Status read_heads(ConfigMap& model, const Family& family, std::string_view stack, int index,
                  ConfigLayer& layer) {
  HeadsReader reader(model, index);
  const bool is_local = find_kind(layer.type) == LayerKind::sliding;
  if (family.separate_heads == SeparateHeads::local && is_local) {
    layer.heads = reader.read_any({"swa_num_attention_heads"});
    layer.kv_heads = reader.read_any({"swa_num_key_value_heads"});
    layer.head_dim = reader.read_any({"swa_head_dim"});
  } else {
    layer.heads = reader.read_any({std::string(stack) + "_attention_heads", "num_attention_heads",
                                   "n_head", "n_heads", "num_heads", "encoder_attention_heads"});
    if (family.separate_heads == SeparateHeads::global && !is_local) {
      layer.kv_heads = reader.read_any({"num_global_key_value_heads"});
      layer.head_dim = reader.read_any({"global_head_dim"});
    } else {
      layer.kv_heads = family.read_kv_heads != nullptr ? family.read_kv_heads(model, layer.heads)
                                                       : reader.read_any({"num_key_value_heads"});
      layer.head_dim = family.is_latent ? read_latent_dim(family, reader)
                                        : read_head_dim(family, reader, layer.heads);
    }
  }
  if (const auto number = reader.read_for_layer("num_attention_heads")) layer.heads = number;
  if (const auto number = reader.read_for_layer("num_key_value_heads")) layer.kv_heads = number;
  if (const auto number = reader.read_for_layer("head_dim")) layer.head_dim = number;
  PHASOR_TRY(model.status());
  if (layer.heads && layer.kv_heads && *layer.heads % *layer.kv_heads != 0) {
    return invalid("{}num_key_value_heads: {} is not a divisor of {}, the heads of layer {}",
                   model.path, *layer.kv_heads, *layer.heads, index);
  }
  return {};
}

}  // namespace phasor
