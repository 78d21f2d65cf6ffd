#pragma once
// Parameters of the encoding of a layer: replaced, and what they say about pairs of channels.

#include <array>
#include <optional>

#include "phasor/encoding_config.h"
#include "phasor/status.h"

namespace phasor::model {

/// Tokens of a run; or those of the text in a cache, and the most that the cache holds.
struct TextLength {
  int tokens = 0;
  std::optional<int> max_tokens{};

  int longest() const { return max_tokens.value_or(tokens); }
};

/// Replaces parameters as PositionChange::params says.
Status set_params(const Params& params, EncodingConfig& config);

/// The longest text of the frequencies in a config, of rotary scaling that has others for longer
/// ones (dynamic_ntk, longrope); 0: they do not depend on the length.
int original_length(const EncodingConfig& config);
/// Sets the length of the text, if it is beyond that and sequence_length is not set. Returns the
/// longest text that has the same frequencies.
int set_text_length(const TextLength& text, EncodingConfig& config);
/// Whether these frequencies change with each token of a longer text.
bool grows_with_text(const EncodingConfig& config);

/// Of rope.
bool has_half_split_pairs(const EncodingConfig& config);
/// The two channels of a head that pair number `pair` of `pairs` rotates.
std::array<int, 2> channels_of_pair(const EncodingConfig& config, int pairs, int pair);

}  // namespace phasor::model
