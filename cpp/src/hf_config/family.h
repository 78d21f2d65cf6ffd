#pragma once
// Describes model families: the keys of their config.json, the defaults of their config classes,
// and their attention. The rows are in families/, one file per lineage. docs/models.md is generated
// from them.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hf_config/config_map.h"
#include "phasor/combine.h"
#include "phasor/params.h"
#include "phasor/status.h"

namespace phasor {

struct ConfigReader;
struct Family;
struct RopeReader;

/// The version of transformers that a row describes. In version 4, rope_theta and rope_scaling are
/// at the top level of config.json. Version 5 has rope_parameters instead.
enum class TransformersVersion : std::uint8_t {
  none,     ///< not in transformers, and the remote code was not read
  earlier,  ///< 4.57; not reviewed since
  v4,
  v5,
  v4_v5,
};

struct KeyWithDefault {
  const char* key = nullptr;
  double default_value = 0;
};

/// Satisfied if the key equals `expected_value`, or is true if `expected_value` is nullptr. If the
/// key is missing, the result is `default_value`.
struct KeyCondition {
  const char* key = nullptr;
  const char* expected_value = nullptr;
  bool default_value = false;
  bool is_negated = false;  ///< requires false instead of true
};

// ---- rotation

/// Which channels form a pair, in the order of the choices of the parameter `layout`.
enum class RopeLayout : std::uint8_t { interleaved, half_split };

/// How the rotation differs between layers with attention. `local` layers have a window.
enum class RotationRule : std::uint8_t {
  uniform,
  local_base,     ///< local layers have their own base, without scaling
  scaled_local,   ///< local layers have their own base, with the common scaling
  unscaled,       ///< local layers have the common base, without scaling
  window_only,    ///< only local layers rotate
  window_or_all,  ///< only local layers rotate, or all layers if none is local
  /// Layers with a 0 in no_rope_layers do not rotate. If that list is missing, every
  /// no_rope_layer_interval-th layer does not rotate
  listed,
  not_cross,   ///< layers in cross_attention_layers do not rotate
  compressed,  ///< layers with compressed keys use compress_rope_theta and scaling
};

/// How pairs are assigned to the time, row and column of a position by default.
enum class Sections : std::uint8_t { none, contiguous, interleaved, video };

/// Computes the factor on q.k, or returns nullopt if it is 1 / sqrt(head_dim). `rope` contains
/// rope_scaling or rope_parameters.
using QueryScaleReader = std::optional<double> (*)(const Family& family, ConfigMap& model,
                                                   ConfigMap& rope);

// ---- layer types

/// Sets the types of `count` layers that do not follow a LayerPattern.
using TypesReader = Status (*)(ConfigMap& model, int count, std::vector<std::string>& types);

/// Layer types of models whose config.json has no layer_types. A layer has full attention if its
/// index mod `interval` is `phase`, otherwise the type `other_type`.
struct LayerPattern {
  int interval = 0;           ///< 0 if all layers have full attention
  const char* key = nullptr;  ///< key of the interval
  int phase = -1;             ///< -1 for the last layer of each interval
  const char* phase_key = nullptr;
  /// If n > 0, the first n layers have full attention, regardless of the phase; if n < 0, the first
  /// |n| layers have type `other_type`
  int first_full_count = 0;
  bool is_last_full = false;  ///< the last layer always has full attention
  const char* other_type = "sliding_attention";
  TypesReader read_types = nullptr;  ///< replaces the pattern if set
};

// ---- attention

enum class LayerWindows : std::uint8_t {
  none,
  sliding_layers,
  all,                   ///< all layers, unless the key is null
  upper_layers,          ///< layers from max_window_layers on, if use_sliding_window is true
  all_if_enabled,        ///< all layers, if use_sliding_window is true
  unrotated_if_enabled,  ///< layers without rotation, if use_sliding_window is true
  sliding_if_enabled,    ///< layers of type sliding_attention, if use_sliding_window is true
  chunked_layers,        ///< layers of type chunked_attention, or with RoPE if types are missing
};

/// Which keys are inside a window of size w.
enum class WindowSpan : std::uint8_t {
  past,       ///< the query's own key and the w - 1 keys before it
  half,       ///< the query's own key and the w / 2 - 1 keys before it
  each_way,   ///< w keys on each side
  half_each,  ///< w / 2 keys on each side
};

struct WindowRule {
  LayerWindows layers = LayerWindows::none;
  double size = 0;  ///< default size, or 0 if there is no window
  const char* key = "sliding_window";
  WindowSpan span = WindowSpan::past;
};

/// QK norm (see LayerQkNorm). If `over` is nullptr, there is none.
struct QkNormRule {
  const char* over = nullptr;
  const char* weight_form = "plain";
  const char* order = "before_encoding";
  double eps = 1e-6;
  const char* eps_key = "rms_norm_eps";  ///< nullptr if eps is hard-coded
  const char* norm_type = "rms";         ///< or "layer"
  KeyCondition condition{};
  bool is_rotary_only = false;  ///< the norm exists only in layers that rotate
};

enum class Sinks : std::uint8_t { none, all, local };

/// Which layers read the number and size of heads from separate keys.
enum class SeparateHeads : std::uint8_t {
  none,
  local,   ///< local layers, from keys such as swa_num_key_value_heads (MiMo)
  global,  ///< full-attention layers, from num_global_key_value_heads and global_head_dim (Gemma 4)
};

/// Reads kv_heads for families that do not have the key num_key_value_heads.
using KvHeadsReader = std::optional<int> (*)(ConfigMap& model, std::optional<int> heads);

enum class Temperature : std::uint8_t {
  none,
  unrotated,  ///< from floor_scale and attn_scale, in layers that do not rotate (Llama 4)
  scaling,    ///< from llama_4_scaling_beta, in all layers (Ministral 3)
};

// ---- non-rotary positions

using PositionsReader = Status (*)(ConfigReader&, const Family&);

struct Family {
  ChoiceList names{};  ///< model_type
  int year = 0;        ///< of the first model's release
  TransformersVersion source_version = TransformersVersion::v5;
  /// Family of the text model in a multimodal file that does not name it
  const char* text_model = nullptr;
  const char* unsupported = nullptr;  ///< error text if the family is unsupported

  double base = 10000;  ///< default base, or 0 if the file must contain it
  /// Default base in transformers 5, if it differs from `base`, the default in transformers 4
  double v5_base = 0;
  const char* base_key = "rope_theta";  ///< nullptr if the base is hard-coded
  double rotary_fraction = 1;           ///< fraction of the channels of a head that rotate
  const char* rotary_fraction_key = "partial_rotary_factor";
  /// Default of rotary_dim, or 0 if the family has a rotary fraction instead
  int rotary_dim = 0;
  bool reads_rotary_dim = false;  ///< allowed with a fraction, which takes precedence
  RopeLayout layout = RopeLayout::half_split;
  bool reads_rope_interleave = false;
  bool is_reversed = false;  ///< pairs rotate in the opposite direction
  bool rotates_values = false;
  const char* values_key = nullptr;  ///< key that is true if values rotate
  RotationRule rotation = RotationRule::uniform;
  /// With `window_only`, full-attention layers also rotate if they are "dense" in mlp_layer_types
  bool dense_layers_rotate = false;
  bool ignores_empty_list = false;  ///< empty no_rope_layers counts as missing
  double local_base = 0;
  const char* local_key = "rope_local_base_freq";
  double local_fraction = 0;              ///< rotary fraction of local layers, if it differs
  const char* unsupported_key = nullptr;  ///< files where this key is true are rejected
  /// If this condition is false, the model has no RoPE, but the positions of `read_positions`, or
  /// none
  KeyCondition rotary_condition{};
  Sections sections = Sections::none;
  /// Default of mrope_section, or zeros for plain RoPE without sections
  std::array<int, 3> section_sizes{};
  void (*set_scaling)(RopeReader&) = nullptr;  ///< default scaling, if the file has no rope_scaling
  bool ignores_absolute_type = false;          ///< ignores position_embedding_type "absolute"
  /// Heads have content channels before the rotary channels (multi-head latent attention)
  bool is_latent = false;
  int qk_nope_head_dim = 0;  ///< default number of content channels, if is_latent
  int qk_rope_head_dim = 0;  ///< default number of rotary channels, if is_latent

  LayerPattern pattern{};
  WindowRule window{};
  QueryScaleReader read_scale = nullptr;  ///< nullptr if the factor on q.k is 1 / sqrt(head_dim)
  double softcap = 0;  ///< default of attn_logit_softcapping, or 0 if that key is not read
  Sinks sinks = Sinks::none;
  const char* sinks_key = nullptr;  ///< key that is false if there are no sinks
  Temperature temperature = Temperature::none;
  double temperature_length = 0;  ///< default of original_max_position_embeddings
  QkNormRule norm{};
  const char* norm_type_key = nullptr;  ///< the norm spans all heads if this key is "olmo"
  int window_size_offset = 0;           ///< added to the value of the key sliding_window_size
  /// If the value of this key is true or "all", the model is bidirectional, and windows extend to
  /// both sides
  const char* bidirectional_key = nullptr;
  bool is_causal = true;
  int head_dim = 0;  ///< default head_dim, or 0 for hidden_size / num_attention_heads
  /// Key for the total number of channels of all heads, or nullptr if head_dim is required
  const char* embed_dim_key = "hidden_size";
  SeparateHeads separate_heads = SeparateHeads::none;
  KvHeadsReader read_kv_heads = nullptr;
  /// layer_types and num_hidden_layers count each MLP as a separate layer
  bool has_mlp_layer_types = false;
  int layer_count = 0;  ///< default number of layers, or 0 if the file must contain it

  /// Reads the positions of the model or its encoder, or nullptr if they are rotary
  PositionsReader read_positions = nullptr;
  PositionsReader read_decoder = nullptr;  ///< if it differs; requires the option `stack`
  bool has_stacks = false;                 ///< the model has an encoder and a decoder
  bool has_no_attention = false;
  /// Key for the number of rows of a learned table, or for another encoding's length
  KeyWithDefault length{};
  /// Number of table rows before that of the first token. `length` does not include them
  double row_offset = 0;
  /// The first token uses the row after that of pad_token_id
  bool starts_after_padding = false;
  KeyWithDefault padding_row{"pad_token_id", 1};
  std::optional<PositionIdMode> position_id_mode{};  ///< how padding affects position ids
  const char* frequencies = nullptr;                 ///< parameter `frequencies` of sinusoidal
  double position_offset = 0;                        ///< position of the first token
  double fixed_scale = 0;   ///< factor on q.k, or 0 for the encoding's or 1 / sqrt(head_dim)
  bool uses_alibi = false;  ///< the key `alibi` may be true
  // Vision towers
  bool is_vision_tower = false;
  int prefix_tokens = 0;             ///< number of tokens before the first patch
  const char* prefix_key = nullptr;  ///< key for the number of additional prefix tokens
  double image_size = 224, patch_size = 16;
  const char* convention = nullptr;  ///< parameter `convention` of rope_2d
  const char* table_key = nullptr;   ///< key for the number of rows of a learned table
  /// Default of window_size in pixels, or 0 if there are no windows. Layers in
  /// fullatt_block_indexes have no window
  double window_pixels = 0;
  /// The key position_embedding_type may select ALiBi or relative_key
  bool has_encoding_choice = false;
};

/// Each file <id>.cpp defines `std::span<const Family> families::<id>::list_families()`.
const std::vector<const Family*>& all_families();

/// Returns nullptr if no family has this model_type.
const Family* find_family(std::string_view model_type);

bool is_satisfied(const KeyCondition& condition, ConfigMap& model);

}  // namespace phasor
