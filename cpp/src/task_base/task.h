#pragma once
// A task generates training and evaluation batches, and defines the score. Each file in
// cpp/src/tasks defines one task.

#include <memory>
#include <span>
#include <vector>

#include "math/generator.h"
#include "nn/cross_entropy.h"
#include "phasor/train.h"

namespace phasor {

/// Items of equal length. Tokens and targets are integers of at least 0; the target of a token
/// without a prediction is nn::kIgnored.
struct Batch {
  int items = 0;
  int tokens = 0;
  std::vector<int> inputs{};   ///< (items * tokens)
  std::vector<int> targets{};  ///< (items * tokens), or (items) for pooled tasks

  /// Allocates the batch with all targets ignored.
  void resize(int item_count, int token_count, bool pooled);
  int* item_input(int item) { return inputs.data() + static_cast<std::ptrdiff_t>(item) * tokens; }
  int* item_target(int item) { return targets.data() + static_cast<std::ptrdiff_t>(item) * tokens; }
};

/// Access to a model for the metrics of a task.
class ObservedModel {
 public:
  virtual ~ObservedModel() = default;
  /// The residual stream (layers + 1, items * tokens, embed_dim): after the embeddings, then after
  /// each layer.
  virtual Status compute_hidden_states(const Batch& batch, Tensor& out) = 0;
  /// Attention weights for these tokens: (layers, heads, tokens, tokens).
  virtual Result<Tensor> attention_weights(std::span<const int> tokens) = 0;
  /// The weight with this name; empty if the model does not have it.
  virtual Tensor find_weight(std::string_view name) const = 0;
};

enum class ScoreKind { accuracy, nats, perplexity };

class Task {
 public:
  virtual ~Task() = default;

  /// Number of distinct tokens, and number of classes of a target.
  virtual int symbol_count() const = 0;
  virtual int class_count() const { return symbol_count(); }
  /// True if the model has one output per item, from the mean over its tokens. False if it has one
  /// per token.
  virtual bool is_pooled() const { return false; }
  virtual ScoreKind score_kind() const { return ScoreKind::accuracy; }
  /// The best score that is possible without reading the tokens.
  virtual double chance_score() const = 0;
  /// Columns of an item's grid, if its positions have two coordinates; otherwise 0.
  virtual int grid_columns() const { return 0; }

  /// Fills an allocated batch with training data.
  virtual void fill_batch(Generator& random, Batch& out) const = 0;
  /// Fills an allocated batch with evaluation data, from a test split if the task has one.
  virtual void fill_evaluation_batch(Generator& random, Batch& out) const {
    fill_batch(random, out);
  }
  virtual int evaluation_item_count() const { return 1000; }
  /// Rejects an item length that the task does not support.
  virtual Status check_length(int) const { return {}; }

  /// Adds metrics that only this task has.
  virtual Status add_metrics(ObservedModel&, const TrainConfig&, OrderedMap<double>&) const {
    return {};
  }
  /// Converts a text to tokens. The default rejects all texts.
  virtual Result<std::vector<int>> tokenize(std::string_view text) const;
};

/// The registry entry of a task.
struct TaskType {
  TaskInfo info;
  void (*set_defaults)(TrainConfig& config);
  /// nullptr for the image task, which has no tokens and a separate network
  Result<std::unique_ptr<Task>> (*create)(const TrainConfig& config);
  bool reads_corpus = false;
};

/// Defines the task of a file. `id` must be the file name.
#define PHASOR_TASK(id)                   \
  extern const TaskType phasor_task_##id; \
  const TaskType phasor_task_##id

/// The task with this id; nullptr if there is none.
const TaskType* find_task(std::string_view id);

}  // namespace phasor
