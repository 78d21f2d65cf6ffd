#pragma once
// Files of unlisted families: read only if every key that may concern positions is known.

#include "hf_config/config_map.h"
#include "phasor/encoding_config.h"

namespace phasor {

/// Rejects the first key of `model` whose name is about positions and whose meaning depends on the
/// family's code. `rope` has the keys that were moved out of it.
Status check_unlisted(const ConfigMap& model, const ConfigMap& rope);

/// The assumptions about rotation in such a file, if no key decides: base, pairs, channels, layers.
Params assumed_of_rotation(ConfigMap& model, const EncodingConfig& encoding);

/// The error for a file with keys about rotation, in a function whose result has no list of
/// assumptions.
Status not_listed(const ConfigMap& model);

}  // namespace phasor
