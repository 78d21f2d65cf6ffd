#pragma once
// A model's key-value cache, which also stores the token ids of earlier runs.

#include "model/run/forward.h"

namespace phasor::model {

struct PlannedKeys {
  ChangePlan plan{};
  LayerCaches caches{};
};

/// Caches keys and values. Recomputes all of them if a run is longer than the length for which the
/// rotary frequencies of the cached keys are valid.
class TransformerCache final : public ModelCache {
 public:
  static Result<std::unique_ptr<TransformerCache>> create(const Weights& w, int max_length,
                                                          std::span<const PositionChange> changes,
                                                          int threads);

  int length() const override { return static_cast<int>(ids_.size()); }
  const Weights& weights() const { return *weights_; }
  int max_length() const { return max_length_; }
  /// Returns how many tokens a run with `count` new tokens computes: also the cached ones if their
  /// keys must be recomputed.
  int count_computed_tokens(int count) const;

  /// Runs forward() for tokens that follow the cached ones. commit() adds them to the cache
  /// afterwards.
  Status run(std::span<const int> ids, const RunConfig& config,
             const RequestedHeads& requested_heads, ModelOutput& out, Tensor& x);
  /// Adds the tokens of the last run to the cache. The run must have succeeded.
  void commit(std::span<const int> ids, const RunConfig& config);

 private:
  Status create_keys(int tokens, PlannedKeys& out) const;

  const Weights* weights_ = nullptr;
  int max_length_ = 0, threads_ = 1;
  std::vector<PositionChange> changes_{};
  std::vector<int> ids_{};
  /// (tokens); empty while all tokens are visible
  std::vector<std::uint8_t> attention_mask_{};
  PlannedKeys keys_{};
  /// Keys that were recomputed by the last run. commit() moves them to keys_
  std::unique_ptr<PlannedKeys> recomputed_keys_{};
};

}  // namespace phasor::model
