#pragma once
// Readers of a config.json of Hugging Face transformers, versions 4 and 5: the rotary encoding of a
// published model, its positional encoding of any kind, and for each layer encoding, window, scale
// and options of attention.

#include <optional>
#include <string>
#include <vector>

#include "phasor/combine.h"
#include "phasor/encoding.h"
#include "phasor/encoding_config.h"
#include "phasor/result.h"

namespace phasor {

/// Choices that a config.json leaves open. Each is required only if it makes a difference; a
/// missing one is rejected by name.
struct ConfigOptions {
  std::string stack{};             ///< "encoder" or "decoder"; rope_from_config reads none
  std::string layer_type{};        ///< "full_attention" ...: which layers are meant
  std::optional<int> layer_idx{};  ///< index of the layer, from 0; determines its type
  /// Number of tokens of the text, for dynamic and longrope; 0: within the original context
  double sequence_length = 0;
};

/// Reads a whole config.json, or only its rope_scaling / rope_parameters dictionary. The library
/// reads no JSON text: every key is given by its path, nested objects joined by dots
/// ("rope_scaling.factor"), lists of numbers as tensors of rank 1, lists of words as one text
/// ("full_attention, sliding_attention"). null is left out, or a Tensor of rank 0: some families
/// tell it from a missing key.
///
/// The text model of a multimodal one is found under text_config, language_config, llm_config,
/// thinker_config or text_encoder. A key that is left out has the default of the model's family
/// (docs/models.md), as its config class in transformers gives it, in version 4 where 4 and 5
/// differ: rotary_pct of gpt_neox is 0.25, rope_theta of mixtral 1000000. So are the layout
/// (half_split, or interleaved where the code rotates neighbouring channels), the share of
/// channels, and which layers rotate. A file without a key about rotation is read if its
/// model_type is of such a family, and rejected otherwise; so is a file that says its model has
/// positions of another kind (alibi, position_embedding_type), a model or layer that does not
/// rotate, and a model_type that is not listed: encoding_from_config reads some of those, and says
/// what it assumes. In a file without a model_type every channel of every layer is rotated, with
/// the layout half_split.
///
/// Types: default, mrope, linear, dynamic, yarn, longrope (su), llama3, proportional; the key is
/// rope_type or, before, type. Read beside them: rope_theta (or what the family calls it),
/// partial_rotary_factor (rotary_pct, rotary_dim), max_position_embeddings,
/// original_max_position_embeddings, rope_local_base_freq, rope_interleave, head_dim
/// (qk_rope_head_dim), layer_types, no_rope_layers and what else says which layers rotate.
///
/// Where layers differ, layer_type or layer_idx chooses one; without them there is an answer only
/// where all layers agree.
///
/// Returns the encoding rope, or mrope where there is an mrope_section. Inside the dictionary every
/// key must be known; a key that is missing, unknown, of the wrong kind or out of range is named by
/// its path, with its value. The result fits heads of head_dim channels; in a file without
/// head_dim it is left unchecked.
Result<EncodingConfig> rope_from_config(const Params& model, const ConfigOptions& options);

struct ConfigEncoding {
  EncodingConfig encoding{};
  /// An additional table added to the embeddings (MPNet)
  std::optional<EncodingConfig> added{};
  /// Values are rotated as keys are (RoFormer with rotary_value; DeepSeek-V4, which rotates the
  /// output back), which `attention` does not do
  bool rotates_values = false;
  /// The factor on q.k for `attention`; absent if it is 1 / sqrt(head_dim) or the encoding's own.
  std::optional<double> scale{};
  /// The position of the first token.
  double position_offset = 0;
  /// The numbering of tokens in padded texts by position_ids, if padding is not counted; its
  /// positions include position_offset.
  std::optional<PositionIdMode> position_id_mode{};
  int padding_idx = 1;   ///< for position_ids
  Params source_keys{};  ///< the keys that were read: n_head, rope_scaling.factor ...
  /// Missing keys with the default of the family's config class in transformers; version 4 if 4 and
  /// 5 differ
  Params defaults{};
  /// For unlisted families: assumptions that neither the file nor a family determines (layout,
  /// rotary_fraction, layers, form, rope_theta); empty otherwise.
  Params assumed{};
};

/// Reads a config.json, given as rope_from_config takes it; models with rotary positions are read
/// by the rules given there. A layer or model that does not rotate its queries and keys has the
/// encoding none.
///
/// By model_type, of which docs/models.md lists all: alibi, t5, learned, shaw (relative_key of
/// BERT), sinusoidal, deberta, transformer_xl, none, rope and mrope. Positions begin at 0
/// everywhere except for `position_offset`: tables with rows before the first token's (OPT, BART,
/// RoBERTa) have a row_offset.
///
/// A model_type that is not listed is read where the file says something about rotation or alibi,
/// and only as far as every key with rope, rotary, position, alibi, nope, layer_types, sliding,
/// scaling, ntk or logn in its name is understood; the first that is not is rejected.
/// Assumptions are in `assumed`.
///
/// Where layers or stacks differ, the options choose one; without them there is an answer only
/// where all agree.
///
/// Learned tables are in the checkpoint; the encoding takes them as `table` (t5, learned),
/// `table_k`, `pos_key` ... .
///
/// Keys about two kinds of positions in one file are rejected (except rotation beside Falcon's
/// alibi, which is what its code uses), and so are models without attention and whatever is added
/// to the positions of a family and has no encoding here (position_embedding_type
/// relative_key_query).
Result<ConfigEncoding> encoding_from_config(const Params& config, const ConfigOptions& options);

/// A norm of queries and keys; strings are values of the option `qk_norm` of attention.
struct LayerQkNorm {
  std::string norm{};         ///< "rms" or "layer"
  std::string over{};         ///< "head", or "all_heads" of a token as one vector (OLMo)
  std::string weight_form{};  ///< "plain", "one_plus" (Gemma), or "none": there is no weight
  std::string order{};        ///< "before_encoding" or "after_encoding"
  double eps = 0;
};

/// Queries are multiplied by 1 + attn_scale ln(1 + floor((position + first) / floor_scale));
/// query_temperature computes it for first = 1.
struct LayerTemperature {
  double floor_scale = 0, attn_scale = 0;
  double first = 1;  ///< 1: counts tokens (Llama 4); 0: counts positions (Ministral 3)
};

struct ConfigLayer {
  /// "full_attention", "sliding_attention", "chunked_attention", "windowed_attention" (of patches),
  /// or another word of layer_types;
  /// "linear_attention", "recurrent", "conv" or "none" of a layer without queries and keys, which
  /// has no other field
  std::string type{};
  std::string stack{};  ///< "encoder" or "decoder" of a model that has both
  std::optional<EncodingConfig> encoding{};
  /// Heads of queries, heads of keys and values, and channels of a query and a key; absent if the
  /// file does not specify them. Families without grouped-query attention (GPT-2) have no kv_heads.
  std::optional<int> heads{}, kv_heads{}, head_dim{};
  /// The factor on q.k; absent if it is 1 / sqrt(head_dim) or the encoding's own
  std::optional<double> scale{};
  /// Keys this many positions before the query, or more, are hidden
  std::optional<int> window{};
  /// For layers that are not causal: keys more than this many positions after the query are hidden
  std::optional<int> window_ahead{};
  /// A query sees only keys in the same chunk of this many positions (Llama 4)
  std::optional<int> chunk{};
  /// A patch sees only patches in the same square of this many rows and columns (Qwen2.5-VL)
  std::optional<int> patch_window{};
  std::optional<double> softcap{};  ///< on the scaled products
  bool causal = true;               ///< a query sees no later key
  bool sinks = false;               ///< each head has a learned sink, which is in the checkpoint
  bool rotates_values = false;      ///< as in ConfigEncoding
  std::optional<LayerQkNorm> qk_norm{};  ///< its weights are in the checkpoint
  std::optional<LayerTemperature> temperature{};
};

/// All layers of a model, in order, those of an encoder before those of a decoder; the file is
/// given as encoding_from_config takes it. A model_type that is not listed is rejected, because
/// what its attention adds is not known. The number of layers must be in the file.
///
/// Of latent attention (DeepSeek) the encoding is that of whole heads, qk_nope_head_dim channels of
/// content before qk_rope_head_dim that rotate (rotary_offset).
///
/// The config of a tower that reads images (the vision_config of a multimodal file) has the layers
/// of the tower, whose number is num_hidden_layers or depth.
Result<std::vector<ConfigLayer>> layers_from_config(const Params& config);

}  // namespace phasor
