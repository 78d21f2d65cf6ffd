#pragma once
// The reading of a config.json behind read_rope_model, for whoever wants to know what was read.

#include "phasor/rope_model.h"
#include "rope/dictionary.h"

namespace phasor {

/// read_rope_model, which leaves in `model` and `rope` which keys it has read.
Status read_rope(const Params& file, const RopeModelOptions& options, Dictionary& model, Dictionary& rope, EncodingConfig& config);

/// Refuses a sequence_length that is no number of tokens.
Status check_sequence_length(double length);

/// What is read has to make an encoding. Its sentences name parameters, those of a file its keys; `keys` has the one for the other.
Status check_encoding(const EncodingConfig& config, const Geometry& geometry, const Params& keys);

}  // namespace phasor
