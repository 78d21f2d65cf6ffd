#pragma once
// A transformer with trainable parameters: embeddings, layers, a norm and an output layer.

#include <memory>

#include "nn/attention_block.h"
#include "nn/feed_forward.h"
#include "phasor/train.h"
#include "task_base/task.h"
#include "train/arena.h"

namespace phasor {

struct ModelSizes {
  int symbol_count = 1, class_count = 1;
  bool is_pooled = false;
  /// Number of columns of an item's grid, for encodings with two coordinates
  int grid_columns = 0;
};

/// The activations of a batch. The buffers are allocated in the first step and reused in later
/// steps.
struct Activations {
  Buffer embeddings;                     ///< (rows, embed_dim)
  std::vector<Buffer> residual_streams;  ///< residual stream after each block: (rows, embed_dim)
  std::vector<nn::SavedAttentionBlock> attention;
  std::vector<nn::SavedFeedForward> feed_forward;
  nn::AttentionWorkspace workspace;
  Buffer normed, final_norm, pooled, logits, d_stream, d_normed, scratch;
  Tensor table{}, d_table{};  ///< (tokens, channels), if the encoding is added to the embeddings
};

inline kernels::IsaLevel select_level(const TrainConfig& config) {
  return config.portable ? kernels::IsaLevel::portable : kernels::best_level();
}

class TransformerNetwork {
 public:
  /// Creates the encoding and adds all parameters to the arena. Their values are set by
  /// init_parameters().
  Status create(const TrainConfig& config, const ModelSizes& sizes, Arena& arena);
  void init_parameters(const TrainConfig& config);

  /// Sets the token positions of each item for the following passes. Rejects positions that the
  /// encoding does not support.
  Status set_positions(std::vector<double> positions, int items);
  int axis_count() const { return axes_; }
  /// The last position that a learned table has a row for; nullopt for other encodings.
  std::optional<int> last_row() const;

  /// Computes logits (rows, classes) for tokens at the positions of set_positions(). If the task is
  /// pooled, the logits are (items, classes).
  MatrixRef forward(std::span<const int> tokens, bool training, Activations& a);
  /// Accumulates the gradients of all parameters. Must follow a call of forward() with `training`,
  /// whose logits the caller has overwritten with dL/d(logits).
  void backward(std::span<const int> tokens, Activations& a);
  /// The attention weights (layers, heads, tokens, tokens) of the first item in the last forward
  /// pass, which must have been a training pass.
  Tensor attention_weights(const Activations& a) const;
  /// The queries and keys of the first item in the last forward pass, before the encoding.
  QueriesAndKeys queries_and_keys(const Activations& a) const;
  /// The residual stream (rows, embed_dim) before `layer` in the last forward pass, or after the
  /// last layer if `layer` is the number of layers.
  ConstMatrixRef residual_stream(const Activations& a, int layer) const;

  /// Ablates heads in the forward passes that follow. See Trainer::ablate_heads().
  Status ablate_heads(std::span<const HeadIndex> heads, AblationType type);
  /// Like Trainer::k_composition().
  Result<Tensor> k_composition(int from_layer, int to_layer, double distance) const;

  /// Moves the gradients of the encoding's parameters to the arena.
  void gather_gradients();
  /// Copies parameter values from the arena to the encodings.
  Status scatter_values();

  /// Size of the activations of a batch, in bytes.
  double bytes(int items, int tokens, bool training) const;

 private:
  struct LayerEntries {
    int norm1, in_proj, out_proj, norm2, up, up_bias, down, down_bias;
    /// Arena indices of optional parameters; -1 if the model does not have them
    int sinks = -1, q_norm = -1, k_norm = -1;
  };
  Status check_encoding(const TrainConfig& config) const;
  void add_layers(const TrainConfig& config, Arena& arena);
  Status add_encodings(const TrainConfig& config, Arena& arena);
  void add_options(const TrainConfig& config, Arena& arena);
  Encoding& get_encoding(std::size_t layer) const {
    return layer == 0 || layer_encodings_.empty() ? *encoding_ : *layer_encodings_[layer - 1];
  }
  int add_norm(const std::string& name, Arena& arena);
  nn::Norm make_norm(int first_entry) const;
  nn::AttentionBlock make_attention_block(std::size_t layer) const;
  nn::BatchedAttentionParams make_attention_params(std::size_t layer) const;
  nn::FeedForward make_feed_forward_block(const LayerEntries& layer) const;
  MatrixRef as_matrix(Buffer& buffer, int rows, int columns) const;
  void reserve(Activations& a, bool training) const;
  void add_table(Activations& a, const MatrixRef& x) const;
  int rows() const { return attention_params_.size.rows(); }
  int logit_rows() const { return sizes_.is_pooled ? attention_params_.size.items : rows(); }
  int layer_count() const { return static_cast<int>(layers_.size()); }

  Arena* arena_ = nullptr;
  ModelSizes sizes_;
  int embed_dim_ = 0, axes_ = 1;
  float embedding_scale_ = 1;
  nn::NormKind norm_kind_ = nn::NormKind::layer_norm;
  nn::Activation activation_ = nn::Activation::gelu;
  std::unique_ptr<Encoding> encoding_;
  /// The encodings of layers 1, 2 ... Empty if all layers share one encoding
  std::vector<std::unique_ptr<Encoding>> layer_encodings_;
  int embedding_entry_ = 0, final_norm_entry_ = 0, output_head_entry_ = 0, output_bias_entry_ = 0,
      first_option_entry_ = 0;
  bool is_tied_ = false;
  kernels::IsaLevel level_ = kernels::IsaLevel::portable;
  std::vector<LayerEntries> layers_;
  /// The indices of the ablated heads of each layer; empty if no head is ablated
  std::vector<std::vector<int>> ablated_heads_;
  AblationType ablation_ = AblationType::zero;
  struct EncodingEntry {
    Parameter* parameter;
    int arena_index;
  };
  std::vector<EncodingEntry> encoding_entries_;
  std::vector<double> positions_, repeated_positions_;
  nn::BatchedAttentionParams attention_params_;
};

}  // namespace phasor
