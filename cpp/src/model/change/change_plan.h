#pragma once
// The changes of a run, resolved: which encoding, window and output each head of each layer has.

#include <span>

#include "model/change/head_change.h"
#include "model/weights.h"

namespace phasor::model {

/// Heads of a layer that have the same changes, for one call of attention.
struct HeadGroup {
  std::vector<int> heads{};     ///< ascending; empty: all of the layer
  std::vector<int> kv_heads{};  ///< of the call: one per head, or each shared by as many
  AttentionConfig attention{};
  std::shared_ptr<Encoding> base{};  ///< that of attention; nullptr where nothing changes
  EncodingChange change{};
  std::shared_ptr<const Encoding> encoding{};  ///< base with the change
  HeadOutput output = HeadOutput::computed;

  int size(const ModelInfo& info) const {
    return heads.empty() ? info.heads : static_cast<int>(heads.size());
  }
};

struct LayerPlan {
  std::vector<HeadGroup> groups{};
  bool skips_attention = false;
};

struct ChangePlan {
  std::vector<LayerPlan> layers{};
  bool adds_table = true;
  std::optional<EncodingConfig> table{};  ///< in place of that of the weights
  PositionMap positions{};                ///< of the table
};

/// length: tokens of a run, or the most that a cache holds, which `grows`. threads: of attention.
Result<ChangePlan> plan_changes(const Weights& w, std::span<const PositionChange> changes,
                                int length, bool grows, int threads);

}  // namespace phasor::model
