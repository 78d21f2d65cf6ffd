#pragma once
// Checks files of unlisted families. They are accepted only if all keys that may concern positions
// are known.

#include "hf_config/config_map.h"
#include "phasor/encoding_config.h"

namespace phasor {

/// Fails if `model` contains a key that may concern positions and is not known to mean the same in
/// all families. `rope` contains the keys that were moved out of `model`.
Status check_unlisted_keys(const ConfigMap& model, const ConfigMap& rope);

/// Returns the assumptions that were necessary because the file lacks keys about the rotation:
/// base, layout, channels, layers.
Params take_rotation_assumptions(ConfigMap& model, const EncodingConfig& encoding);

/// Returns the error of functions whose result cannot list assumptions, for an unlisted family with
/// keys about rotation.
Status reject_unlisted_family(const ConfigMap& model);

}  // namespace phasor
