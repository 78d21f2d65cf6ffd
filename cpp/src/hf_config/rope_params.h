#pragma once
// Readers of the parameters of a rotation: pairs, base, fraction, sections and scaling.

#include "hf_config/rope_layers.h"
#include "hf_config/rope_reader.h"

namespace phasor {

/// Rejects keys that only families with differing layers read, and a rope_interleave that
/// contradicts the pairs of the family.
Status check_foreign(ConfigMap& model, const RopeFamily& family);

/// Pairs, base, fraction and scaling of the selected layer.
Status read_rotation(const ConfigOptions& options, const RopeFamily& family, const Layer& layer,
                     RopeFile& file);

}  // namespace phasor
