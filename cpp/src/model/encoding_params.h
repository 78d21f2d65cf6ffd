#pragma once
// Replaces parameters of a layer's encoding, and derives properties from them.

#include <array>
#include <optional>

#include "phasor/encoding_config.h"
#include "phasor/status.h"

namespace phasor::model {

/// The number of tokens in a run, or in a cache with a capacity of `max_tokens`.
struct TextLength {
  int tokens = 0;
  std::optional<int> max_tokens{};

  int longest() const { return max_tokens.value_or(tokens); }
};

/// Replaces parameters as described at PositionChange::params.
Status set_params(const Params& params, EncodingConfig& config);

/// The longest text that uses the frequencies of the config, if scaling depends on the length
/// (dynamic_ntk, longrope); otherwise 0.
int original_length(const EncodingConfig& config);
/// Sets the text length if it exceeds original_length and sequence_length is not set. Returns the
/// longest text with the same frequencies.
int set_text_length(const TextLength& text, EncodingConfig& config);
/// True if the frequencies change with each token of a longer text.
bool grows_with_text(const EncodingConfig& config);

/// Of rope.
bool has_half_split_pairs(const EncodingConfig& config);
/// The two channels of a head that form pair `pair` of `pairs`.
std::array<int, 2> channels_of_pair(const EncodingConfig& config, int pairs, int pair);

}  // namespace phasor::model
