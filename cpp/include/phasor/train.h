#pragma once
// Training small transformers, with any encoding of the registry. A task (cpp/src/tasks) generates
// batches; a model of a few layers is trained by AdamW. A seed gives the same batches for every
// encoding, on every platform, resumed or not.
//
//     PHASOR_TRY_ASSIGN(const TrainConfig spec,
//                       make_train_config("order", {{"seed", 1}}, {.id = "rope"}));
//     PHASOR_TRY_ASSIGN(std::unique_ptr<Trainer> trainer, Trainer::create(spec));
//     PHASOR_TRY_ASSIGN(const StepReport report, trainer->step(100));     // report.loss, in nats
//     PHASOR_TRY_ASSIGN(const Evaluation now, trainer->evaluate({.lengths = {16, 32}}));

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/encoding_config.h"
#include "phasor/ordered_map.h"
#include "phasor/result.h"
#include "phasor/safetensors.h"
#include "phasor/tensor.h"

namespace phasor {

enum class NormType { layer_norm, rms_norm };
enum class ActivationType { gelu, gelu_tanh, relu, swiglu };
enum class OptimizerType { adamw, sgd };

/// A training: task, model and optimizer. make_train_config() fills it with the defaults of the
/// task; names and meanings are those of PyTorch where it has them.
struct TrainConfig {
  std::string task{};
  std::uint32_t seed = 1;  ///< of the first weights and of the batches
  EncodingConfig encoding{};

  // ---- the model: pre-norm layers (Xiong et al. 2020), embeddings times sqrt(embed_dim)
  int layers = 2;
  int heads = 4;
  int embed_dim = 64;
  int dim_feedforward = 0;  ///< units between the two products; 0: 4 embed_dim
  NormType norm = NormType::layer_norm;
  ActivationType activation = ActivationType::gelu;
  bool causal = false;
  /// A learned logit per head, initially 0, in the softmax of every row (AttentionOptions::sinks)
  bool sinks = false;
  /// Queries and keys of each head are divided by their root mean square and multiplied by learned
  /// weights, initially 1, before the encoding (QkNorm, as in Qwen 3)
  bool qk_norm = false;
  bool tie_word_embeddings = false;  ///< logits are products with the embeddings
  std::optional<double> scale;       ///< on q.k; the encoding's own or 1 / sqrt(head_dim)
  double position_offset = 0;        ///< position of the first token
  /// Ruoss et al. 2023 (arXiv 2305.16843): each step draws, in order, a random subset of the
  /// positions 0 .. n - 1; evaluation spaces its tokens evenly over them. 0: consecutive positions
  int randomized_positions = 0;
  double table_init_std = 0.5;  ///< of a learned table that is added to the embeddings

  // ---- the batches
  int batch_size = 32;       ///< items
  int sequence_length = 32;  ///< tokens of an item
  int min_sequence_length =
      0;                 ///< each step draws a length from here to `length`; 0: all have `length`
  std::string corpus{};  ///< UTF-8, for tasks that read a text
  Tensor image{};        ///< (rows, columns, channels) in 0 .. 1, for tasks that draw one

  // ---- the optimizer
  OptimizerType optimizer = OptimizerType::adamw;
  int steps = 300;  ///< of the schedule: linear warm-up, then half a cosine
  double lr = 3e-3;
  int warmup_steps = 20;
  double min_lr_ratio = 0.05;  ///< factor on lr in the last step; 1: constant after the warm-up
  double beta1 = 0.9;
  double beta2 = 0.98;
  double eps = 1e-8;
  double weight_decay = 0;   ///< decoupled (Loshchilov and Hutter 2017); of matrices alone
  double momentum = 0;       ///< of sgd
  double max_grad_norm = 1;  ///< gradients longer than this are shortened to it; 0: none are
  double label_smoothing = 0;
  double bias_table_lr_scale = 10;  ///< factor on the learning rate of a table of biases (T5)
  /// Matrix products with the same instructions on every machine, so that a seed gives the same
  /// bits everywhere; false: with the widest available. Batches are the same in any case.
  bool portable = false;
};

/// The description of a task.
struct TaskInfo {
  std::string_view id;       ///< the name of its file
  std::string_view summary;  ///< what the model learns, in one line
  std::string_view claim;    ///< which claim it tries
  std::string_view score;    ///< what its score is: "accuracy", "nats", "perplexity", "decibels"
  bool higher_is_better = true;
};

/// Every task, sorted by id: the files of cpp/src/tasks.
std::span<const TaskInfo> tasks();

/// The fields of a config, except task, encoding, corpus and image: names, kinds, ranges,
/// summaries. Defaults are those of the task.
std::span<const ParamInfo> to_params();
/// The values of these fields; `scale` is absent if the encoding determines it.
Params train_config_fields(const TrainConfig& spec);

/// The config of a task: its defaults, changed by `params`. An unknown task or field, and a value
/// outside its range, is rejected by name. Parameters of the encoding that depend on the model are
/// set if the caller did not: the rows of a learned table, T5's max_distance and bidirectional, the
/// seed.
Result<TrainConfig> make_train_config(std::string_view task, const Params& fields = {},
                                      const EncodingConfig& encoding = {});

/// The report of some steps.
struct StepReport {
  int step = 0;          ///< how many steps were made since the beginning
  double loss = 0;       ///< the mean over these steps
  double grad_norm = 0;  ///< of the last step, before it was shortened
  double lr = 0;         ///< of the last step
};

/// The treatment of tokens beyond the last row of a learned table.
enum class OutOfRange { error, clamp };

struct EvaluateConfig {
  std::vector<int> lengths{};  ///< empty: the length of the spec
  int num_samples = 0;         ///< of each length; 0: as many as the task was proven with
  OutOfRange out_of_range = OutOfRange::error;
  bool extra_metrics =
      true;  ///< false: without what else the task measures, which may take seconds
};

/// The score of a model at one length, on samples that depend on the seed alone and that training
/// does not draw.
struct LengthScore {
  int length = 0;
  double loss = 0;   ///< nats for each target (mean squared error of an image)
  double score = 0;  ///< in the unit of the task
  /// Accuracy at each token with a target; NaN without targets
  std::vector<double> accuracy_at{};
};

struct Evaluation {
  int step = 0;
  double chance = 0;  ///< the score of guessing from how often each answer occurs
  std::vector<LengthScore> lengths{};
  OrderedMap<double> metrics{};  ///< what else the task measures: "cosine_1", "probe_error_layer_0"
};

/// Queries and keys of all heads: (layers, heads, tokens, head_dim) each.
struct QueriesAndKeys {
  Tensor q{}, k{};
};

/// A head of a layer, both from 0.
struct HeadIndex {
  int layer = 0, head = 0;
};

/// The replacement of a head's output: 0, or its mean over the tokens of the item.
enum class AblationType { zero, mean };

/// A model in training. It belongs to one thread at a time.
class Trainer {
 public:
  /// Initializes the weights. Rejects inconsistent sizes, a corpus that is empty, too short or has
  /// too many symbols, and a config whose step exceeds memory, with the number of bytes.
  static Result<std::unique_ptr<Trainer>> create(const TrainConfig& spec);
  virtual ~Trainer() = default;

  virtual const TrainConfig& spec() const = 0;
  virtual int global_step() const = 0;

  /// Makes `count` steps. A step whose loss, gradient or weights are not finite is rejected by its
  /// number and undone: weights and moments are those before it.
  virtual Result<StepReport> step(int count = 1) = 0;

  /// The score at each length. Positions beyond a learned table are rejected, or clamped to its
  /// last row.
  virtual Result<Evaluation> evaluate(const EvaluateConfig& config = {}) = 0;

  /// The weights of attention on these tokens: (layers, heads, tokens, tokens).
  virtual Result<Tensor> attention_weights(std::span<const int> tokens) = 0;
  /// Queries and keys of attention on these tokens, *before* the encoding transforms them (an
  /// encoding that is added to the embeddings is included, and qk_norm is applied), and before the
  /// factor on q.k.
  virtual Result<QueriesAndKeys> queries_and_keys(std::span<const int> tokens) = 0;
  /// A text as the tokens of the task. Rejected if the task reads no text, or a symbol is unknown.
  virtual Result<std::vector<int>> tokens(std::string_view text) const = 0;
  /// The logits after these tokens: (tokens, classes), or (1, classes) of a pooled task.
  virtual Result<Tensor> logits(std::span<const int> tokens) = 0;

  /// Replaces the outputs of these heads, before the output projection, in all later evaluations,
  /// weights of attention and logits; the next call ends it, so no heads restore the model. While
  /// heads are ablated, steps are rejected.
  virtual Status ablate_heads(std::span<const HeadIndex> heads,
                              AblationType type = AblationType::zero) = 0;
  /// K-composition (Elhage et al. 2021, A Mathematical Framework for Transformer Circuits): how
  /// much the keys of each head of `to_layer` read from what each head of `from_layer` writes,
  /// (heads of from_layer, heads of to_layer). |W_QK W_OV| / (|W_QK| |W_OV|) in Frobenius norms,
  /// with the gains of the norms; queries are `distance` positions after keys. Randomly rotated
  /// matrices have 1 / sqrt(embed_dim), as root mean square. Rejects models whose queries and keys
  /// are not linear.
  virtual Result<Tensor> k_composition(int from_layer, int to_layer, double distance = 1) = 0;

  /// All weights by PyTorch's names ("layers.0.attention.in_proj_weight"), those of the encoding as
  /// "encoding.table".
  virtual OrderedMap<Tensor> weights() const = 0;
  /// Loads weights of the same names and shapes; others are rejected by name, and nothing changes.
  virtual Status load_weights(const OrderedMap<Tensor>& weights) = 0;

  /// Everything needed to continue, as a safetensors file: weights, moments, the number of steps.
  virtual Result<std::vector<std::uint8_t>> save_checkpoint() const = 0;
  /// Continues from a checkpoint of the same config, bitwise as if training had not been
  /// interrupted. A file that is no checkpoint, or has another config, is rejected and changes
  /// nothing.
  virtual Status load_checkpoint(std::span<const std::uint8_t> checkpoint) = 0;
};

}  // namespace phasor
