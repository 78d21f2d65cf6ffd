#pragma once
// Reads config.json files of Hugging Face transformers, versions 4 and 5: a model's positional
// encoding (rope_from_config reads rotary ones, encoding_from_config all), and each layer's
// encoding, window, scale and attention options.

#include <optional>
#include <string>
#include <vector>

#include "phasor/combine.h"
#include "phasor/encoding.h"
#include "phasor/encoding_config.h"
#include "phasor/result.h"

namespace phasor {

/// Choices that a config.json leaves open. Each is required only if the result depends on it.
struct ConfigOptions {
  std::string stack{};             ///< "encoder" or "decoder"; not used by rope_from_config
  std::string layer_type{};        ///< selects the layers of a type: "full_attention" ...
  std::optional<int> layer_idx{};  ///< index of the layer, from 0; determines its type
  /// Sequence length in tokens, for dynamic and longrope scaling; 0: at most the original context
  /// length
  double sequence_length = 0;
};

/// Reads a whole config.json, or only its rope_scaling / rope_parameters dictionary. Keys are paths
/// joined by dots ("rope_scaling.factor"). A list of numbers is a tensor of rank 1, and a list of
/// strings is one comma-separated string ("full_attention, sliding_attention"). null is a tensor of
/// rank 0, or omitted if the family does not distinguish it from a missing key. config_from_json
/// (model.h) reads JSON text in this form. The text model of a multimodal model is read from
/// text_config, language_config, llm_config, thinker_config or text_encoder. A missing key has the
/// default of the family's config class in transformers (docs/models.md), of version 4 where 4 and
/// 5 differ: rotary_pct of gpt_neox is 0.25, rope_theta of mixtral 1000000. The family also
/// determines the layout (half_split, or interleaved if its code rotates neighbouring channels),
/// the share of rotated channels, and the layers that rotate. A file without rotation keys is read
/// if its model_type belongs to a rotary family. Rejects other files without rotation keys,
/// positions of another kind (alibi, position_embedding_type), a model or layer that does not
/// rotate, and an unlisted model_type; encoding_from_config reads some unlisted ones and reports
/// its assumptions. Without a model_type every channel of every layer is rotated, with the layout
/// half_split.
///
/// Types: default, mrope, linear, dynamic, yarn, longrope (su), llama3, proportional; the key is
/// rope_type, formerly type. Other keys: rope_theta (or the family's name for it),
/// partial_rotary_factor (rotary_pct, rotary_dim), max_position_embeddings,
/// original_max_position_embeddings, rope_local_base_freq, rope_interleave, head_dim
/// (qk_rope_head_dim), layer_types, no_rope_layers and other keys that select rotating layers.
///
/// If layers differ, layer_type or layer_idx must select one.
///
/// Returns the encoding rope, or mrope for a file with mrope_section. Every key of the dictionary
/// must be known; errors state the path and value of the key that is missing, unknown, of the wrong
/// kind or out of range. Checks that the encoding fits heads of head_dim channels, unless the file
/// has no head_dim.
Result<EncodingConfig> rope_from_config(const Params& model, const ConfigOptions& options);

struct ConfigEncoding {
  EncodingConfig encoding{};
  /// A second encoding, a table added to the embeddings (MPNet)
  std::optional<EncodingConfig> added{};
  /// Values are rotated like keys (RoFormer with rotary_value; DeepSeek-V4, which rotates the
  /// output back); `attention` does not rotate values
  bool rotates_values = false;
  /// The `scale` to pass to attention(); absent if it is 1 / sqrt(head_dim) or the encoding's own.
  std::optional<double> scale{};
  /// Position of the first token.
  double position_offset = 0;
  /// For models that do not count padding tokens as positions: the mode to pass to position_ids().
  /// The ids include position_offset.
  std::optional<PositionIdMode> position_id_mode{};
  int padding_idx = 1;   ///< for position_ids
  Params source_keys{};  ///< keys that were read, such as rope_scaling.factor
  /// Keys missing from the file, with their defaults from the family's config class in transformers
  /// (version 4 if 4 and 5 differ)
  Params defaults{};
  /// Values that are assumed for an unlisted family (layout, rotary_fraction, layers, form,
  /// rope_theta); empty for listed families.
  Params assumed{};
};

/// Reads a config.json in the form that rope_from_config expects; its rules apply to models with
/// rotary positions. A layer or model that does not rotate its queries and keys has the encoding
/// none.
///
/// The model_type (docs/models.md lists all) determines the encoding: alibi, t5, learned, shaw
/// (relative_key of BERT), sinusoidal, deberta, transformer_xl, none, rope or mrope. Positions
/// start at `position_offset`, which is usually 0: tables with rows before that of the first token
/// (OPT, BART, RoBERTa) have a row_offset.
///
/// An unlisted model_type is read if the file has keys for rotation or alibi, and if every key with
/// rope, rotary, position, alibi, nope, layer_types, sliding, scaling, ntk or logn in its name is
/// known; the first unknown one is rejected. `assumed` contains the values that were assumed.
///
/// If layers or stacks differ, the options must select one.
///
/// Learned tables are in the checkpoint, not in the config. Pass them as parameters of the
/// encoding: `table` (t5, learned), `table_k`, `pos_key` ... .
///
/// Rejects keys for two kinds of positions in one file (except rotation alongside Falcon's alibi,
/// because Falcon's code then rotates), models without attention, and extensions of a family's
/// positions that Phasor does not implement (position_embedding_type relative_key_query).
Result<ConfigEncoding> encoding_from_config(const Params& config, const ConfigOptions& options);

/// A norm of queries and keys, with the values of attention's option `qk_norm`.
struct LayerQkNorm {
  std::string norm{};         ///< "rms" or "layer"
  std::string over{};         ///< "head", or "all_heads": all heads of a token as one vector (OLMo)
  std::string weight_form{};  ///< "plain", "one_plus" (Gemma), or "none" (no weight)
  std::string order{};        ///< "before_encoding" or "after_encoding"
  double eps = 0;
};

/// Queries are multiplied by 1 + attn_scale ln(1 + floor((position + first) / floor_scale));
/// query_temperature() computes this factor for first = 1.
struct LayerTemperature {
  double floor_scale = 0, attn_scale = 0;
  double first = 1;  ///< 1 in Llama 4, 0 in Ministral 3
};

struct ConfigLayer {
  /// "full_attention", "sliding_attention", "chunked_attention", "windowed_attention" (of patches),
  /// or another value of layer_types;
  /// "linear_attention", "recurrent", "conv" or "none" for a layer without queries and keys, which
  /// has no other field
  std::string type{};
  std::string stack{};  ///< "encoder" or "decoder" of a model that has both
  std::optional<EncodingConfig> encoding{};
  /// Query heads, key/value heads, and channels of a query or key; absent if the file does not
  /// specify them. Families without grouped-query attention (GPT-2) have no kv_heads.
  std::optional<int> heads{}, kv_heads{}, head_dim{};
  /// Scale applied to q.k; absent if it is 1 / sqrt(head_dim) or the encoding's own
  std::optional<double> scale{};
  /// Keys at least `window` positions before the query are hidden
  std::optional<int> window{};
  /// For non-causal layers: keys more than window_ahead positions after the query are hidden
  std::optional<int> window_ahead{};
  /// Queries attend only to keys in the same chunk of this many positions (Llama 4)
  std::optional<int> chunk{};
  /// Patches attend only to patches in the same square of this many rows and columns (Qwen2.5-VL)
  std::optional<int> patch_window{};
  std::optional<double> softcap{};  ///< soft cap of the scaled products q.k
  bool causal = true;               ///< queries do not attend to later keys
  bool sinks = false;               ///< each head has a learned sink, stored in the checkpoint
  bool rotates_values = false;      ///< as in ConfigEncoding
  /// Norm of queries and keys; its weights are in the checkpoint
  std::optional<LayerQkNorm> qk_norm{};
  std::optional<LayerTemperature> temperature{};
};

/// Returns a model's layers in order, encoder before decoder. `config` has the form that
/// encoding_from_config expects. An unlisted model_type is rejected, because the options of its
/// attention are unknown. The number of layers must be in the file.
///
/// For latent attention (DeepSeek), the encoding applies to whole heads: qk_nope_head_dim unrotated
/// channels, then qk_rope_head_dim rotated ones (rotary_offset).
///
/// A vision_config in a multimodal file describes the layers of the image tower; their number is
/// num_hidden_layers or depth.
Result<std::vector<ConfigLayer>> layers_from_config(const Params& config);

}  // namespace phasor
