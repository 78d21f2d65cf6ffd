#pragma once
// Where a file says what a rotation needs: pairs, base, share, sections and scaling.

#include "hf_config/rope_layers.h"
#include "hf_config/rope_reader.h"

namespace phasor {

/// Rejects keys that only families with layers that differ read, and rope_interleave, where it says
/// other pairs than those of the family.
Status check_foreign(ConfigMap& model, const Family& family);

/// Pairs, base, share and scaling of the layer that was chosen.
Status read_rotation(const ConfigOptions& options, const Family& family, const Layer& layer,
                     RopeFile& file);

}  // namespace phasor
