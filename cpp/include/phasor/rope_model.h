#pragma once
// The rotary encoding of a published model, from its config.json (Hugging Face transformers,
// versions 4 and 5).

#include <optional>
#include <string>

#include "phasor/encoding.h"
#include "phasor/result.h"

namespace phasor {

/// What config.json leaves open.
struct RopeModelOptions {
  /// "full_attention" ...: which layers are meant; needed where they differ by type
  std::string layer_type{};
  /// Number of the layer, from 0 on; needed where they differ by number, and says the type too
  std::optional<int> layer_idx{};
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
/// neighbouring channels), the share of channels, and which layers rotate. A file in which nothing
/// is said about rotation is read if its model_type is of such a family, and refused otherwise; so
/// is a file that says its model has positions of another kind (alibi, position_embedding_type), a
/// model or layer that does not rotate, and a model_type that is not listed: model_encoding reads
/// some of those, and says what it assumes. In a file without a model_type every channel of every
/// layer is rotated, with the layout half_split.
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
/// its path, with its value. What is read makes an encoding for heads of head_dim channels; in a
/// file without head_dim the width is left unchecked.
Result<EncodingConfig> read_rope_model(const Params& model, const RopeModelOptions& options);

}  // namespace phasor
