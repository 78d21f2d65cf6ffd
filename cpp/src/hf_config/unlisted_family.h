#pragma once
// Unlisted families are accepted only if every key that may concern positions is known.

#include "hf_config/config_map.h"
#include "phasor/encoding_config.h"

namespace phasor {

/// Rejects the first key of `model` that may concern positions and has no general meaning. `rope`
/// has the keys that were moved out of `model`.
Status check_unlisted_keys(const ConfigMap& model, const ConfigMap& rope);

/// The assumptions about rotation for which the file has no key: base, layout, channels, layers.
Params take_rotation_assumptions(ConfigMap& model, const EncodingConfig& encoding);

/// The error for an unlisted family with keys about rotation, in a function whose result cannot
/// list assumptions.
Status reject_unlisted_family(const ConfigMap& model);

}  // namespace phasor
