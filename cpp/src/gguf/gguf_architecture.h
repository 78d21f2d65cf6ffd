#pragma once
// What llama.cpp stores otherwise than transformers, one row per general.architecture. All rows are
// in conversions/, one file per lineage.

#include <cstdint>
#include <span>

#include "gguf/gguf_config_reader.h"

namespace phasor {

/// A key below the architecture's name, and what config.json calls it.
struct KeyName {
  const char* gguf;
  const char* config;
  bool required = true;
};

/// The differences of a tensor's numbers or their order from those of transformers.
enum class WeightForm : std::uint8_t {
  same,
  transposed,     ///< (out, in) in the file, (in, out) in transformers
  query_pairs,    ///< channels i and i + head_dim / 2 of each query head beside each other
  key_pairs,      ///< the same of key heads
  by_projection,  ///< rows (q, k, v; head; channel) in the file, (head; q, k, v; channel) otherwise
  one_plus,       ///< the weight of a norm, plus one
  unused,         ///< read by nothing
};

/// A tensor without its ending .weight or .bias; {} is the number of the layer.
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
  /// Reads and adds what no row of a table says.
  void (*read)(GgufConfigReader&);
  const char* needs = nullptr;  ///< only of files with this tensor
};

// Keys that most config classes have, and those of rotary models.
inline constexpr KeyName kSizeKeys[] = {
    {"embedding_length", "hidden_size"},
    {"block_count", "num_hidden_layers"},
    {"feed_forward_length", "intermediate_size"},
    {"context_length", "max_position_embeddings", false},
    {"attention.head_count", "num_attention_heads"},
    {"attention.head_count_kv", "num_key_value_heads", false},
    {"attention.layer_norm_rms_epsilon", "rms_norm_eps"},
};

/// Every architecture that can be read, one list per lineage.
std::span<const GgufArchitecture> bert_architectures();
std::span<const GgufArchitecture> gemma_architectures();
std::span<const GgufArchitecture> gpt_architectures();
std::span<const GgufArchitecture> llama_architectures();
std::span<const GgufArchitecture> t5_architectures();

}  // namespace phasor
