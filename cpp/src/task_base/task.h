#pragma once
// A task generates batches for training and evaluation, and defines how they are scored. Each file
// in cpp/src/tasks defines one task.

#include <memory>
#include <span>
#include <vector>

#include "math/generator.h"
#include "nn/cross_entropy.h"
#include "phasor/train.h"

namespace phasor {

/// A batch of items of equal length. Tokens and targets are integers of at least 0, except that the
/// target of a token without a prediction is nn::kIgnored.
struct Batch {
  int items = 0;
  int tokens = 0;
  std::vector<int> inputs{};   ///< (items * tokens)
  std::vector<int> targets{};  ///< (items * tokens), or (items) for pooled tasks

  /// Allocates the batch and sets all targets to nn::kIgnored.
  void resize(int item_count, int token_count, bool pooled);
  int* item_input(int item) { return inputs.data() + static_cast<std::ptrdiff_t>(item) * tokens; }
  int* item_target(int item) { return targets.data() + static_cast<std::ptrdiff_t>(item) * tokens; }
};

/// Gives a task access to the model, for the metrics that it adds.
class ObservedModel {
 public:
  virtual ~ObservedModel() = default;
  /// The residual stream after the embeddings and after each layer, (layers + 1, items * tokens,
  /// embed_dim).
  virtual Status compute_hidden_states(const Batch& batch, Tensor& out) = 0;
  /// The attention weights for these tokens, (layers, heads, tokens, tokens).
  virtual Result<Tensor> attention_weights(std::span<const int> tokens) = 0;
  /// The weight with this name, or an empty tensor if the model has no such weight.
  virtual Tensor find_weight(std::string_view name) const = 0;
};

enum class ScoreKind { accuracy, nats, perplexity };

class Task {
 public:
  virtual ~Task() = default;

  /// symbol_count() is the number of distinct tokens, and class_count() the number of classes of a
  /// target.
  virtual int symbol_count() const = 0;
  virtual int class_count() const { return symbol_count(); }
  /// True if the model has one output per item, computed from the mean over the item's tokens.
  /// False if it has one output per token.
  virtual bool is_pooled() const { return false; }
  virtual ScoreKind score_kind() const { return ScoreKind::accuracy; }
  /// The best score that is possible without reading the tokens.
  virtual double chance_score() const = 0;
  /// The number of columns of an item's grid, or 0 if positions do not have two coordinates.
  virtual int grid_columns() const { return 0; }

  virtual void fill_batch(Generator& random, Batch& out) const = 0;
  /// Fills an allocated batch with evaluation data. If the task has a test split, the data come
  /// from it.
  virtual void fill_evaluation_batch(Generator& random, Batch& out) const {
    fill_batch(random, out);
  }
  virtual int evaluation_item_count() const { return 1000; }
  virtual Status check_length(int) const { return {}; }

  virtual Status add_metrics(ObservedModel&, const TrainConfig&, OrderedMap<double>&) const {
    return {};
  }
  /// Converts text to tokens. The default implementation rejects all text.
  virtual Result<std::vector<int>> tokenize(std::string_view text) const;
};

struct TaskType {
  TaskInfo info;
  void (*set_defaults)(TrainConfig& config);
  /// nullptr for the image task, which has no tokens and uses a different network
  Result<std::unique_ptr<Task>> (*create)(const TrainConfig& config);
  bool reads_corpus = false;
};

/// Defines a task. `id` must be the name of its file without the extension.
#define PHASOR_TASK(id)                   \
  extern const TaskType phasor_task_##id; \
  const TaskType phasor_task_##id

/// Returns the task with this id, or nullptr if there is none.
const TaskType* find_task(std::string_view id);

}  // namespace phasor
