#pragma once
// Converts a layer of layers_from_config into an attention configuration.

#include "phasor/attention.h"
#include "phasor/hf_config.h"

namespace phasor::model {

/// Sets everything except learned tensors. Rejects features that models do not run here.
Status configure_attention(const ConfigLayer& layer, int number, AttentionConfig& config);

}  // namespace phasor::model
