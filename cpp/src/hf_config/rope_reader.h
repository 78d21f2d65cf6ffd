#pragma once
// The reading of a config.json behind rope_from_config, for callers that want to know what was
// read.

#include <string_view>

#include "hf_config/config_map.h"
#include "hf_config/family.h"
#include "phasor/hf_config.h"

namespace phasor {

struct RopeFile {
  ConfigMap model{};  ///< the text model; it and `rope` know which keys were read
  ConfigMap rope{};   ///< rope_scaling or rope_parameters
  const Family* family = nullptr;
  EncodingConfig encoding{};
  Params assumed{};  ///< of a family that is not listed: what no key says
};

/// rope_from_config for a file that is loaded as `model`, with its text model entered; a layer or a
/// model that does not rotate has the encoding `none`.
Status read_rope(const ConfigOptions& options, RopeFile& file);

/// Rejects a sequence_length that is no number of tokens.
Status check_sequence_length(double length);

/// Checks that the result is a valid encoding. Errors of encodings name parameters, errors of a
/// file name its keys: `keys` maps parameters to keys.
Status check_encoding(const EncodingConfig& config, const EncodingDims& geometry,
                      const Params& keys);

// Where a config.json says how its model rotates queries and keys.

/// Parts the file into `rope`, what it says about RoPE (rope_parameters, rope_scaling, or the file
/// itself), and `model`, the other keys of the text model. Rejects a file in which
/// neither can be.
Status find_rope_dictionary(ConfigMap& model, ConfigMap& rope);

/// Enters the part of the file that is about the text model of a multimodal one, or about this
/// stack of an encoder-decoder model that has a dictionary for each.
Status enter_model(ConfigMap& model, std::string_view stack);

/// The first key that says something about rotation, or "".
std::string_view rotation_key(const Params& map);

}  // namespace phasor
