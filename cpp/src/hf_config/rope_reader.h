#pragma once
// The reader behind rope_from_config, for callers that need the details.

#include <string_view>

#include "hf_config/config_map.h"
#include "hf_config/rope_families.h"
#include "phasor/hf_config.h"

namespace phasor {

struct RopeFile {
  ConfigMap model{};  ///< the text model; it and `rope` know which keys were read
  ConfigMap rope{};   ///< rope_scaling or rope_parameters
  const RopeFamily* family = nullptr;
  EncodingConfig encoding{};
  Params assumed{};  ///< of a family that is not listed: what no key says
};

/// rope_from_config for a file that is loaded as `model`, with its text model entered; a layer or
/// model without rotation has the encoding `none`.
Status read_rope(const ConfigOptions& options, RopeFile& file);

/// Rejects an invalid sequence_length.
Status check_sequence_length(double length);

/// Checks that the result is a valid encoding. Errors of encodings name parameters, errors of a
/// file its keys; `keys` maps the former to the latter.
Status check_encoding(const EncodingConfig& config, const EncodingDims& geometry,
                      const Params& keys);

// The parts of a config.json about the rotation of queries and keys.

/// Parts the file into `rope`, the keys about RoPE (rope_parameters, rope_scaling, or the file
/// itself), and `model`, the other keys of the text model. Rejects a file without either.
Status find_rope_dictionary(ConfigMap& model, ConfigMap& rope);

/// Enters the object of the text model in a multimodal file.
void enter_text_model(ConfigMap& model);

/// The first key about rotation, or "".
std::string_view rotation_key(const Params& map);

}  // namespace phasor
