#pragma once
// The models behind a trainer: a transformer on a task, or a network from coordinates to colours on
// an image.

#include "task_base/task.h"
#include "train/arena.h"

namespace phasor {

class TrainableModel {
 public:
  virtual ~TrainableModel() = default;

  Arena arena;

  /// Adds dL/d(values), for the batch of step `step` (from 0), to arena.grads, which must be 0.
  virtual Result<double> gradients(std::uint64_t step) = 0;
  /// Must be called after a change of arena.values.
  virtual Status values_changed() { return {}; }
  virtual Status evaluate(const EvaluateConfig& config, Evaluation& out) = 0;
  virtual Result<Tensor> attention_weights(std::span<const int> tokens);
  virtual Result<QueriesAndKeys> queries_and_keys(std::span<const int> tokens);
  virtual Status ablate_heads(std::span<const HeadIndex> heads, AblationType type);
  virtual Result<Tensor> k_composition(int from_layer, int to_layer, double distance);
  virtual Result<Tensor> logits(std::span<const int> tokens);
  virtual Result<std::vector<int>> tokens(std::string_view text) const;
  /// Working memory of a step in bytes, without the arena.
  virtual double bytes() const = 0;
};

/// A transformer for the config's task.
Result<std::unique_ptr<TrainableModel>> make_transformer(const TrainConfig& spec,
                                                         std::unique_ptr<Task> task);
/// A network from coordinates to the colours of spec.image.
Result<std::unique_ptr<TrainableModel>> make_image_network(const TrainConfig& spec);

}  // namespace phasor
