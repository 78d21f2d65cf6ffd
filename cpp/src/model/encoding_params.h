#pragma once
// Replaces parameters of a layer's encoding, and returns properties that depend on them.

#include <array>
#include <optional>

#include "phasor/encoding_config.h"
#include "phasor/status.h"

namespace phasor::model {

/// The number of tokens in a run, or in a cache with a capacity of `max_tokens`.
struct TextLength {
  int tokens = 0;
  std::optional<int> max_tokens{};

  int max_length() const { return max_tokens.value_or(tokens); }
};

/// Replaces parameters, as PositionChange::params describes.
Status set_params(const Params& params, EncodingConfig& config);

/// Maximum number of tokens with the frequencies of the config, if its scaling depends on the
/// length (dynamic_ntk, longrope); otherwise 0.
int original_length(const EncodingConfig& config);
/// Sets sequence_length to the text length if the text exceeds original_length and the parameter is
/// unset. Returns the maximum number of tokens with the same frequencies.
int set_text_length(const TextLength& text_length, EncodingConfig& config);
/// True if each token beyond original_length changes the frequencies.
bool has_growing_frequencies(const EncodingConfig& config);

/// For rope: true if the layout of its pairs is half_split.
bool has_half_split_pairs(const EncodingConfig& config);
/// The two channels of pair `pair` out of `pair_count`.
std::array<int, 2> get_pair_channels(const EncodingConfig& config, int pair_count, int pair);

}  // namespace phasor::model
