#pragma once
// Families of models whose positions are not rotary.

#include <string_view>

#include "phasor/params.h"

namespace phasor {

/// What a config.json of the family means, in words: the id of an encoding, then its parameters. A value is a word ("form=mpt"), a number
/// ("row_offset=2"), or a key of the file with its default ("clamp_len=clamp_len:1000"). Beside parameters stand fields of ModelEncoding:
/// scale, offset, and padding, which is how position_ids counts. Words without an id: the family has no attention.
struct ModelFamily {
  Words names{};     ///< model_type
  Words encoding{};  ///< of the model, or of its encoder
  Words decoder{};   ///< where that is another
};

/// The family of this model_type, and of this position_embedding_type where BERT and those like it have a choice; nullptr where it is not
/// known.
const ModelFamily* find_model_family(std::string_view model_type, std::string_view position_embedding_type);

}  // namespace phasor
