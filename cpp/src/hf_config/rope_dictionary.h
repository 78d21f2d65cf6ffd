#pragma once
// Where a config.json says how its model turns queries and keys.

#include <string_view>

#include "hf_config/config_map.h"

namespace phasor {

/// Parts the file into `rope`, what it says about RoPE (rope_parameters, rope_scaling, or the file
/// itself), and `model`, all else that is said about the text model. Refuses a file in which
/// neither can be.
Status find_rope_dictionary(Dictionary& model, Dictionary& rope);

/// Enters the part of a multimodal model's file that is about its text model.
void enter_text_model(Dictionary& model);

/// The first key that says something about rotation, or "".
std::string_view rotation_key(const Params& map);

}  // namespace phasor
