#pragma once
// A family of models: which keys of a config.json it reads, what its config class takes for granted
// and what its attention does. All rows are in families/, one file per lineage; docs/models.md is
// made from them.

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

/// Which source code of transformers a row was read from. The keys of config.json differ between
/// its two versions: rope_theta and rope_scaling are at the top in version 4, and are in
/// rope_parameters in version 5.
enum class Source : std::uint8_t {
  none,     ///< not in transformers: the code is beside the checkpoint, and was not read
  earlier,  ///< 4.57, when the row was written; not read again since
  v4,
  v5,
  v4_v5,
};

/// A key of the file, and what it is where the file leaves it out.
struct KeyWithDefault {
  const char* key = nullptr;
  double value = 0;
};

/// A condition: the key has this word, or without a word is true; a missing key has `otherwise`.
struct Switch {
  const char* key = nullptr;
  const char* word = nullptr;
  bool otherwise = false;
  bool negated = false;  ///< false is meant
};

// ---- rotation

/// Which channels form a pair, in the order of the words of the parameter `layout`.
enum class RopeLayout : std::uint8_t { interleaved, half_split };

/// The differences between layers that attend. `local` layers are those with a window.
enum class Layers : std::uint8_t {
  alike,          ///< nothing
  local_base,     ///< local: a base of their own, and no scaling
  scaled_local,   ///< local: a base of their own, and the scaling of all
  unscaled,       ///< local: the same base, and no scaling
  window_only,    ///< only local ones rotate
  window_or_all,  ///< the same, but all rotate in a model without windows
  /// Those with a 0 in no_rope_layers do not rotate; without the list, every
  /// no_rope_layer_interval-th
  listed,
  not_cross,   ///< those of cross_attention_layers do not rotate
  compressed,  ///< those with compressed keys: the base compress_rope_theta, and scaling
};

/// Which pairs read time, row and column of a position, by default.
enum class Sections : std::uint8_t { none, contiguous, interleaved, video };

/// The factor on q.k from the model's file and its rope_scaling or rope_parameters; nothing where
/// it is 1 / sqrt(head_dim).
using QueryScale = std::optional<double> (*)(const Family& family, ConfigMap& model,
                                             ConfigMap& rope);

// ---- types of layers

/// The types of `count` layers in a file without layer_types, for families without a pattern.
using TypesReader = Status (*)(ConfigMap& model, int count, std::vector<std::string>& types);

/// The types of layers in a file without layer_types: layer i has full attention where
/// i mod interval is the phase, and the type `others` elsewhere.
struct LayerPattern {
  int interval = 0;           ///< 0: all layers have full attention
  const char* key = nullptr;  ///< of another interval
  int phase = -1;             ///< -1: the last of each interval
  const char* phase_key = nullptr;
  int first = 0;      ///< so many first layers are full too; negative: are not, whatever the phase
  bool last = false;  ///< the last layer is full too
  const char* others = "sliding_attention";
  TypesReader types = nullptr;  ///< instead of all this
};

// ---- attention

/// Which layers see a part of the text only.
enum class LayerWindows : std::uint8_t {
  none,
  typed,         ///< those of the type sliding_attention
  all,           ///< all, unless the key is null
  later,         ///< where use_sliding_window is true, those from max_window_layers on
  all_switched,  ///< where use_sliding_window is true, all
  unrotated,     ///< where use_sliding_window is true, those that do not rotate
  switched,      ///< where use_sliding_window is true, those of the type sliding_attention
  chunked,       ///< those of the type chunked_attention, by default those that rotate
};

/// Which keys a window of w has, counting that of the query itself.
enum class WindowSpan : std::uint8_t {
  behind,     ///< w: the query's own and w - 1 before it
  half,       ///< w / 2, the same
  each_way,   ///< w on either side
  half_each,  ///< w / 2 on either side
};

struct WindowRule {
  LayerWindows layers = LayerWindows::none;
  double size = 0;  ///< where the file does not say it; 0: there is none
  const char* key = "sliding_window";
  WindowSpan span = WindowSpan::behind;
};

/// The norm of queries and keys that a family has: words of LayerQkNorm; nullptr: none.
struct QkNormRule {
  const char* over = nullptr;
  const char* weight_form = "plain";
  const char* order = "before_encoding";
  double eps = 1e-6;                     ///< where the file does not say it
  const char* eps_key = "rms_norm_eps";  ///< nullptr: eps, whatever the file says
  const char* norm = "rms";              ///< or "layer"
  Switch only_with{};
  bool turning_only = false;  ///< not in layers that do not rotate
};

/// Which layers have a learned sink per head.
enum class Sinks : std::uint8_t { none, all, local };

/// Which layers have heads of their own, whose sizes have keys of their own.
enum class OwnHeads : std::uint8_t {
  none,
  local,   ///< those with a window: swa_num_key_value_heads ... (MiMo)
  global,  ///< those without: num_global_key_value_heads, global_head_dim (Gemma 4)
};

/// The heads of keys and values, of families without the key num_key_value_heads.
using KvHeadsReader = std::optional<int> (*)(ConfigMap& model, std::optional<int> heads);

/// Which queries are multiplied by a temperature.
enum class Temperature : std::uint8_t {
  none,
  unrotated,  ///< floor_scale and attn_scale, in layers that do not rotate (Llama 4)
  scaling,    ///< llama_4_scaling_beta of the scaling, in all (Ministral 3)
};

// ---- positions that are not rotary

/// Reads what the file says about the positions of the family, or of one of its stacks.
using ModelReader = Status (*)(ConfigReader&, const Family&);

struct Family {
  ChoiceList names{};  ///< model_type
  int year = 0;        ///< of the first model
  Source source = Source::v5;
  /// The family of the text model, where the file of a multimodal one does not name it
  const char* text = nullptr;
  const char* refused = nullptr;  ///< why no encoding here is that of the family

  double base = 10000;  ///< where the file does not say it; 0: it has to
  /// The same of transformers 5 where that is another; `base` is then that of version 4
  double base_v5 = 0;
  const char* base_key = "rope_theta";  ///< nullptr: its code has this base whatever the file says
  double rotary_fraction = 1;           ///< of the channels of a head that rotate
  const char* share_key = "partial_rotary_factor";
  /// rotary_dim, in families that say how many channels rotate; 0: they say the share
  int rotary_dim = 0;
  bool takes_rotary_dim = false;  ///< rotary_dim may say it instead
  RopeLayout pairs = RopeLayout::half_split;
  bool reads_pairs = false;          ///< rope_interleave may say other pairs
  bool reversed = false;             ///< by the negative angle
  bool turns_values = false;         ///< values are rotated as keys
  const char* values_key = nullptr;  ///< the same, where this key is true
  Layers layers = Layers::alike;
  /// window_only: full layers rotate too where mlp_layer_types has "dense"
  bool dense_turns = false;
  bool takes_empty_list = false;  ///< an empty no_rope_layers is as good as none
  double local_base = 0;
  const char* local_key = "rope_local_base_freq";
  double local_fraction = 0;  ///< of the channels that rotate in local layers; 0: rotary_fraction
  const char* refused_key = nullptr;  ///< a switch that changes what is not read here
  Switch rotary_only_with{};          ///< other models do not rotate, or are read by `read`
  Sections sections = Sections::none;
  std::array<int, 3> section_sizes{};      ///< in a file without mrope_section; 0: none, rope
  void (*scaling)(RopeReader&) = nullptr;  ///< of a file without rope_scaling
  bool says_absolute = false;  ///< its files have position_embedding_type: "absolute", unread
  bool latent = false;         ///< content before the channels that rotate, in one head
  int qk_nope_head_dim = 0;    ///< latent: channels of content, where the file does not say it
  int qk_rope_head_dim = 0;    ///< latent: channels that rotate, the same

  LayerPattern pattern{};
  WindowRule window{};
  QueryScale scale = nullptr;  ///< the factor on q.k, where it is not 1 / sqrt(head_dim)
  double softcap = 0;          ///< where attn_logit_softcapping is not in the file; 0: not read
  Sinks sinks = Sinks::none;
  const char* sinks_key = nullptr;  ///< only where this key is not false
  Temperature temperature = Temperature::none;
  double temperature_length = 0;  ///< scaling: where original_max_position_embeddings is missing
  QkNormRule norm{};
  const char* norm_type_key = nullptr;  ///< "olmo": over all heads
  int window_size_adds = 0;  ///< added to sliding_window_size, of files that have it instead
  /// A key that is true, or "all", in models whose queries see later keys, half of the window on
  /// either side
  const char* bidirectional_key = nullptr;
  bool causal = true;  ///< a query sees no later key
  int head_dim = 0;    ///< where the file does not say it; 0: hidden_size / num_attention_heads
  /// Of the channels that the heads share; nullptr: the file has to say head_dim
  const char* embed_dim_key = "hidden_size";
  OwnHeads own_heads = OwnHeads::none;
  KvHeadsReader kv_heads = nullptr;
  /// Its files list an mlp after each layer, and num_hidden_layers counts both
  bool lists_mlp = false;
  int layer_count = 0;  ///< where the file does not say it; 0: it has to

  /// Of the model, or of its encoder; nullptr: it rotates queries and keys
  ModelReader read = nullptr;
  ModelReader decoder = nullptr;  ///< where the two stacks differ
  bool has_stacks = false;        ///< an encoder and a decoder
  bool has_no_attention = false;
  /// Rows of a learned table, or what else the positions are counted by
  KeyWithDefault length{};
  /// Rows of the table before the first token's, which `length` does not count
  double row_offset = 0;
  /// The first token's row is behind that of pad_token_id
  bool row_after_padding = false;
  KeyWithDefault padding_row{"pad_token_id", 1};
  std::optional<PositionIdMode> padding{};  ///< how position ids count padded texts
  const char* frequencies = nullptr;        ///< of sinusoids
  double position_offset = 0;               ///< the position of the first token
  double fixed_scale = 0;  ///< the factor on q.k; 0: 1 / sqrt(head_dim), or the encoding's own
  bool alibi = false;      ///< the key alibi may be true
  // Towers that read images
  bool tower = false;
  int prefix_tokens = 0;             ///< before the patches
  const char* prefix_key = nullptr;  ///< of more of them
  double image_size = 224, patch_size = 16;
  const char* convention = nullptr;  ///< of rope_2d
  const char* table_key = nullptr;   ///< rows of a learned table besides
  /// window_size, the side of a window in pixels, where the file does not say it; patches see those
  /// of their window, but in the layers of fullatt_block_indexes; 0: every layer sees all
  double window_pixels = 0;
  /// Position_embedding_type may say alibi or relative_key instead
  bool has_choice = false;
};

/// Every family, in the order of the files of families/. Each file <id>.cpp defines
/// `std::span<const Family> families::<id>::all()`.
const std::vector<const Family*>& all_families();

/// The family of this model_type; nullptr where it is not listed.
const Family* find_family(std::string_view model_type);

/// Whether the condition holds for a file.
bool holds(const Switch& condition, ConfigMap& model);

}  // namespace phasor
