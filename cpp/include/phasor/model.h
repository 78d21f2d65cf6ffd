#pragma once
// Published transformers: a checkpoint in the layout of Hugging Face, its config.json and its
// safetensors files, or a GGUF file of llama.cpp is read by byte ranges and run. Positions,
// windows, scales, soft caps and norms of queries and keys of each layer are those of
// layers_from_config.

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
  std::string name{};  ///< for errors
  std::uint64_t size = 0;
};

/// Bytes [begin, begin + size) of file number `file`.
struct ByteRange {
  int file = 0;
  std::uint64_t begin = 0, size = 0;
};

struct ModelInfo {
  std::string model_type{};
  int layers = 0, heads = 0, kv_heads = 0, head_dim = 0;
  int hidden_size = 0, vocab_size = 0;
  bool causal = true;    ///< a token sees no later one
  bool has_head = true;  ///< hidden states become logits
  double parameters = 0;
  double bytes = 0;  ///< of the weights in memory
};

/// The prediction of the next token.
struct TokenPrediction {
  int id = 0;
  float log_probability = 0;  ///< natural
};

/// Keys and values of the tokens of earlier runs (past_key_values of transformers).
class ModelCache {
 public:
  virtual ~ModelCache() = default;
  virtual int length() const = 0;
};

/// A change of what heads know of positions, of what they see, or of what they add. Changes apply
/// in their order, each to the result of those before it; a second `layout` undoes the first.
///
/// Positions that are a table added to the embeddings (BERT, GPT-2) precede all layers: `none`,
/// `shift`, `order` and `params` change the table, and layers and heads have to be empty. Otherwise
/// a layer without positions is passed over, unless `layers` names it. A change without
/// a meaning for the encoding of a layer is rejected by its name, and so is a field of another
/// kind.
struct PositionChange {
  enum class Kind {
    none,    ///< no positions: the encoding `none`, at the same scale
    shift,   ///< every position is larger by `shift`
    order,   ///< token t takes the position of order[t]; masks and windows still count tokens
    params,  ///< `params` replace parameters of the encoding: base, scaling, factor ...
    layout,  ///< of rope: half_split becomes interleaved, interleaved half_split
    clip,    ///< of rope: distances above `clip` are `clip` (ReRoPE, `remap` of rope)
    still,   ///< of rope: the pairs [pairs_begin, pairs_end) do not rotate
    drop,    ///< of rope: these pairs of queries are 0, and add nothing to a score
    window,  ///< `window` replaces the window of the layer
    zero_ablation,  ///< the output of heads before its projection is 0
    mean_ablation,  ///< that output is its mean over the tokens of the run
    skip,           ///< attention of whole layers adds nothing, not even biases
  };

  Kind kind = Kind::none;
  std::vector<int> layers{};  ///< from 0; empty: all
  std::vector<int> heads{};   ///< query heads, from 0; empty: all
  double shift = 0;
  /// A permutation of the positions of the run. With a cache, of the first positions; later tokens
  /// are at their own
  std::vector<int> order{};
  /// Parameters that only another choice than the new one reads are dropped, as those of an earlier
  /// scaling. Types of scaling that read original_length need it here or in the layer;
  /// sequence_length is the length of the text, or, of dynamic_ntk, of the cache, unless set
  Params params{};
  int clip = 0;  ///< at least 1
  int pairs_begin = 0, pairs_end = 0;
  std::optional<int> window{};  ///< absent: everything that the mask shows is visible
};

struct RunConfig {
  /// (tokens); 0 hides a token from all others, as padding behind a text; empty: all are visible.
  /// Positions count hidden tokens too
  std::vector<std::uint8_t> attention_mask{};
  /// (tokens), of encoders with segment embeddings; empty: 0
  std::vector<int> token_type_ids{};
  bool output_hidden_states = false;
  bool output_attentions = false;  ///< of all layers and heads
  /// At least two tokens, all visible, without a cache. Holds the weights of one head at a time
  bool output_head_measures = false;
  bool output_logits = true;
  bool output_loss = true;  ///< of a causal model: log_probabilities and loss
  /// The most probable next tokens of every token; 0: none
  int top_k = 0;
  /// Logits, predictions and loss of the last tokens alone; 0: of all
  int logits_to_keep = 0;
  /// The tokens continue those of the cache, which then holds them too; nullptr: a text of its own
  ModelCache* cache = nullptr;
  std::vector<PositionChange> changes{};  ///< of a run without a cache, which has its own
  /// From 1 to 256; the same bits for any number. A cache has its own for attention
  int threads = 1;
};

/// As ModelOutput of transformers.
struct ModelOutput {
  Tensor logits{};             ///< (kept tokens, vocab_size); empty without a head
  Tensor last_hidden_state{};  ///< (tokens, hidden_size)
  /// layers + 1 of (tokens, hidden_size): the input of each layer, and at last last_hidden_state
  std::vector<Tensor> hidden_states{};
  std::vector<Tensor> attentions{};  ///< of each layer, (heads, tokens, keys)
  /// Of a causal model, (kept tokens - 1): the natural logarithm of the probability of each next
  /// token
  std::vector<double> log_probabilities{};
  std::optional<double> loss{};                             ///< their mean, negated
  std::vector<std::vector<TokenPrediction>> predictions{};  ///< of each token, the largest first
  std::optional<HeadMeasures> head_measures{};
};

struct GenerateConfig {
  int max_new_tokens = 20;
  std::optional<int> eos_token_id{};  ///< generation ends after it
  std::vector<PositionChange> changes{};
  int threads = 1;
};

/// A model in memory. Threads may share it; each run allocates its own working memory.
class Model {
 public:
  virtual ~Model() = default;
  virtual const ModelInfo& info() const = 0;
  /// Runs the model on the ids of a text, each in [0, vocab_size).
  virtual Result<ModelOutput> run(std::span<const int> input_ids,
                                  const RunConfig& config) const = 0;
  /// The weights of one head, or of all, in one layer: (heads, tokens, keys).
  virtual Result<Tensor> attention_weights(std::span<const int> input_ids, int layer,
                                           std::optional<int> head,
                                           const RunConfig& config) const = 0;
  /// Rejects changes that differ between the heads of the layer.
  virtual Result<QueryKeyStates> query_key_states(std::span<const int> input_ids, int layer,
                                                  const RunConfig& config) const = 0;
  /// A cache for at most so many tokens; of causal models. Runs with it have these changes, and
  /// their attention as many threads. A run that takes the text beyond the original context of
  /// longrope computes the keys of all its tokens again, as transformers does for Phi-3; beyond
  /// that of `dynamic` a cache is rejected. An error leaves it as it was.
  virtual Result<std::unique_ptr<ModelCache>> create_cache(
      int max_length, std::span<const PositionChange> changes = {}, int threads = 1) const = 0;
  /// The new tokens, the most probable one at each step.
  virtual Result<std::vector<int>> generate(std::span<const int> input_ids,
                                            const GenerateConfig& config) const = 0;
};

struct LossByLengthConfig {
  std::vector<int> lengths{};     ///< tokens of a window, its prefix included
  std::vector<int> prefix_ids{};  ///< the first tokens of every window, such as <bos>
  int max_windows = 8;            ///< for one length
  std::vector<PositionChange> changes{};
  int threads = 1;
};

struct LengthLoss {
  int length = 0;
  int windows = 0;
  double loss = 0;  ///< the mean over all predictions of tokens of the text
};

/// The loss of a causal model on consecutive windows of a text, for each of several lengths: beyond
/// the length of its training, and with changes. Rejects lengths that the text does not fill once.
Result<std::vector<LengthLoss>> loss_by_length(const Model& model, std::span<const int> input_ids,
                                               const LossByLengthConfig& config);

/// Reads a checkpoint piece by piece: the caller reads the bytes that `wants` names and passes them
/// to `give`, until there are none. Weights of F32, BF16 and F16 stay in their format; those of
/// blocks become blocks of 8 bits (Int8Blocks of gguf.h). Beside the weights at most 8 MiB are
/// held; before there are any, also the header.
///
/// Rejected by name: a family that is not known, a config without a needed key or with a key that
/// nothing reads, a tensor that is missing, unknown, twice there, of another shape or format, and
/// a number that is not finite.
class ModelLoader {
 public:
  /// Of safetensors files. config: as layers_from_config takes it.
  static Result<std::unique_ptr<ModelLoader>> create(const Params& config,
                                                     std::vector<CheckpointFile> files);
  /// Of a GGUF file, which has its configuration.
  static Result<std::unique_ptr<ModelLoader>> create_gguf(CheckpointFile file);
  virtual ~ModelLoader() = default;

  /// The next bytes; nothing when all were given.
  virtual std::optional<ByteRange> wants() const = 0;
  /// The bytes of the range that `wants` names. After an error the loader is of no further use.
  virtual Status give(std::span<const std::uint8_t> bytes) = 0;
  /// What is known of the model once the headers of all files are read, before its weights are.
  virtual std::optional<ModelInfo> info() const = 0;
  /// The header of a GGUF, as long as the loader lives; nullptr of safetensors files, and before it
  /// is read. Its metadata has the places of the vocabulary in the file.
  virtual const GgufHeader* gguf_header() const = 0;
  /// The model, when nothing is wanted any more.
  virtual Result<std::unique_ptr<Model>> finish() = 0;
};

/// The keys of a config.json as layers_from_config and ModelLoader take them: paths joined by dots,
/// lists of numbers as tensors, lists of words as one text, null as a tensor of rank 0.
Result<Params> config_from_json(std::string_view json);

/// Reads a GGUF file; or a folder with a config.json and model.safetensors, or with several files
/// and model.safetensors.index.json.
Result<std::unique_ptr<Model>> open_model(const std::string& path);

}  // namespace phasor
