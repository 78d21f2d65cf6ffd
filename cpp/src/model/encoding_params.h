#pragma once
// Parameters of the encoding of a layer: replaced, and what they say about pairs of channels.

#include <array>

#include "phasor/encoding_config.h"
#include "phasor/status.h"

namespace phasor::model {

/// Replaces parameters as PositionChange::params says. length: of the text, or of the cache.
Status set_params(const Params& params, int length, EncodingConfig& config);

/// The longest text of the frequencies in a config, of rotary scaling that has others for longer
/// ones (dynamic_ntk, longrope); 0: they do not depend on the length.
int original_length(const EncodingConfig& config);
/// Sets the length of the text, if it is beyond that.
void set_text_length(int tokens, EncodingConfig& config);
/// Whether these frequencies change with each token of a longer text.
bool grows_with_text(const EncodingConfig& config);

/// Of rope.
bool has_half_split_pairs(const EncodingConfig& config);
/// The two channels of a head that pair number `pair` of `pairs` rotates.
std::array<int, 2> channels_of_pair(const EncodingConfig& config, int pairs, int pair);

}  // namespace phasor::model
