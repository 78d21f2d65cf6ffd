#pragma once
// Checks files of unlisted families. They are accepted only if all keys that may concern positions
// are known.

#include "hf_config/config_map.h"
#include "phasor/encoding_config.h"

namespace phasor {

/// Fails if `model` contains a key that may concern positions, unless the key means the same in all
/// families. `rope` contains the keys that `find_rope_dictionary` moved out of `model`.
Status check_unlisted_keys(const ConfigMap& model, const ConfigMap& rope);

/// Returns the values assumed for the rotation keys that the file lacks, such as base and layout.
Params take_rotation_assumptions(ConfigMap& model, const EncodingConfig& encoding);

/// Returns an error for a file of an unlisted family. For functions that cannot report assumptions.
Status reject_unlisted_family(const ConfigMap& model);

}  // namespace phasor
