#pragma once
// The models that a trainer can train: a transformer for a task with tokens, or a network for the
// image task.

#include "task_base/task.h"
#include "train/arena.h"

namespace phasor {

class TrainableModel {
 public:
  virtual ~TrainableModel() = default;

  Arena arena;

  /// Returns the loss of the batch of step `step`, counted from 0. Adds its gradients to
  /// arena.grads, which must be 0.
  virtual Result<double> compute_gradients(std::uint64_t step) = 0;
  /// Call after arena.values has changed.
  virtual Status on_values_changed() { return {}; }
  virtual Status evaluate(const EvaluateConfig& config, Evaluation& out) = 0;
  virtual Result<Tensor> attention_weights(std::span<const int> tokenize);
  virtual Result<QueriesAndKeys> queries_and_keys(std::span<const int> tokenize);
  virtual Status ablate_heads(std::span<const HeadIndex> heads, AblationType type);
  virtual Result<Tensor> k_composition(int from_layer, int to_layer, double distance);
  virtual Result<Tensor> logits(std::span<const int> tokenize);
  virtual Result<std::vector<int>> tokenize(std::string_view text) const;
  /// Working memory of a step in bytes, without parameters and gradients.
  virtual double working_bytes() const = 0;
};

Result<std::unique_ptr<TrainableModel>> make_transformer(const TrainConfig& config,
                                                         std::unique_ptr<Task> task);
/// A network that maps coordinates to the colours of config.image.
Result<std::unique_ptr<TrainableModel>> make_image_network(const TrainConfig& config);

}  // namespace phasor
