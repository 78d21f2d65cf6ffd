#pragma once
// Combines the changes of a run: determines the encoding, window and output of each head.

#include <span>

#include "core/format_error.h"
#include "model/change/head_change.h"
#include "model/weights.h"

namespace phasor::model {

/// The heads of a layer that have the same changes, computed by a single attention call.
struct HeadGroup {
  std::vector<int> heads{};     ///< in ascending order; empty means all heads of the layer
  std::vector<int> kv_heads{};  ///< each serves the same number of `heads`
  AttentionConfig attention{};
  /// The encoding of `attention` before `change`; nullptr if the layer has no changes
  std::shared_ptr<Encoding> base_encoding{};
  EncodingChange change{};
  std::shared_ptr<const Encoding> encoding{};  ///< `base_encoding` with `change` applied
  HeadOutput output = HeadOutput::computed;

  int head_count(const ModelInfo& info) const {
    return heads.empty() ? info.heads : static_cast<int>(heads.size());
  }
};

struct LayerPlan {
  std::vector<HeadGroup> groups{};
  bool skips_attention = false;
};

struct ChangePlan {
  std::vector<LayerPlan> layers{};
  bool has_table = true;
  std::optional<EncodingConfig> table_config{};  ///< overrides Weights::position_table
  PositionMap table_positions{};                 ///< position of each token in the table
  /// Maximum number of tokens for which the rotary frequencies are valid
  int max_tokens = kMaxExtent;
};

/// `threads` is the number of threads for each attention call.
Result<ChangePlan> plan_changes(const Weights& w, std::span<const PositionChange> changes,
                                const TextLength& text_length, int threads);

}  // namespace phasor::model
