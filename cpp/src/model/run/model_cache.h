#pragma once
// The cache of a model: the tokens of earlier runs and their keys.

#include "model/run/forward.h"

namespace phasor::model {

/// The keys of a text, and the plan for the length of the text.
struct PlannedKeys {
  ChangePlan plan{};
  LayerCaches caches{};
};

/// The frequencies of keys may depend on the length of the text. If a run extends the text beyond
/// the longest text of the plan, the keys of all tokens are computed again.
class TransformerCache final : public ModelCache {
 public:
  static Result<std::unique_ptr<TransformerCache>> create(const Weights& w, int max_length,
                                                          std::span<const PositionChange> changes,
                                                          int threads);

  int length() const override { return static_cast<int>(ids_.size()); }
  const Weights& weights() const { return *weights_; }
  int max_length() const { return max_length_; }
  /// The number of tokens that a run of `count` tokens computes, including cached tokens if their
  /// keys are recomputed.
  int computed_tokens(int count) const;

  /// As `forward`, for tokens that follow those of the cache. The cache contains the new tokens
  /// only after `commit`.
  Status run(std::span<const int> ids, const RunConfig& config, const RequestedHeads& requested,
             ModelOutput& out, Tensor& x);
  /// Adds the tokens of the last run, which returned no error, to the cache.
  void commit(std::span<const int> ids, const RunConfig& config);

 private:
  /// Creates empty caches for a text of `tokens` tokens.
  Status create_keys(int tokens, PlannedKeys& out) const;

  const Weights* weights_ = nullptr;
  int max_length_ = 0, threads_ = 1;
  std::vector<PositionChange> changes_{};
  std::vector<int> ids_{};
  /// The mask of each token; empty while all tokens are visible
  std::vector<std::uint8_t> attention_mask_{};
  PlannedKeys keys_{};
  /// The keys of a run beyond the longest text of `keys_`, until `commit`
  std::unique_ptr<PlannedKeys> recomputed_{};
};

}  // namespace phasor::model
