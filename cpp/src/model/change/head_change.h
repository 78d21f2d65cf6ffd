#pragma once
// Applies a run's changes to one head: its encoding, positions, window and output.

#include "model/change/changed_encoding.h"
#include "model/encoding_params.h"
#include "phasor/model.h"

namespace phasor::model {

enum class HeadOutput { computed, zero, mean };

/// The state of a head after applying the changes in `change_indices`.
struct HeadState {
  EncodingConfig encoding{};
  EncodingChange change{};
  std::optional<double> scale{};
  std::optional<int> window{};
  HeadOutput output = HeadOutput::computed;
  std::vector<std::size_t> change_indices{};
};

EncodingDims make_head_dims(const ModelInfo& info, std::optional<double> scale, int tokens);

/// Applies a change of kind `shift` or `order`.
Status change_positions(const PositionChange& change, const TextLength& text_length,
                        PositionMap& to);
/// Applies a change of kind `params`, and creates the resulting encoding.
Status change_params(const PositionChange& change, const EncodingDims& dims, EncodingConfig& config,
                     std::unique_ptr<Encoding>& encoding);
/// Returns the name of the PositionChange field that an error about rotated pairs refers to:
/// layout, clip or pairs_begin.
const char* get_rotary_field(PositionChange::Kind kind);
/// Applies a change of any kind except `skip`.
Status change_head(const ModelInfo& info, const PositionChange& change,
                   const TextLength& text_length, HeadState& state);

}  // namespace phasor::model
