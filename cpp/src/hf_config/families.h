#pragma once
// Families of models whose positions are not rotary. docs/models.md is generated from this table.

#include <optional>
#include <span>
#include <string_view>

#include "hf_config/rope_families.h"
#include "phasor/combine.h"
#include "phasor/params.h"
#include "phasor/status.h"

namespace phasor {

struct ConfigReader;
struct ModelFamily;

/// Reads the keys about positions of the family, or of one of its stacks.
using ModelReader = Status (*)(ConfigReader&, const ModelFamily&);

/// A key of the file, and its default.
struct KeyWithDefault {
  const char* key = nullptr;
  double value = 0;
};

struct ModelFamily {
  ChoiceList names{};  ///< model_type
  Source source = Source::earlier;
  /// Of the model, or of its encoder; nullptr: no attention
  ModelReader read = nullptr;
  ModelReader decoder = nullptr;  ///< where the two stacks differ
  /// Rows of a learned table, or the key that replaces them
  KeyWithDefault length{};
  /// Rows of the table before the first token's, which `length` does not count
  double row_offset = 0;
  /// The row of the first token follows that of pad_token_id
  bool row_after_padding = false;
  std::optional<PositionIdMode> padding{};  ///< how position ids count padded texts
  const char* frequencies = nullptr;        ///< of sinusoids
  double position_offset = 0;               ///< the position of the first token
  /// The factor on q.k; 0: 1 / sqrt(head_dim), or that of the encoding
  double scale = 0;
  bool alibi = false;  ///< the key alibi may be true
  /// Position_embedding_type may say alibi or relative_key instead
  bool has_choice = false;
};

/// All of them.
std::span<const ModelFamily> model_families();

/// The family of this model_type, and of this position_embedding_type for BERT and its relatives;
/// nullptr if it is not listed.
const ModelFamily* find_model_family(std::string_view model_type,
                                     std::string_view position_embedding_type);

}  // namespace phasor
