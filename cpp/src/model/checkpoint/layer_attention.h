#pragma once
// A layer of layers_from_config as a configuration of attention.

#include "phasor/attention.h"
#include "phasor/hf_config.h"

namespace phasor::model {

/// Everything except for learned tensors; rejects what a run does not have.
Status configure_attention(const ConfigLayer& layer, int number, AttentionConfig& config);

}  // namespace phasor::model
