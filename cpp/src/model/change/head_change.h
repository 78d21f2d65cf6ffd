#pragma once
// One head after changes: its encoding, positions, window and output.

#include "model/change/changed_encoding.h"
#include "phasor/model.h"

namespace phasor::model {

enum class HeadOutput { computed, zero, mean };

/// The result of the changes so far, and their numbers.
struct HeadState {
  EncodingConfig encoding{};
  EncodingChange change{};
  std::optional<double> scale{};
  std::optional<int> window{};
  HeadOutput output = HeadOutput::computed;
  std::vector<std::size_t> changes{};
};

/// Tokens of a run, or the most that a cache holds, whose text grows.
struct TextLength {
  int tokens = 0;
  bool grows = false;
};

/// Of the encoding of all heads of a layer.
EncodingDims head_dims(const ModelInfo& info, std::optional<double> scale, int tokens);

/// `shift` and `order`.
Status change_positions(const PositionChange& change, const TextLength& text, PositionMap& to);
/// `params`; also creates the encoding that follows.
Status change_params(const PositionChange& change, const TextLength& text, const EncodingDims& dims,
                     EncodingConfig& config, std::unique_ptr<Encoding>& after);
/// The field of a change that a rotation alone has.
const char* rotary_field(PositionChange::Kind kind);
/// Everything but `skip`.
Status change_head(const ModelInfo& info, const PositionChange& change, const TextLength& text,
                   HeadState& state);

}  // namespace phasor::model
