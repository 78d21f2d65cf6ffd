#pragma once
// Reads the parameters of a rotation from a config: layout, base, fraction, sections and scaling.

#include "hf_config/rope_layers.h"
#include "hf_config/rope_reader.h"

namespace phasor {

/// Rejects keys with which other families change the rotation of some layers, and a rope_interleave
/// that contradicts the layout.
Status check_foreign_keys(ConfigMap& model, const Family& family);

/// Reads layout, base, fraction and scaling of the selected layer.
Status read_rotation(const ConfigOptions& options, const Family& family, const RopeLayer& layer,
                     RopeFile& file);

}  // namespace phasor
