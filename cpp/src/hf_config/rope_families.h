#pragma once
// Families of models that rotate queries and keys: the behaviour of their code, and the defaults
// of their config classes. docs/models.md is generated from this table.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "hf_config/config_map.h"
#include "phasor/params.h"

namespace phasor {

struct RopeReader;

/// Which source code of transformers a row was read from. The two versions have different names for
/// the same keys: rope_theta and rope_scaling are at the top in version 4, and are in
/// rope_parameters in version 5.
enum class Source : std::uint8_t {
  none,     ///< not in transformers: the code is beside the checkpoint, and was not read
  earlier,  ///< 4.57, when the row was written; not read again since
  v4,
  v5,
  v4_v5,
};

/// Which channels form a pair, in the order of the choices of the parameter `layout`.
enum class RopeLayout : std::uint8_t { interleaved, half_split };

/// The differences between layers. A layer has the type full_attention or, with a window,
/// sliding_attention.
enum class Layers : std::uint8_t {
  alike,          ///< nothing
  local_base,     ///< with a window: a base of their own, and no scaling
  scaled_local,   ///< with a window: a base of their own, and the scaling of all
  unscaled,       ///< with a window: the same base, and no scaling
  window_only,    ///< only those with a window turn
  window_or_all,  ///< the same, but all turn in a model without windows
  /// Those with a 0 in no_rope_layers do not rotate; without the list, every
  /// no_rope_layer_interval-th
  listed,
  not_cross,  ///< those of cross_attention_layers do not turn
};

/// Which of them have a window, in a file without layer_types.
struct WindowPattern {
  int interval = 0;           ///< every n-th has none; 0: nothing is known
  const char* key = nullptr;  ///< that says another interval
  /// Counted from layer 0, which has none; else layer n - 1 is the first without
  bool from_first = false;
};

/// Models that rotate only if a key is true or has this value.
struct Switch {
  const char* key = nullptr;
  const char* word = nullptr;
};

// The factor on q.k of models that do not divide by the square root of head_dim.

/// From the model's file and its rope_scaling or rope_parameters; nullopt for 1 / sqrt(head_dim).
using QueryScale = std::optional<double> (*)(ConfigMap& model, ConfigMap& rope);

/// attention_multiplier
std::optional<double> scale_of_granite(ConfigMap& model, ConfigMap& rope);
/// 1 / sqrt(query_pre_attn_scalar)
std::optional<double> scale_of_gemma(ConfigMap& model, ConfigMap& rope);
std::optional<double> scale_of_gemma3n(ConfigMap& model, ConfigMap& rope);  ///< 1
/// 1 / sqrt(half of head_dim)
std::optional<double> scale_of_zamba2(ConfigMap& model, ConfigMap& rope);
/// YaRN's magnitude, as in DeepSeek
std::optional<double> scale_of_latent(ConfigMap& model, ConfigMap& rope);

/// Of a file whose family is not listed, from its keys.
std::optional<double> scale_of_keys(ConfigMap& model, ConfigMap& rope);

struct RopeFamily {
  ChoiceList names{};  ///< model_type
  Source source = Source::earlier;
  double base = 10000;                  ///< where the file does not say it; 0: it has to
  const char* base_key = "rope_theta";  ///< nullptr: its code has this base whatever the file says
  double rotary_fraction = 1;           ///< of the channels of a head that turn
  const char* share_key = "partial_rotary_factor";
  /// rotary_dim, in families with a number of rotated channels; 0: they have a fraction
  int rotary_dim = 0;
  RopeLayout pairs = RopeLayout::half_split;
  bool reads_pairs = false;  ///< rope_interleave may say other pairs
  Layers layers = Layers::alike;
  bool takes_empty_list = false;  ///< an empty no_rope_layers is as good as none
  WindowPattern pattern{};
  double local_base = 0;
  const char* local_key = "rope_local_base_freq";
  Switch only_with{};
  /// Time, row and column alternate (Qwen3-VL), with 24, 20 and 20 pairs by default
  bool interleaved_sections = false;
  void (*scaling)(RopeReader&) = nullptr;  ///< of a file without rope_scaling
  QueryScale scale = nullptr;  ///< the factor on q.k, where it is not 1 / sqrt(head_dim)
  /// Its files have position_embedding_type: "absolute", which its code does not read
  bool says_absolute = false;
  const char* refused_key = nullptr;  ///< a switch that changes what is not read here
  const char* refused = nullptr;      ///< why no encoding here is that of the family
};

/// All of them.
std::span<const RopeFamily> rope_families();

/// The family of this model_type; nullptr if it is not listed.
const RopeFamily* find_rope_family(std::string_view model_type);

}  // namespace phasor
