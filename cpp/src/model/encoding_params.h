#pragma once
// Changes the parameters of a layer's encoding, and derives properties from them.

#include <array>
#include <optional>

#include "phasor/encoding_config.h"
#include "phasor/status.h"

namespace phasor::model {

/// The length of a text in tokens. With a cache, `tokens` includes the cached ones, and
/// `max_tokens` is the cache's capacity.
struct TextLength {
  int tokens = 0;
  std::optional<int> max_tokens{};

  int max_length() const { return max_tokens.value_or(tokens); }
};

/// Merges `params` into config.params as documented at PositionChange::params.
Status set_params(const Params& params, EncodingConfig& config);

/// Returns the number of tokens up to which length-dependent scalings (dynamic_ntk, longrope) leave
/// the frequencies constant. 0 if the scaling does not depend on the length.
int original_length(const EncodingConfig& config);
/// Sets the parameter sequence_length to the text length if it is unset and the text exceeds
/// original_length(). Returns the maximum number of tokens for which the frequencies are valid.
int set_text_length(const TextLength& text_length, EncodingConfig& config);
/// True if every token beyond original_length() changes the frequencies.
bool has_growing_frequencies(const EncodingConfig& config);

/// True for rope if its channel pairs have the layout half_split.
bool has_half_split_pairs(const EncodingConfig& config);
std::array<int, 2> get_pair_channels(const EncodingConfig& config, int pair_count, int pair);

}  // namespace phasor::model
