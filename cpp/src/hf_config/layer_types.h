#pragma once
// The type of each layer of a model: from a list in its file, or from the pattern of its family.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hf_config/family.h"

namespace phasor {

/// How a layer sees the other tokens, whatever a file calls it.
enum class LayerKind : std::uint8_t {
  full,       ///< attends to all
  sliding,    ///< attends to a window
  chunked,    ///< attends to a chunk
  linear,     ///< linear attention or a state-space model: no queries and keys with a softmax
  recurrent,  ///< the same
  conv,       ///< a convolution
  none,       ///< no other token enters
};

/// Types of layers, as layer_types of a config.json spells them.
inline constexpr const char *kFullAttention = "full_attention",
                            *kSlidingAttention = "sliding_attention",
                            *kChunkedAttention = "chunked_attention";
/// Of towers whose patches see a square of patches; no file has this word.
inline constexpr const char* kWindowedAttention = "windowed_attention";

/// The kind of a type as files spell it; full for words that are not known.
LayerKind kind_of(std::string_view type);
/// Whether a word is a type of layer.
bool is_layer_type(std::string_view word);
constexpr bool attends(LayerKind kind) { return kind <= LayerKind::chunked; }
/// The type under which layers_from_config lists it: a word of files that ends with _attention as
/// it is, others by their kind.
std::string type_name(std::string_view type);

class LayerTypes {
 public:
  /// Reads them; count: number of layers, 0 where it is not known. family: nullptr where it is not
  /// listed.
  static Status read(const Family* family, ConfigMap& model, int count, LayerTypes& out);

  /// As the file spells it; empty where nothing is known.
  std::string_view at(int layer) const;
  /// The type of all layers that attend; empty where they differ or are not known.
  std::string_view only() const;
  bool empty() const { return types_.empty(); }
  /// Types that the file lists; 0: a pattern goes on.
  int listed() const { return goes_on_ ? 0 : static_cast<int>(types_.size()); }
  bool in_file() const { return in_file_; }

 private:
  std::vector<std::string> types_{};
  bool goes_on_ = false;  ///< the listed types repeat
  bool in_file_ = false;
};

/// The number of layers, or of those of a stack; 0 where the file does not say it.
int layer_count(const Family* family, ConfigMap& model, std::string_view stack = {});

/// A whole number of the file from `least` on, or its default.
int whole_number(ConfigMap& model, const char* key, int default_value, int least = 0);

// Of families without a pattern.
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
