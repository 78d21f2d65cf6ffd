#pragma once
// Where a config.json says how its model turns queries and keys.

#include <string>

#include "rope/dictionary.h"

namespace phasor {

/// Parts the file into `rope`, the dictionary of these layers (rope_parameters, rope_scaling, or the file itself), and `model`, all
/// else that is said about the text model. Refuses a file in which neither can be.
Status find_rope_dictionary(const Params& file, const std::string& layer_type, Dictionary& model, Dictionary& rope);

/// Refuses a layer_type that is none of those the model has.
Status check_layer(const std::string& layer_type, Words layers);

}  // namespace phasor
