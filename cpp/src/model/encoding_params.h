#pragma once
// Replaces parameters of a layer's encoding, and returns properties that depend on them.

#include <array>
#include <optional>

#include "phasor/encoding_config.h"
#include "phasor/status.h"

namespace phasor::model {

/// The length of a text. `tokens` is the number of tokens in a run; with a cache, `max_tokens` is
/// the capacity of the cache.
struct TextLength {
  int tokens = 0;
  std::optional<int> max_tokens{};

  int max_length() const { return max_tokens.value_or(tokens); }
};

/// Changes parameters as described at PositionChange::params.
Status set_params(const Params& params, EncodingConfig& config);

/// The maximum number of tokens for which the frequencies are those of the config, if the scaling
/// depends on the length (dynamic_ntk, longrope). 0 for other scalings.
int original_length(const EncodingConfig& config);
/// Sets the parameter sequence_length to the text length if it is unset and the text exceeds
/// original_length(). Returns the maximum number of tokens for which the frequencies are valid.
int set_text_length(const TextLength& text_length, EncodingConfig& config);
/// True if the frequencies change with every token beyond original_length().
bool has_growing_frequencies(const EncodingConfig& config);

/// True for rope if its channel pairs have the layout half_split.
bool has_half_split_pairs(const EncodingConfig& config);
std::array<int, 2> get_pair_channels(const EncodingConfig& config, int pair_count, int pair);

}  // namespace phasor::model
