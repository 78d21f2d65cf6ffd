#pragma once
// Files of families that are not listed: read only as far as every key that may concern positions
// is understood.

#include "hf_config/config_map.h"
#include "phasor/encoding_config.h"

namespace phasor {

/// Rejects the first key of `model` whose name speaks of positions and whose meaning is not known
/// without the family's code. `rope` is what was taken out of it.
Status check_unlisted(const ConfigMap& model, const ConfigMap& rope);

/// The assumptions about rotation in such a file, where no key decides: base, pairs, channels,
/// layers.
Params assumed_of_rotation(ConfigMap& model, const EncodingConfig& encoding);

/// The error about one that says something about rotation, by a function whose answer has no room
/// for what is assumed.
Status not_listed(const ConfigMap& model);

}  // namespace phasor
