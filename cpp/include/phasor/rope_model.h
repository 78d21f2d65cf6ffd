#pragma once
// The rotary encoding of a published model, from its config.json (Hugging Face transformers, versions 4 and 5).

#include <string>

#include "phasor/encoding.h"
#include "phasor/result.h"

namespace phasor {

/// What config.json leaves open.
struct RopeModelOptions {
  std::string layer_type{};    ///< "full_attention" ...: which layers are meant, where they differ
  double sequence_length = 0;  ///< length of the text being read, for dynamic and longrope; 0: not beyond the original context
};

/// Reads a whole config.json, or only its rope_scaling / rope_parameters dictionary. The library reads no JSON text: every key
/// stands under its path, nested objects joined by dots ("rope_scaling.factor"), lists of numbers as tensors of rank
/// 1, null left out.
///
/// The text model of a multimodal one is found under text_config, language_config, llm_config or thinker_config. A file in which
/// nothing is said about rotation is taken for a plain RoPE, as older models need it, if it is one of a model: an empty object and
/// the few families that are known to have positions of another kind are refused.
///
/// Types: default, mrope, linear, dynamic, yarn, longrope (su), llama3, proportional; the key is rope_type or, before, type.
/// Read beside them: rope_theta (rotary_emb_base), partial_rotary_factor (rotary_pct, rotary_dim), max_position_embeddings,
/// original_max_position_embeddings, rope_local_base_freq, rope_interleave and model_type, which decides the layout: half_split,
/// as in most of the library, but interleaved for the few families whose code turns neighbouring channels.
///
/// Returns the encoding rope, or mrope where there is an mrope_section. Inside the dictionary every key must be known; a key that
/// is missing, unknown or of the wrong kind is named by its path, with its value.
Result<EncodingConfig> read_rope_model(const Params& model, const RopeModelOptions& options);

}  // namespace phasor
