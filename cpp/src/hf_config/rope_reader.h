#pragma once
// The implementation of rope_from_config, for callers that also need to know which keys were read.

#include <string_view>

#include "hf_config/config_map.h"
#include "hf_config/family.h"
#include "phasor/hf_config.h"

namespace phasor {

struct RopeFile {
  ConfigMap model{};  ///< keys of the text model, marked when read
  ConfigMap rope{};   ///< keys of rope_scaling or rope_parameters, marked when read
  const Family* family = nullptr;
  EncodingConfig encoding{};
  Params assumptions{};  ///< defaults that were assumed for an unlisted family
};

/// Implements rope_from_config. The caller must have called `select_model` on `file.model`. If the
/// model or the requested layer does not rotate, the encoding is `none`.
Status read_rope(const ConfigOptions& options, RopeFile& file);

/// Rejects a sequence_length that is negative or not an integer.
Status check_sequence_length(double length);

/// Validates an encoding. Error messages refer to parameters by their config.json paths, which
/// `keys` contains.
Status check_encoding(const EncodingConfig& config, const EncodingDims& dims, const Params& keys);

/// Moves the RoPE dictionary from `model` to `rope`. The dictionary is rope_parameters
/// (transformers 5), rope_scaling (transformers 4), or the file itself. Fails if the model does not
/// rotate.
Status find_rope_dictionary(ConfigMap& model, ConfigMap& rope);

/// Replaces `model` with the text model of a multimodal file, or with one stack of an
/// encoder-decoder file that describes each stack in a nested object.
Status select_model(ConfigMap& model, std::string_view stack);

/// Returns the first key that describes rotation, or an empty string.
std::string_view find_rotation_key(const Params& entries);

}  // namespace phasor
