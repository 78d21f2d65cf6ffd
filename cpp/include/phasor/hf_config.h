#pragma once
// Readers of a config.json of Hugging Face transformers, versions 4 and 5: the rotary encoding of
// a published model, its positional encoding of any kind, or encoding, window, scale and options
// of attention of every layer.

#include <optional>
#include <string>
#include <vector>

#include "phasor/combine.h"
#include "phasor/encoding.h"
#include "phasor/encoding_config.h"
#include "phasor/result.h"

namespace phasor {

/// Options for properties that a config.json leaves open. Each is required only if the result
/// depends on it; a missing one is then rejected by name.
struct ConfigOptions {
  std::string stack{};             ///< "encoder" or "decoder"; rope_from_config reads none
  std::string layer_type{};        ///< "full_attention" ...: which layers are meant
  std::optional<int> layer_idx{};  ///< number of the layer, from 0 on, which says its type too
  /// Length of the text being read, for dynamic and longrope; 0: not beyond the original context
  double sequence_length = 0;
};

/// Reads a whole config.json, or only its rope_scaling / rope_parameters dictionary. The library
/// reads no JSON text: every key is given by its path, nested objects joined by dots
/// ("rope_scaling.factor"), lists of numbers as tensors of rank 1, lists of words as one text
/// ("full_attention, sliding_attention"). null is left out, or a Tensor of rank 0: some families
/// tell it from a missing key.
///
/// The text model of a multimodal one is found under text_config, language_config, llm_config or
/// thinker_config. A key that is left out has the default of the model's family (docs/models.md),
/// as its config class in transformers 4.57 gives it: rotary_pct of gpt_neox is 0.25, rope_theta of
/// mixtral 1000000. So are the layout (half_split, or interleaved where the code rotates
/// neighbouring channels), the share of channels, and which layers rotate. A file without a key
/// about rotation is read if its model_type is of such a family, and rejected otherwise. Rejected
/// are also other kinds of positions (alibi, position_embedding_type), a model or layer that does
/// not rotate, and a model_type that is not listed: encoding_from_config reads some of those and
/// lists its assumptions. In a file without a model_type every channel of every layer is rotated,
/// with the layout half_split.
///
/// Types: default, mrope, linear, dynamic, yarn, longrope (su), llama3, proportional; the key is
/// rope_type or, before, type. Also read: rope_theta (or the family's name for it),
/// partial_rotary_factor (rotary_pct, rotary_dim), max_position_embeddings,
/// original_max_position_embeddings, rope_local_base_freq, rope_interleave, head_dim
/// (qk_rope_head_dim), layer_types, no_rope_layers and similar keys. If layers differ, layer_type
/// or layer_idx must choose one. Returns the encoding rope, or mrope if there is an mrope_section.
/// Inside the dictionary every key must be known; a key that is missing, unknown, of the wrong kind
/// or out of range is named by its path, with its value. The result is checked for heads of
/// head_dim channels if the file has head_dim.
Result<EncodingConfig> rope_from_config(const Params& model, const ConfigOptions& options);

struct ConfigEncoding {
  EncodingConfig encoding{};
  /// The factor on q.k for `attention`, if it is neither 1 / sqrt(head_dim) nor that of the
  /// encoding (T5, DeBERTa).
  std::optional<double> scale{};
  /// The position of the first token.
  double position_offset = 0;
  /// The family's numbering of padded texts (position_ids); its positions include position_offset.
  std::optional<PositionIdMode> position_id_mode{};
  int padding_idx = 1;   ///< for position_ids
  Params source_keys{};  ///< the keys of the file that say so: n_head, rope_scaling.factor ...
  /// Keys that the file leaves out, as the family's config class in transformers 4.57 has them
  Params defaults{};
  /// For a family that is not listed: the keys whose values were assumed (layout, rotary_fraction,
  /// layers, form, rope_theta). Empty without assumptions.
  Params assumed{};
};

/// Reads a config.json in the form of rope_from_config, whose rules apply to rotary positions. A
/// layer or model without rotation has the encoding none.
///
/// By model_type, of which docs/models.md lists all: alibi, t5, learned, shaw (relative_key of
/// BERT), sinusoidal, deberta, transformer_xl, none, rope and mrope. Positions begin at 0 except
/// for `position_offset`; tables with rows before that of the first token (OPT, BART, RoBERTa) have
/// a row_offset.
///
/// A model_type that is not listed is read if the file has keys about rotation or alibi and every
/// key with rope, rotary, position, alibi, nope, layer_types, sliding, scaling, ntk or logn in its
/// name is known; the first unknown one is rejected. Assumptions are listed in `assumed`. If layers
/// or stacks differ, the options must choose one.
///
/// Learned tables are in the checkpoint; the encoding takes them as `table` (t5, learned),
/// `table_k`, `pos_key` ... .
///
/// Keys about two kinds of positions in one file are rejected (except rotation beside Falcon's
/// alibi, which its code uses), as are models without attention and positions without an encoding
/// here (position_embedding_type relative_key_query).
Result<ConfigEncoding> encoding_from_config(const Params& config, const ConfigOptions& options);

/// A norm of queries and keys; names as in the option `qk_norm` of attention.
struct LayerQkNorm {
  std::string norm{};         ///< "rms"
  std::string over{};         ///< "head", or "all_heads" of a token as one vector (OLMo)
  std::string weight_form{};  ///< "plain", "one_plus" (Gemma), or "none": there is no weight
  std::string order{};        ///< "before_encoding" or "after_encoding"
  double eps = 0;
};

/// Queries are multiplied by query_temperature(position, floor_scale, attn_scale).
struct LayerTemperature {
  double floor_scale = 0, attn_scale = 0;
};

struct ConfigLayer {
  std::string type{};  ///< "full_attention", "sliding_attention" or "chunked_attention"
  EncodingConfig encoding{};
  /// The factor on q.k, if it is neither 1 / sqrt(head_dim) nor that of the encoding
  std::optional<double> scale{};
  std::optional<int> window{};  ///< keys this many positions away, or more, are hidden
  /// A query sees only keys in the same chunk of this many positions (Llama 4)
  std::optional<int> chunk{};
  std::optional<double> softcap{};  ///< of the scaled products
  bool sinks = false;               ///< each head has a learned sink, which is in the checkpoint
  std::optional<LayerQkNorm> qk_norm{};           ///< its weights are in the checkpoint
  std::optional<LayerTemperature> temperature{};  ///< Llama 4, in layers that do not turn
};

/// All layers of a model, in order, from the same input as encoding_from_config. For gpt_oss,
/// gemma2, gemma3, qwen3, olmo2, olmo3, cohere2, llama4, smollm3, exaone4 and deepseek_v3: any
/// other model_type is rejected, because its options of attention are not known. num_hidden_layers
/// must be in the file.
///
/// The encoding of deepseek_v3 is for whole heads: qk_nope_head_dim channels of content before
/// qk_rope_head_dim rotated channels (rotary_offset).
Result<std::vector<ConfigLayer>> layers_from_config(const Params& config);

}  // namespace phasor
