#pragma once
// The forward pass: from token ids to hidden states, logits and predictions.

#include "model/run/attend.h"
#include "model/weights.h"

namespace phasor::model {

/// Which per-head arrays a run returns: attention weights of all layers or of one, or queries and
/// keys of one layer. A run without a cache ends after `layer` if only that layer is requested.
struct RequestedHeads {
  bool output_all_layers = false, output_measures = false;
  std::optional<int> layer{}, head{};
  QueryKeyStates* states = nullptr;
};

/// Key-value caches that hold `length` tokens. Each layer has one cache per head group.
struct LayerCaches {
  int length = 0;
  std::vector<GroupCaches> layers{};
};

/// Maps x (rows, in_features) to (rows, out_features).
Tensor linear(const Linear& layer, const ConstMatrixRef& x, int threads);
/// Adds `bias` to each row of y, unless it is empty.
void add_bias(const std::vector<float>& bias, Tensor& y);
/// Returns x unchanged if the model has no such norm.
Tensor apply_norm(const Weights& w, const NormWeights& norm, const Tensor& x);
/// Computes y = activation(x), with the shape of x. The contents of x are overwritten.
void apply_activation(Activation activation, Tensor& x, Tensor& y);

/// Runs all layers and sets x (tokens, hidden_size) to the output of the final norm. Appends hidden
/// states and attention weights to `out`. The arguments must be valid. `caches` contains the keys
/// of earlier tokens, or is nullptr if the run has no cache.
Status forward(const Weights& w, std::span<const int> ids, const RunConfig& config,
               const ChangePlan& plan, const RequestedHeads& requested_heads, LayerCaches* caches,
               ModelOutput& out, Tensor& x);

/// Maps hidden states x (rows, hidden_size) to logits (rows, vocab_size).
Tensor compute_logits(const Weights& w, const ConstMatrixRef& x, int threads);
/// Computes logits, log-probabilities, loss and predictions from hidden states x (tokens,
/// hidden_size).
Status add_predictions(const Weights& w, std::span<const int> ids, const Tensor& x,
                       const RunConfig& config, ModelOutput& out);

}  // namespace phasor::model
