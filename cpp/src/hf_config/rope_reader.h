#pragma once
// The implementation of rope_from_config, for callers that need the list of the keys that were
// read.

#include <string_view>

#include "hf_config/config_map.h"
#include "hf_config/family.h"
#include "phasor/hf_config.h"

namespace phasor {

struct RopeFile {
  ConfigMap model{};  ///< the text model, and which of its keys were read
  ConfigMap rope{};   ///< rope_scaling or rope_parameters, and which of its keys were read
  const Family* family = nullptr;
  EncodingConfig encoding{};
  Params assumptions{};  ///< defaults that were assumed for an unlisted family
};

/// Implements rope_from_config. `file.model` must contain the file after `select_model`. If the
/// layer or the model does not rotate, the encoding is `none`.
Status read_rope(const ConfigOptions& options, RopeFile& file);

/// Rejects a sequence_length that is negative or not an integer.
Status check_sequence_length(double length);

/// Validates an encoding. In error messages, parameters have the config.json path that `keys`
/// contains for them.
Status check_encoding(const EncodingConfig& config, const EncodingDims& dims, const Params& keys);

/// Moves the RoPE dictionary from `model` to `rope`. The dictionary is rope_parameters
/// (transformers 5), rope_scaling (transformers 4), or the file itself. Fails if the model does not
/// rotate.
Status find_rope_dictionary(ConfigMap& model, ConfigMap& rope);

/// Replaces `model` with the text model of a multimodal file, or with one stack of an
/// encoder-decoder file that has separate dictionaries.
Status select_model(ConfigMap& model, std::string_view stack);

/// Returns the first key about rotation, or an empty string.
std::string_view find_rotation_key(const Params& entries);

}  // namespace phasor
