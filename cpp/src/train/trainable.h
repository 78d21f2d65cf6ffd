#pragma once
// A model that a trainer can train: a transformer for tasks with tokens, or a network for the image
// task.

#include "task_base/task.h"
#include "train/arena.h"

namespace phasor {

class TrainableModel {
 public:
  virtual ~TrainableModel() = default;

  Arena arena;

  /// Returns the loss of the batch for `step`, which counts from 0. Adds the gradients to
  /// arena.grads, which must be 0 before the call.
  virtual Result<double> compute_gradients(std::uint64_t step) = 0;
  /// Must be called after arena.values has changed.
  virtual Status on_values_changed() { return {}; }
  virtual Status evaluate(const EvaluateConfig& config, Evaluation& out) = 0;
  virtual Result<Tensor> attention_weights(std::span<const int> tokenize);
  virtual Result<QueriesAndKeys> queries_and_keys(std::span<const int> tokenize);
  virtual Status ablate_heads(std::span<const HeadIndex> heads, AblationType type);
  virtual Result<Tensor> k_composition(int from_layer, int to_layer, double distance);
  virtual Result<Tensor> logits(std::span<const int> tokenize);
  virtual Result<std::vector<int>> tokenize(std::string_view text) const;
  /// The working memory of a step in bytes. Parameters and gradients are not included.
  virtual double working_bytes() const = 0;
};

Result<std::unique_ptr<TrainableModel>> make_transformer(const TrainConfig& config,
                                                         std::unique_ptr<Task> task);
Result<std::unique_ptr<TrainableModel>> make_image_network(const TrainConfig& config);

}  // namespace phasor
