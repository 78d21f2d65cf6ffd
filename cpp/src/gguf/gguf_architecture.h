#pragma once
// Differences between llama.cpp and transformers checkpoints, for each value of
// general.architecture. The tables are in conversions/, one file per lineage.

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

enum class WeightForm : std::uint8_t {
  same,
  transposed,   ///< (out, in) in GGUF, (in, out) in transformers
  query_pairs,  ///< channels i and i + head_dim / 2 of each query head are adjacent
  key_pairs,    ///< channels i and i + head_dim / 2 of each key head are adjacent
  /// Rows are ordered (q, k, v; head; channel) in GGUF, and (head; q, k, v; channel) in
  /// transformers
  by_projection,
  one_plus,  ///< norm weight, stored as 1 + weight
  unused,    ///< not read
};

/// Names of a tensor in both formats, without .weight or .bias. {} is replaced with the layer
/// index.
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
  const char* required_tensor = nullptr;  ///< only for files that contain this tensor
};

inline constexpr KeyName kSizeKeys[] = {
    {"embedding_length", "hidden_size"},
    {"block_count", "num_hidden_layers"},
    {"feed_forward_length", "intermediate_size"},
    {"context_length", "max_position_embeddings", false},
    {"attention.head_count", "num_attention_heads"},
    {"attention.head_count_kv", "num_key_value_heads", false},
    {"attention.layer_norm_rms_epsilon", "rms_norm_eps"},
};

std::span<const GgufArchitecture> bert_architectures();
std::span<const GgufArchitecture> gemma_architectures();
std::span<const GgufArchitecture> gpt_architectures();
std::span<const GgufArchitecture> llama_architectures();
std::span<const GgufArchitecture> t5_architectures();

}  // namespace phasor
