#pragma once
// Reads the rotation from a config.json: layout, base, fraction, sections and scaling.

#include "hf_config/rope_layers.h"
#include "hf_config/rope_reader.h"

namespace phasor {

/// Rejects keys that change the rotation of some layers in other families, and a rope_interleave
/// that contradicts the family's layout.
Status check_foreign_keys(ConfigMap& model, const Family& family);

Status read_rotation(const ConfigOptions& options, const Family& family, const RopeLayer& layer,
                     RopeFile& file);

}  // namespace phasor
