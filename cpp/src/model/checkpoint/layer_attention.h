#pragma once
// Converts a layer from layers_from_config into an AttentionConfig.

#include "phasor/attention.h"
#include "phasor/hf_config.h"

namespace phasor::model {

/// Sets all fields of `config` except the learned tensors. Rejects layers with features that
/// models do not support.
Status configure_attention(const ConfigLayer& layer, int layer_index, AttentionConfig& config);

}  // namespace phasor::model
