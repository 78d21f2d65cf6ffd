#pragma once
// The type of each layer: from a list in the file, or from the pattern of the family.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hf_config/family.h"

namespace phasor {

/// How a layer attends to other tokens, normalised across config spellings.
enum class LayerKind : std::uint8_t {
  full,       ///< full attention
  sliding,    ///< sliding window
  chunked,    ///< chunked attention
  linear,     ///< linear attention or a state-space model, without softmax
  recurrent,  ///< a recurrent layer, without softmax
  conv,       ///< a convolution
  none,       ///< no token mixing
};

/// Layer types in the spelling of layer_types in config.json.
inline constexpr const char *kFullAttention = "full_attention",
                            *kSlidingAttention = "sliding_attention",
                            *kChunkedAttention = "chunked_attention";
/// The type of layers whose patches attend within square windows (vision towers); no config.json
/// contains it.
inline constexpr const char* kWindowedAttention = "windowed_attention";

/// The kind of a layer type; `full` if the type is unknown.
LayerKind kind_of(std::string_view type);
bool is_layer_type(std::string_view word);
constexpr bool attends(LayerKind kind) { return kind <= LayerKind::chunked; }
/// The type reported by layers_from_config: most types that end with _attention are unchanged,
/// others become the name of their kind.
std::string type_name(std::string_view type);

class LayerTypes {
 public:
  /// Reads the types of `count` layers (0 if the count is unknown). `family` is nullptr if not
  /// listed.
  static Status read(const Family* family, ConfigMap& model, int count, LayerTypes& out);

  /// The type of a layer in the spelling of the file; empty if unknown.
  std::string_view at(int layer) const;
  /// The type of all layers with attention; empty if they differ or are unknown.
  std::string_view only() const;
  bool empty() const { return types_.empty(); }
  /// Number of types listed in the file; 0 for a pattern.
  int listed() const { return goes_on_ ? 0 : static_cast<int>(types_.size()); }
  bool in_file() const { return in_file_; }

 private:
  std::vector<std::string> types_{};
  bool goes_on_ = false;  ///< the types repeat as a pattern
  bool in_file_ = false;
};

/// The number of layers of the model or stack; 0 if the file does not specify it.
int layer_count(const Family* family, ConfigMap& model, std::string_view stack = {});

/// An integer of at least `minimum`, or its default.
int whole_number(ConfigMap& model, const char* key, int default_value, int minimum = 0);

// Readers for families without a pattern.
Status types_of_block_types(ConfigMap& model, int count, std::vector<std::string>& types);
Status types_of_deepseek_v4(ConfigMap& model, int count, std::vector<std::string>& types);
Status types_of_gpt_neo(ConfigMap& model, int count, std::vector<std::string>& types);
Status types_of_kimi_linear(ConfigMap& model, int count, std::vector<std::string>& types);
Status types_of_lara_mini(ConfigMap& model, int count, std::vector<std::string>& types);
Status types_of_lfm3(ConfigMap& model, int count, std::vector<std::string>& types);
Status types_of_lfm2(ConfigMap& model, int count, std::vector<std::string>& types);
Status types_of_bamba(ConfigMap& model, int count, std::vector<std::string>& types);
Status types_of_mimo(ConfigMap& model, int count, std::vector<std::string>& types);
Status types_of_minimax(ConfigMap& model, int count, std::vector<std::string>& types);
Status types_of_nemotron_h(ConfigMap& model, int count, std::vector<std::string>& types);
Status types_of_qwen2_moe(ConfigMap& model, int count, std::vector<std::string>& types);
Status types_of_zamba2(ConfigMap& model, int count, std::vector<std::string>& types);
Status types_of_zamba(ConfigMap& model, int count, std::vector<std::string>& types);

}  // namespace phasor
