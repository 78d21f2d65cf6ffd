#pragma once
// Loads and runs published transformers. Reads a checkpoint by byte ranges, either in Hugging Face
// format (config.json and safetensors files) or as a llama.cpp GGUF file. layers_from_config
// determines positions, windows, scales, soft caps and norms of queries and keys.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/head_measures.h"
#include "phasor/params.h"
#include "phasor/result.h"
#include "phasor/tensor.h"

namespace phasor {

struct GgufHeader;

/// A safetensors or GGUF file.
struct CheckpointFile {
  std::string name{};  ///< used in error messages
  std::uint64_t size = 0;
};

/// Bytes [begin, begin + size) of the file with index `file`.
struct ByteRange {
  int file = 0;
  std::uint64_t begin = 0, size = 0;
};

struct ModelInfo {
  std::string model_type{};
  int layers = 0, heads = 0, kv_heads = 0, head_dim = 0;
  int hidden_size = 0, vocab_size = 0;
  bool causal = true;    ///< tokens do not attend to later tokens
  bool has_head = true;  ///< computes logits from hidden states
  double parameters = 0;
  double bytes = 0;  ///< memory of the weights in bytes
};

/// A predicted next token.
struct TokenPrediction {
  int id = 0;
  float log_probability = 0;  ///< natural logarithm
};

/// Keys and values of the tokens from earlier runs, like past_key_values in transformers.
class ModelCache {
 public:
  virtual ~ModelCache() = default;
  virtual int length() const = 0;
};

/// A change to positions, visible keys or head outputs. Each change applies to the result of the
/// previous ones, so a second `layout` undoes the first.
///
/// Positions that are a table added to the embeddings (BERT, GPT-2) precede all layers: `none`,
/// `shift`, `order` and `params` change the table, and `layers` and `heads` must be empty.
/// Otherwise, layers without positions are skipped, or rejected if `layers` includes them. Rejects
/// changes that do not apply to a layer's encoding, and fields that the kind does not use; errors
/// name them.
struct PositionChange {
  enum class Kind {
    none,    ///< removes positions: the encoding `none`, at the same scale
    shift,   ///< adds `shift` to every position
    order,   ///< token t takes the position of order[t]; masks and windows still use token indices
    params,  ///< replaces parameters of the encoding with `params`: base, scaling, factor ...
    layout,  ///< rope: swaps half_split and interleaved
    clip,    ///< rope: distances above `clip` become `clip` (ReRoPE, `remap` of rope)
    still,   ///< rope: channel pairs [pairs_begin, pairs_end) do not rotate
    drop,    ///< rope: zeroes these channel pairs of queries, which removes them from the scores
    window,  ///< replaces the layer's window with `window`
    zero_ablation,  ///< sets the heads' outputs, before the output projection, to 0
    mean_ablation,  ///< sets the heads' outputs to their mean over the tokens of the run
    skip,  ///< whole layers: attention adds nothing to the residual stream, not even biases
  };

  Kind kind = Kind::none;
  std::vector<int> layers{};  ///< from 0; empty: all
  std::vector<int> heads{};   ///< query heads, from 0; empty: all
  double shift = 0;
  /// A permutation of the run's positions, or of the first positions in a cache; later tokens keep
  /// their positions
  std::vector<int> order{};
  /// Parameters that only applied to a replaced choice, such as a previous scaling type, are
  /// dropped. Scaling types that use original_length require it here or in the layer;
  /// sequence_length defaults to the length of the input, or of the cache for dynamic_ntk
  Params params{};
  int clip = 0;  ///< at least 1
  int pairs_begin = 0, pairs_end = 0;
  std::optional<int> window{};  ///< absent: no window
};

struct RunConfig {
  /// (tokens); 0 hides a token, such as padding, from all others; empty: all are visible. Hidden
  /// tokens still have positions
  std::vector<std::uint8_t> attention_mask{};
  /// (tokens), for encoders with segment embeddings; empty: all 0
  std::vector<int> token_type_ids{};
  bool output_hidden_states = false;
  bool output_attentions = false;  ///< for all layers and heads
  /// Requires at least two tokens, all of them visible, and no cache. Attention weights are stored
  /// for only one head at a time
  bool output_head_measures = false;
  bool output_logits = true;
  bool output_loss = true;  ///< computes log_probabilities and loss of causal models
  /// Number of most probable next tokens to return per token; 0: none
  int top_k = 0;
  /// Number of tokens at the end of the input for which logits, predictions and loss are computed;
  /// 0: all tokens
  int logits_to_keep = 0;
  /// The cache of the preceding tokens, to which the run appends its tokens; nullptr: no cache
  ModelCache* cache = nullptr;
  std::vector<PositionChange> changes{};  ///< must be empty with a cache, which has its own changes
  /// From 1 to 256; results are bitwise equal for any number of threads. With a cache, attention
  /// uses the cache's number of threads
  int threads = 1;
};

/// Like ModelOutput in transformers.
struct ModelOutput {
  Tensor logits{};             ///< (kept tokens, vocab_size); empty without a head
  Tensor last_hidden_state{};  ///< (tokens, hidden_size)
  /// layers + 1 tensors (tokens, hidden_size): the input of each layer, then last_hidden_state
  std::vector<Tensor> hidden_states{};
  std::vector<Tensor> attentions{};  ///< per layer, (heads, tokens, keys)
  /// Causal models only, (kept tokens - 1): natural log-probability of each next token
  std::vector<double> log_probabilities{};
  std::optional<double> loss{};                             ///< mean of -log_probabilities
  std::vector<std::vector<TokenPrediction>> predictions{};  ///< per token, most probable first
  std::optional<HeadMeasures> head_measures{};
};

struct GenerateConfig {
  int max_new_tokens = 20;
  std::optional<int> eos_token_id{};  ///< generation stops after this token
  std::vector<PositionChange> changes{};
  int threads = 1;
};

/// A model in memory. Threads may share it; each run allocates its own working memory.
class Model {
 public:
  virtual ~Model() = default;
  virtual const ModelInfo& info() const = 0;
  /// Runs the model on token ids in [0, vocab_size).
  virtual Result<ModelOutput> run(std::span<const int> input_ids,
                                  const RunConfig& config) const = 0;
  /// The attention weights of one head, or of all heads, in one layer: (heads, tokens, keys).
  virtual Result<Tensor> attention_weights(std::span<const int> input_ids, int layer,
                                           std::optional<int> head,
                                           const RunConfig& config) const = 0;
  /// Queries and keys of one layer. Rejects changes that differ between heads.
  virtual Result<QueryKeyStates> query_key_states(std::span<const int> input_ids, int layer,
                                                  const RunConfig& config) const = 0;
  /// Creates a cache for at most `max_length` tokens of a causal model. Runs with the cache apply
  /// `changes`, and use `threads` threads for attention. Beyond the original context, longrope
  /// recomputes the keys of all tokens, as transformers does for Phi-3, and dynamic scaling is
  /// rejected. A failed run leaves the cache unchanged.
  virtual Result<std::unique_ptr<ModelCache>> create_cache(
      int max_length, std::span<const PositionChange> changes = {}, int threads = 1) const = 0;
  /// Greedy decoding: returns the new tokens, the most probable one at each step.
  virtual Result<std::vector<int>> generate(std::span<const int> input_ids,
                                            const GenerateConfig& config) const = 0;
};

struct LossByLengthConfig {
  std::vector<int> lengths{};     ///< tokens per window, including the prefix
  std::vector<int> prefix_ids{};  ///< tokens at the start of every window, such as <bos>
  int max_windows = 8;            ///< per length
  std::vector<PositionChange> changes{};
  int threads = 1;
};

struct LengthLoss {
  int length = 0;
  int windows = 0;
  double loss = 0;  ///< mean over the predicted tokens of all windows, except the prefix
};

/// Computes the loss of a causal model on consecutive windows of a text, for each of several window
/// lengths. Windows may be longer than the training length, but must fit in the text.
Result<std::vector<LengthLoss>> loss_by_length(const Model& model, std::span<const int> input_ids,
                                               const LossByLengthConfig& config);

/// Loads a checkpoint in parts: read the byte range that `next_range` returns, pass its bytes to
/// `add_bytes`, and repeat until `next_range` returns nullopt. F32, BF16 and F16 weights keep their
/// format; block-quantised ones are converted to 8-bit blocks (Int8Blocks in gguf.h). Uses at most
/// 8 MiB besides the weights, plus the header until the first weight is read.
///
/// Rejects unknown families, configs with missing or unused keys, tensors that are missing,
/// unknown, duplicated or of another shape or format, and non-finite values; errors name them.
class ModelLoader {
 public:
  /// Creates a loader for safetensors files. `config` contains the keys of config.json, as in
  /// layers_from_config.
  static Result<std::unique_ptr<ModelLoader>> create(const Params& config,
                                                     std::vector<CheckpointFile> files);
  /// Creates a loader for a GGUF file, which includes its config.
  static Result<std::unique_ptr<ModelLoader>> create_gguf(CheckpointFile file);
  virtual ~ModelLoader() = default;

  /// The next byte range to read; nullopt after the last.
  virtual std::optional<ByteRange> next_range() const = 0;
  /// Adds the bytes of the range that `next_range` returned. After an error the loader is unusable.
  virtual Status add_bytes(std::span<const std::uint8_t> bytes) = 0;
  /// Information about the model; nullopt until the headers of all files are read.
  virtual std::optional<ModelInfo> info() const = 0;
  /// The header of a GGUF file; nullptr before it is read, and for safetensors files. Valid during
  /// the loader's lifetime. Its metadata contains the byte ranges of the vocabulary.
  virtual const GgufHeader* gguf_header() const = 0;
  /// Returns the model. Call this after `next_range` returns nullopt.
  virtual Result<std::unique_ptr<Model>> finish() = 0;
};

/// The keys of a config.json, as expected by layers_from_config and ModelLoader: paths joined by
/// dots, lists of numbers as tensors, lists of strings as one comma-separated string, null as a
/// tensor of rank 0.
Result<Params> config_from_json(std::string_view json);

/// Opens a GGUF file, or a folder with config.json and model.safetensors (or several files and
/// model.safetensors.index.json).
Result<std::unique_ptr<Model>> open_model(const std::string& path);

}  // namespace phasor
