#pragma once
// The reader behind rope_from_config, for callers that need to know which keys were read.

#include <string_view>

#include "hf_config/config_map.h"
#include "hf_config/family.h"
#include "phasor/hf_config.h"

namespace phasor {

struct RopeFile {
  ConfigMap model{};  ///< the text model; records which keys were read
  ConfigMap rope{};   ///< rope_scaling or rope_parameters; records which keys were read
  const Family* family = nullptr;
  EncodingConfig encoding{};
  Params assumptions{};  ///< assumptions for an unlisted family
};

/// Implements rope_from_config for a file loaded as `file.model`, after `select_model`. A layer or
/// model without rotation has the encoding `none`.
Status read_rope(const ConfigOptions& options, RopeFile& file);

/// Rejects a sequence_length that is negative or not an integer.
Status check_sequence_length(double length);

/// Validates the resulting encoding. Error messages name the config key of a parameter, from
/// `keys`.
Status check_encoding(const EncodingConfig& config, const EncodingDims& dims, const Params& keys);

/// Moves the RoPE dictionary from `model` to `rope`: rope_parameters (transformers 5), rope_scaling
/// (transformers 4), or the file itself. Rejects models without rotary positions.
Status find_rope_dictionary(ConfigMap& model, ConfigMap& rope);

/// Selects the text model of a multimodal file, or a stack of an encoder-decoder file with separate
/// dictionaries.
Status select_model(ConfigMap& model, std::string_view stack);

/// The first key about rotation, or "".
std::string_view find_rotation_key(const Params& entries);

}  // namespace phasor
