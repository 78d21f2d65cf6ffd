#pragma once
// Reads the type of each layer from the list in config.json, or derives it from the family's
// pattern.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hf_config/family.h"

namespace phasor {

/// How a layer mixes tokens. Several type names in config.json can map to the same kind.
enum class LayerKind : std::uint8_t {
  full,
  sliding,
  chunked,
  linear,     ///< linear attention or a state-space model, without softmax
  recurrent,  ///< a recurrent layer, without softmax
  conv,
  none,  ///< no token mixing
};

inline constexpr const char *kFullAttention = "full_attention",
                            *kSlidingAttention = "sliding_attention",
                            *kChunkedAttention = "chunked_attention";
/// Layers of vision towers with square windows. No config.json contains this type.
inline constexpr const char* kWindowedAttention = "windowed_attention";

/// Returns the kind of a layer type, or `full` if the type is unknown.
LayerKind find_kind(std::string_view type);
bool is_layer_type(std::string_view type);
constexpr bool is_attention(LayerKind kind) { return kind <= LayerKind::chunked; }
/// Returns the type that layers_from_config reports. Types that end in _attention are not changed,
/// except global_attention and local_attention. Other types are replaced with the name of their
/// kind.
std::string type_name(std::string_view type);

class LayerTypes {
 public:
  /// Reads the types of `count` layers. `count` is 0 if unknown. `family` is nullptr if the
  /// model_type has no family.
  static Status read(const Family* family, ConfigMap& model, int count, LayerTypes& out);

  /// Returns the type of a layer as the file spells it, or an empty string if it is unknown.
  std::string_view at(int layer) const;
  /// Returns the type that all layers with attention have, or an empty string if types differ or
  /// are unknown.
  std::string_view common_type() const;
  bool empty() const { return types_.empty(); }
  /// Returns the number of stored types, or 0 if they repeat as a pattern.
  int listed_count() const { return is_pattern_ ? 0 : static_cast<int>(types_.size()); }
  bool is_in_file() const { return is_in_file_; }

 private:
  std::vector<std::string> types_{};
  bool is_pattern_ = false;
  bool is_in_file_ = false;
};

/// Returns the number of layers of the model or of one stack, or 0 if the file does not contain it.
int read_layer_count(const Family* family, ConfigMap& model, std::string_view stack = {});

/// Reads an integer that is at least `minimum`. Returns `default_value` if the key is missing or
/// null.
int read_whole_number(ConfigMap& model, const char* key, int default_value, int minimum = 0);

Status reject_missing_layer_count(const ConfigMap& model);

Status read_repeating_layer_types(ConfigMap& model, int count, std::vector<std::string>& types);
Status read_deepseek_v4_layer_types(ConfigMap& model, int count, std::vector<std::string>& types);
Status read_gpt_neo_layer_types(ConfigMap& model, int count, std::vector<std::string>& types);
Status read_kimi_linear_layer_types(ConfigMap& model, int count, std::vector<std::string>& types);
Status read_lara_mini_layer_types(ConfigMap& model, int count, std::vector<std::string>& types);
Status read_lfm3_layer_types(ConfigMap& model, int count, std::vector<std::string>& types);
Status read_lfm2_layer_types(ConfigMap& model, int count, std::vector<std::string>& types);
Status read_bamba_layer_types(ConfigMap& model, int count, std::vector<std::string>& types);
Status read_mimo_layer_types(ConfigMap& model, int count, std::vector<std::string>& types);
Status read_minimax_layer_types(ConfigMap& model, int count, std::vector<std::string>& types);
Status read_nemotron_h_layer_types(ConfigMap& model, int count, std::vector<std::string>& types);
Status read_qwen2_moe_layer_types(ConfigMap& model, int count, std::vector<std::string>& types);
Status read_zamba2_layer_types(ConfigMap& model, int count, std::vector<std::string>& types);
Status read_zamba_layer_types(ConfigMap& model, int count, std::vector<std::string>& types);

}  // namespace phasor
