#pragma once
// Trains small transformers with any registered encoding. A task (cpp/src/tasks) generates batches,
// and AdamW or SGD updates the weights. A seed determines the batches: they are the same for every
// encoding and platform, and after resuming.
//
//     PHASOR_TRY_ASSIGN(const TrainConfig config,
//                       make_train_config("order", {{"seed", 1}}, {.id = "rope"}));
//     PHASOR_TRY_ASSIGN(std::unique_ptr<Trainer> trainer, Trainer::create(config));
//     PHASOR_TRY_ASSIGN(const StepReport report, trainer->step(100));     // report.loss, in nats
//     PHASOR_TRY_ASSIGN(const Evaluation evaluation, trainer->evaluate({.lengths = {16, 32}}));

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

/// The configuration of a training run: task, model and optimizer. make_train_config() sets the
/// defaults of the task; names and meanings follow PyTorch.
struct TrainConfig {
  std::string task{};
  std::uint32_t seed = 1;  ///< determines initial weights and batches
  EncodingConfig encoding{};

  // ---- model: pre-norm layers (Xiong et al. 2020); embeddings are multiplied by sqrt(embed_dim)
  int layers = 2;
  int heads = 4;
  int embed_dim = 64;
  int dim_feedforward = 0;  ///< hidden units of the feed-forward layer; 0: 4 * embed_dim
  NormType norm = NormType::layer_norm;
  ActivationType activation = ActivationType::gelu;
  bool causal = false;
  /// Each head has a learned sink (AttentionOptions::sinks), initially 0
  bool sinks = false;
  /// Applies an RMS norm with learned weights to each head's queries and keys, before the encoding
  /// (QkNorm, as in Qwen 3)
  bool qk_norm = false;
  bool tie_word_embeddings = false;  ///< the output projection shares the embedding's weight
  std::optional<double> scale;  ///< factor on q.k; default: the encoding's, or 1 / sqrt(head_dim)
  double position_offset = 0;   ///< position of the first token
  /// Number of positions from which each step draws an ascending random subset. Evaluation spaces
  /// the tokens evenly over these positions (Ruoss et al. 2023, arXiv 2305.16843). 0: consecutive
  /// positions
  int randomized_positions = 0;
  /// Standard deviation of the initial values of a learned table that is added to the embeddings
  double table_init_std = 0.5;

  // ---- the batches
  int batch_size = 32;       ///< items
  int sequence_length = 32;  ///< tokens per item
  /// The shortest length that a step may draw; the longest is sequence_length. 0: every step uses
  /// sequence_length
  int min_sequence_length = 0;
  std::string corpus{};  ///< UTF-8, for tasks that read text
  Tensor image{};        ///< (rows, columns, channels) in 0 .. 1, for the image task

  // ---- the optimizer
  OptimizerType optimizer = OptimizerType::adamw;
  int steps = 300;  ///< total steps of the schedule: linear warm-up, then cosine decay
  double lr = 3e-3;
  int warmup_steps = 20;
  /// ratio of the last step's learning rate to lr; 1: constant after the warm-up
  double min_lr_ratio = 0.05;
  double beta1 = 0.9;
  double beta2 = 0.98;
  double eps = 1e-8;
  double weight_decay = 0;   ///< decoupled (Loshchilov and Hutter 2017); applies to matrices only
  double momentum = 0;       ///< of sgd
  double max_grad_norm = 1;  ///< gradients are clipped to this norm; 0: no clipping
  double label_smoothing = 0;
  double bias_table_lr_scale = 10;  ///< learning-rate factor for bias tables (T5)
  /// If true, matrix products use the same instructions on every machine, so that results are
  /// bitwise equal. If false, they use the widest instructions available. Batches are the same in
  /// both cases.
  bool portable = false;
};

/// The description of a task.
struct TaskInfo {
  std::string_view id;       ///< the name of its file in cpp/src/tasks
  std::string_view summary;  ///< what the model learns, in one line
  std::string_view claim;    ///< the claim that the task tests
  std::string_view score;    ///< the reported metric: "accuracy", "nats", "perplexity", "decibels"
  bool higher_is_better = true;
};

/// All tasks, sorted by id. Each is defined in one file of cpp/src/tasks.
std::span<const TaskInfo> tasks();

/// Describes the fields of TrainConfig other than task, encoding, corpus and image. Their defaults
/// depend on the task.
std::span<const ParamInfo> train_config_params();
/// The values of the fields that train_config_params() lists; `scale` is absent if the encoding
/// determines it.
Params train_config_fields(const TrainConfig& config);

/// Returns the task's default config, overridden by `fields`. Rejects unknown tasks and fields, and
/// values out of range. Sets encoding parameters that depend on the model, unless the caller has
/// set them: the rows of a learned table, T5's max_distance and bidirectional, and the seed.
Result<TrainConfig> make_train_config(std::string_view task, const Params& fields = {},
                                      const EncodingConfig& encoding = {});

/// Metrics of the steps in one call to Trainer::step.
struct StepReport {
  int step = 0;          ///< number of steps since the start of training
  double loss = 0;       ///< mean over the steps of the call
  double grad_norm = 0;  ///< gradient norm of the last step, before clipping
  double lr = 0;         ///< learning rate of the last step
};

/// How an evaluation handles positions beyond the last row of a learned table.
enum class OutOfRange { error, clamp };

struct EvaluateConfig {
  std::vector<int> lengths{};  ///< empty: sequence_length
  int num_samples = 0;         ///< samples per length; 0: the default of the task
  OutOfRange out_of_range = OutOfRange::error;
  bool extra_metrics = true;  ///< false: omits the task's other metrics, which may take seconds
};

/// A model's scores at one sequence length. The samples depend only on the seed and are disjoint
/// from the training samples.
struct LengthScore {
  int length = 0;
  double loss = 0;   ///< nats per target (mean squared error for an image)
  double score = 0;  ///< in the unit of TaskInfo::score
  /// Accuracy at each token position; NaN at positions without a target
  std::vector<double> accuracy_at{};
};

struct Evaluation {
  int step = 0;
  double chance = 0;  ///< score of the best prediction that ignores the input
  std::vector<LengthScore> lengths{};
  OrderedMap<double> metrics{};  ///< other metrics of the task: "cosine_1", "probe_error_layer_0"
};

/// Queries and keys of all heads, (layers, heads, tokens, head_dim) each.
struct QueriesAndKeys {
  Tensor q{}, k{};
};

/// A head of a layer; both indices start at 0.
struct HeadIndex {
  int layer = 0, head = 0;
};

/// The value that replaces a head's output: 0, or its mean over the item's tokens.
enum class AblationType { zero, mean };

/// A model in training. Not thread-safe: use it from one thread at a time.
class Trainer {
 public:
  /// Initializes the weights. Rejects inconsistent sizes, a corpus that is empty, too short or has
  /// too many symbols, and a config that needs more memory than available.
  static Result<std::unique_ptr<Trainer>> create(const TrainConfig& config);
  virtual ~Trainer() = default;

  virtual const TrainConfig& config() const = 0;
  virtual int global_step() const = 0;

  /// Runs `count` steps. A step whose loss, gradient or weights are not finite is undone, and the
  /// error states the step's number.
  virtual Result<StepReport> step(int count = 1) = 0;

  /// Computes the score at each length. Positions beyond the last row of a learned table are
  /// rejected or clamped to that row, depending on `config.out_of_range`.
  virtual Result<Evaluation> evaluate(const EvaluateConfig& config = {}) = 0;

  /// Attention weights for these tokens: (layers, heads, tokens, tokens).
  virtual Result<Tensor> attention_weights(std::span<const int> tokens) = 0;
  /// Queries and keys for these tokens: after qk_norm, *before* the encoding transforms them, and
  /// without the factor on q.k. They include an encoding added to the embeddings.
  virtual Result<QueriesAndKeys> queries_and_keys(std::span<const int> tokens) = 0;
  /// Encodes text as the task's tokens. Fails if the task does not read text or if a symbol is
  /// unknown.
  virtual Result<std::vector<int>> tokens(std::string_view text) const = 0;
  /// The logits after these tokens: (tokens, classes), or (1, classes) for a pooled task.
  virtual Result<Tensor> logits(std::span<const int> tokens) = 0;

  /// Replaces the outputs of these heads, before the output projection, in evaluations, attention
  /// weights and logits. The ablation lasts until the next call to ablate_heads; an empty list ends
  /// it. Training steps are rejected while heads are ablated.
  virtual Status ablate_heads(std::span<const HeadIndex> heads,
                              AblationType type = AblationType::zero) = 0;
  /// K-composition (Elhage et al. 2021, A Mathematical Framework for Transformer Circuits): how
  /// much the keys of each head in `to_layer` depend on the output of each head in `from_layer`.
  /// Returns |W_QK W_OV| / (|W_QK| |W_OV|) in Frobenius norms, with shape (heads of from_layer,
  /// heads of to_layer). The matrices include the weights of the normalization layers; queries are
  /// `distance` positions after keys. Randomly rotated matrices score 1 / sqrt(embed_dim) in root
  /// mean square. Rejects models whose queries and keys are not linear.
  virtual Result<Tensor> k_composition(int from_layer, int to_layer, double distance = 1) = 0;

  /// All weights under their PyTorch names ("layers.0.attention.in_proj_weight"). Weights of the
  /// encoding have names such as "encoding.table".
  virtual OrderedMap<Tensor> weights() const = 0;
  /// Loads weights that have the names and shapes of weights(). Other weights are rejected and
  /// change nothing.
  virtual Status load_weights(const OrderedMap<Tensor>& weights) = 0;

  /// A safetensors file with everything needed to resume training: weights, moments, step count.
  virtual Result<std::vector<std::uint8_t>> save_checkpoint() const = 0;
  /// Resumes from a checkpoint of the same config. Further steps give the same bits as
  /// uninterrupted training. Files that are not checkpoints, or have another config, are rejected
  /// and change nothing.
  virtual Status load_checkpoint(std::span<const std::uint8_t> checkpoint) = 0;
};

}  // namespace phasor
