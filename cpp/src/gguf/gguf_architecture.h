#pragma once
// How the files of llama.cpp and transformers differ, per general.architecture. The tables are in
// conversions/, one file per lineage.

#include <cstdint>
#include <span>

#include "gguf/gguf_config_reader.h"

namespace phasor {

/// A metadata key without the architecture prefix, and its name in config.json.
struct KeyName {
  const char* gguf;
  const char* config;
  bool is_required = true;
};

/// How a stored tensor differs from the one in transformers.
enum class WeightForm : std::uint8_t {
  same,
  transposed,   ///< (out, in) in the file, (in, out) in transformers
  query_pairs,  ///< channels i and i + head_dim / 2 of each query head are adjacent
  key_pairs,    ///< channels i and i + head_dim / 2 of each key head are adjacent
  /// Rows are (q, k, v; head; channel) in the file, (head; q, k, v; channel) in transformers
  by_projection,
  one_plus,  ///< the weight of a norm, stored as 1 + weight
  unused,    ///< not read
};

/// A tensor name without .weight or .bias; {} is the layer index.
struct WeightName {
  const char* gguf;
  const char* config;
  WeightForm form = WeightForm::same;
};

struct GgufArchitecture {
  const char* name;
  const char* model_type;
  std::span<const KeyName> keys;
  std::span<const WeightName> weights;
  /// Reads metadata that `keys` does not list.
  void (*read)(GgufConfigReader&);
  const char* required_tensor = nullptr;  ///< applies only to files with this tensor
};

// Keys for the sizes of rotary models.
inline constexpr KeyName kSizeKeys[] = {
    {"embedding_length", "hidden_size"},
    {"block_count", "num_hidden_layers"},
    {"feed_forward_length", "intermediate_size"},
    {"context_length", "max_position_embeddings", false},
    {"attention.head_count", "num_attention_heads"},
    {"attention.head_count_kv", "num_key_value_heads", false},
    {"attention.layer_norm_rms_epsilon", "rms_norm_eps"},
};

/// All supported architectures, one list per lineage.
std::span<const GgufArchitecture> bert_architectures();
std::span<const GgufArchitecture> gemma_architectures();
std::span<const GgufArchitecture> gpt_architectures();
std::span<const GgufArchitecture> llama_architectures();
std::span<const GgufArchitecture> t5_architectures();

}  // namespace phasor
