#pragma once
// A task: generates batches and computes scores. One file per task; the directory is the list.

#include <memory>
#include <span>
#include <vector>

#include "math/generator.h"
#include "nn/cross_entropy.h"
#include "phasor/train.h"

namespace phasor {

/// Items of equal length. Tokens and targets are integers from 0 on; a token without a target has
/// nn::kIgnored.
struct Batch {
  int items = 0;
  int tokens = 0;
  std::vector<int> input{};   ///< (items * tokens)
  std::vector<int> target{};  ///< (items * tokens), or (items) for pooled tasks

  /// Allocates memory, with all targets ignored.
  void resize(int item_count, int token_count, bool pooled);
  int* input_of(int item) { return input.data() + static_cast<std::ptrdiff_t>(item) * tokens; }
  int* target_of(int item) { return target.data() + static_cast<std::ptrdiff_t>(item) * tokens; }
};

/// Gives a task access to a model, for metrics.
class ObservedModel {
 public:
  virtual ~ObservedModel() = default;
  /// The residual stream after the embeddings and after each layer: (layers + 1, items * tokens,
  /// embed_dim).
  virtual Status hidden(const Batch& batch, Tensor& out) = 0;
  /// Attention weights for these tokens: (layers, heads, tokens, tokens).
  virtual Result<Tensor> attention_weights(std::span<const int> tokens) = 0;
  /// A weight by its name; empty if the model has none.
  virtual Tensor weight(std::string_view name) const = 0;
};

enum class ScoreKind { accuracy, nats, perplexity };

class Task {
 public:
  virtual ~Task() = default;

  /// Number of token symbols, and of classes.
  virtual int symbols() const = 0;
  virtual int classes() const { return symbols(); }
  /// True if a model has one output per item, computed from the mean over the tokens.
  virtual bool pooled() const { return false; }
  virtual ScoreKind score_kind() const { return ScoreKind::accuracy; }
  /// The best score of a model that ignores the tokens.
  virtual double chance() const = 0;
  /// Columns of the grid of an item, if positions have two coordinates; 0: no grid.
  virtual int grid_columns() const { return 0; }

  /// Fills a batch whose sizes are set, for training.
  virtual void fill_batch(Generator& random, Batch& out) const = 0;
  /// Fills a batch whose sizes are set, for an evaluation: with test data, if available.
  virtual void fill_evaluation_batch(Generator& random, Batch& out) const {
    fill_batch(random, out);
  }
  virtual int evaluation_items() const { return 1000; }
  /// Rejects a length that is invalid for items.
  virtual Status check_length(int) const { return {}; }

  /// Adds metrics of the task.
  virtual Status add_metrics(ObservedModel&, const TrainConfig&, OrderedMap<double>&) const {
    return {};
  }
  /// Encodes a text as tokens, if the task reads text.
  virtual Result<std::vector<int>> tokens(std::string_view text) const;
};

/// The registry entry of a task. An image task has no `create`.
struct TaskType {
  TaskInfo info;
  void (*defaults)(TrainConfig& spec);
  /// nullptr: the task has an image instead of tokens, learned by a separate network.
  Result<std::unique_ptr<Task>> (*create)(const TrainConfig& spec);
  bool reads_corpus = false;
};

/// Defines the task of a file; the file has the name of the task.
#define PHASOR_TASK(id)                   \
  extern const TaskType phasor_task_##id; \
  const TaskType phasor_task_##id

/// The task with this id, or nullptr.
const TaskType* find_task(std::string_view id);

}  // namespace phasor
