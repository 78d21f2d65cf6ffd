#pragma once
// Model families: their config.json keys, the defaults of their config classes, and their
// attention. The rows are in families/, one file per lineage; docs/models.md is generated from
// them.

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

/// The version of transformers from which a row was derived. Version 4 has rope_theta and
/// rope_scaling at the top level, version 5 has rope_parameters.
enum class TransformersVersion : std::uint8_t {
  none,     ///< not in transformers, and the remote code was not read
  earlier,  ///< 4.57, not reviewed since
  v4,
  v5,
  v4_v5,
};

struct KeyWithDefault {
  const char* key = nullptr;
  double default_value = 0;
};

/// Holds if the key equals `expected`, or is true if `expected` is nullptr. A missing key counts as
/// `default_value`.
struct KeyCondition {
  const char* key = nullptr;
  const char* expected_value = nullptr;
  bool default_value = false;
  bool is_negated = false;  ///< holds if the key is false
};

// ---- rotation

/// Which channels form a pair; the order is that of the parameter `layout`.
enum class RopeLayout : std::uint8_t { interleaved, half_split };

/// How layers with attention differ. `local` layers have a window.
enum class RotationRule : std::uint8_t {
  uniform,        ///< all layers are identical
  local_base,     ///< local layers have their own base, without scaling
  scaled_local,   ///< local layers have their own base, with the common scaling
  unscaled,       ///< local layers have the common base, without scaling
  window_only,    ///< only local layers rotate
  window_or_all,  ///< only local layers rotate, or all layers if none is local
  /// Layers with a 0 in no_rope_layers do not rotate; without that list, every
  /// no_rope_layer_interval-th layer does not
  listed,
  not_cross,   ///< layers in cross_attention_layers do not rotate
  compressed,  ///< layers with compressed keys use compress_rope_theta and scaling
};

/// Default assignment of pairs to the time, row and column of a position.
enum class Sections : std::uint8_t { none, contiguous, interleaved, video };

/// Computes the factor on q.k. `rope` is rope_scaling or rope_parameters; nullopt: 1 /
/// sqrt(head_dim).
using QueryScaleReader = std::optional<double> (*)(const Family& family, ConfigMap& model,
                                                   ConfigMap& rope);

// ---- layer types

/// Sets the types of `count` layers that no LayerPattern describes.
using TypesReader = Status (*)(ConfigMap& model, int count, std::vector<std::string>& types);

/// Layer types of a file without layer_types: full attention if layer index mod interval == phase,
/// otherwise `other_type`.
struct LayerPattern {
  int interval = 0;           ///< 0: all layers have full attention
  const char* key = nullptr;  ///< key of the interval
  int phase = -1;             ///< -1: last layer of each interval
  const char* phase_key = nullptr;
  /// n: the first n layers have full attention regardless of phase; -n: they have `other_type`
  int first_full_count = 0;
  bool is_last_full = false;  ///< the last layer has full attention regardless of phase
  const char* other_type = "sliding_attention";
  TypesReader read_types = nullptr;  ///< replaces the pattern
};

// ---- attention

/// Which layers have a window or chunk.
enum class LayerWindows : std::uint8_t {
  none,
  sliding_layers,        ///< layers of type sliding_attention
  all,                   ///< all layers, unless the key is null
  upper_layers,          ///< from max_window_layers on, if use_sliding_window is true
  all_if_enabled,        ///< all layers, if use_sliding_window is true
  unrotated_if_enabled,  ///< layers without rotation, if use_sliding_window is true
  sliding_if_enabled,    ///< layers of type sliding_attention, if use_sliding_window is true
  chunked_layers,        ///< layers of type chunked_attention; by default, layers that rotate
};

/// The number of keys in a window of size w, including the query's own.
enum class WindowSpan : std::uint8_t {
  past,       ///< w keys: the query's own and w - 1 before it
  half,       ///< w / 2 keys: the query's own and w / 2 - 1 before it
  each_way,   ///< w keys on each side
  half_each,  ///< w / 2 keys on each side
};

struct WindowRule {
  LayerWindows layers = LayerWindows::none;
  double size = 0;  ///< default size; 0: no window
  const char* key = "sliding_window";
  WindowSpan span = WindowSpan::past;
};

/// The norm of queries and keys, as in LayerQkNorm; no norm if `over` is nullptr.
struct QkNormRule {
  const char* over = nullptr;
  const char* weight_form = "plain";
  const char* order = "before_encoding";
  double eps = 1e-6;                     ///< default eps
  const char* eps_key = "rms_norm_eps";  ///< nullptr: eps is hard-coded
  const char* norm_type = "rms";         ///< or "layer"
  KeyCondition condition{};
  bool is_rotary_only = false;  ///< the norm exists only in layers that rotate
};

/// Which layers have a learned sink per head.
enum class Sinks : std::uint8_t { none, all, local };

/// Which layers read the number and size of heads from separate keys.
enum class SeparateHeads : std::uint8_t {
  none,
  local,   ///< local layers: keys such as swa_num_key_value_heads (MiMo)
  global,  ///< full-attention layers: num_global_key_value_heads, global_head_dim (Gemma 4)
};

/// Determines kv_heads for families without the key num_key_value_heads.
using KvHeadsReader = std::optional<int> (*)(ConfigMap& model, std::optional<int> heads);

/// Which queries are scaled by a temperature.
enum class Temperature : std::uint8_t {
  none,
  unrotated,  ///< by floor_scale and attn_scale, in layers that do not rotate (Llama 4)
  scaling,    ///< by llama_4_scaling_beta, in all layers (Ministral 3)
};

// ---- non-rotary positions

/// Reads the positional encoding of a model, or of its encoder or decoder.
using PositionsReader = Status (*)(ConfigReader&, const Family&);

struct Family {
  ChoiceList names{};  ///< model_type
  int year = 0;        ///< release year of the first model
  TransformersVersion source_version = TransformersVersion::v5;
  /// Default family of the text model in a multimodal file
  const char* text_model = nullptr;
  const char* unsupported = nullptr;  ///< why no encoding supports this family

  double base = 10000;  ///< default base; 0: required in the file
  /// The default of transformers 5 if it differs; `base` is then that of version 4
  double v5_base = 0;
  const char* base_key = "rope_theta";  ///< nullptr: the base is hard-coded
  double rotary_fraction = 1;           ///< fraction of head channels that rotate
  const char* rotary_fraction_key = "partial_rotary_factor";
  /// Default of rotary_dim; 0: the family specifies a fraction instead
  int rotary_dim = 0;
  bool reads_rotary_dim = false;  ///< rotary_dim overrides the rotary fraction
  RopeLayout layout = RopeLayout::half_split;
  bool reads_rope_interleave = false;  ///< rope_interleave overrides the layout
  bool is_reversed = false;            ///< rotates by the negative angle
  bool rotates_values = false;         ///< rotates values like keys
  const char* values_key = nullptr;    ///< key that enables rotation of values
  RotationRule rotation = RotationRule::uniform;
  /// window_only: full-attention layers also rotate if mlp_layer_types has "dense" for them
  bool dense_layers_rotate = false;
  bool ignores_empty_list = false;  ///< an empty no_rope_layers counts as missing
  double local_base = 0;
  const char* local_key = "rope_local_base_freq";
  double local_fraction = 0;              ///< fraction of local layers; 0: `rotary_fraction`
  const char* unsupported_key = nullptr;  ///< key that enables unsupported behaviour
  /// Condition for rotary positions; otherwise the model has no positions, or `read` reads them
  KeyCondition rotary_condition{};
  Sections sections = Sections::none;
  /// Default of mrope_section; zeros: plain rope without sections
  std::array<int, 3> section_sizes{};
  void (*set_scaling)(RopeReader&) = nullptr;  ///< default scaling, if the file has no rope_scaling
  bool ignores_absolute_type = false;          ///< ignores position_embedding_type "absolute"
  /// Heads have content channels before the rotary channels (multi-head latent attention)
  bool is_latent = false;
  int qk_nope_head_dim = 0;  ///< is_latent: default number of content channels
  int qk_rope_head_dim = 0;  ///< is_latent: default number of rotary channels

  LayerPattern pattern{};
  WindowRule window{};
  QueryScaleReader read_scale = nullptr;  ///< factor on q.k; nullptr: 1 / sqrt(head_dim)
  double softcap = 0;  ///< default of attn_logit_softcapping; 0: the key is not read
  Sinks sinks = Sinks::none;
  const char* sinks_key = nullptr;  ///< sinks are disabled if this key is false
  Temperature temperature = Temperature::none;
  double temperature_length = 0;  ///< default of original_max_position_embeddings
  QkNormRule norm{};
  const char* norm_type_key = nullptr;  ///< key of the norm; "olmo" normalizes over all heads
  int window_size_offset = 0;           ///< added to sliding_window_size, for files with that key
  /// If this key is true or "all", the model is bidirectional and windows extend to both sides
  const char* bidirectional_key = nullptr;
  bool is_causal = true;
  int head_dim = 0;  ///< default head_dim; 0: hidden_size / num_attention_heads
  /// Key of the total number of channels of all heads; nullptr: head_dim is required
  const char* embed_dim_key = "hidden_size";
  SeparateHeads separate_heads = SeparateHeads::none;
  KvHeadsReader read_kv_heads = nullptr;
  /// layer_types lists an MLP after each attention layer, and num_hidden_layers counts both
  bool has_mlp_layer_types = false;
  int layer_count = 0;  ///< default number of layers; 0: required

  /// Reader for the model or its encoder; nullptr: rotary positions
  PositionsReader read_positions = nullptr;
  PositionsReader read_decoder = nullptr;  ///< reader for the decoder, if it differs
  bool has_stacks = false;                 ///< has an encoder and a decoder
  bool has_no_attention = false;
  /// Key of the number of table rows, or of the length of another encoding
  KeyWithDefault length{};
  /// Table rows before the first token, not included in `length`
  double row_offset = 0;
  /// The first token reads the row after that of pad_token_id
  bool starts_after_padding = false;
  KeyWithDefault padding_row{"pad_token_id", 1};
  std::optional<PositionIdMode> position_id_mode{};  ///< positions in padded texts
  const char* frequencies = nullptr;                 ///< parameter `frequencies` of sinusoidal
  double position_offset = 0;                        ///< position of the first token
  double fixed_scale = 0;   ///< factor on q.k; 0: 1 / sqrt(head_dim), or the scale of the encoding
  bool uses_alibi = false;  ///< the key `alibi` may be true
  // Vision towers
  bool is_vision_tower = false;
  int prefix_tokens = 0;             ///< number of tokens before the patches
  const char* prefix_key = nullptr;  ///< key of the number of additional prefix tokens
  double image_size = 224, patch_size = 16;
  const char* convention = nullptr;  ///< parameter `convention` of rope_2d
  const char* table_key = nullptr;   ///< key of the number of rows of a learned table
  /// Default window_size in pixels, for layers not in fullatt_block_indexes; 0: no windows
  double window_pixels = 0;
  /// position_embedding_type may select alibi or relative_key
  bool has_encoding_choice = false;
};

/// All families, in file order. Each file <id>.cpp defines `std::span<const Family>
/// families::<id>::list_families()`.
const std::vector<const Family*>& all_families();

/// The family of this model_type, or nullptr if it is not listed.
const Family* find_family(std::string_view model_type);

bool is_satisfied(const KeyCondition& condition, ConfigMap& model);

}  // namespace phasor
