#pragma once
// The forward pass: from token ids to hidden states, logits and predictions.

#include "model/run/attend.h"
#include "model/weights.h"

namespace phasor::model {

/// The per-head arrays to return: attention weights of all layers or of one, or queries and keys of
/// one layer. A run for one layer stops after that layer, unless a cache needs the others.
struct RequestedHeads {
  bool all = false, measures = false;
  std::optional<int> layer{}, head{};
  QueryKeyStates* states = nullptr;
};

/// The keys of `length` tokens: one cache per head group of each layer.
struct LayerCaches {
  int length = 0;
  std::vector<GroupCaches> layers{};
};

/// x (rows, in_features) -> (rows, out_features)
Tensor linear(const Linear& layer, const ConstMatrixRef& x, int threads);
/// Adds a bias, unless it is empty, to each row of y.
void add_bias(const std::vector<float>& bias, Tensor& y);
/// Returns x if there is no norm.
Tensor apply_norm(const Weights& w, const NormWeights& norm, const Tensor& x);
/// y = activation(x), with the same shape; x is overwritten.
void apply_activation(Activation activation, Tensor& x, Tensor& y);

/// x (tokens, hidden_size) after all layers and the final norm; appends hidden states and attention
/// weights to `out`. Inputs are already validated. `caches` has the keys of earlier tokens, or is
/// nullptr.
Status forward(const Weights& w, std::span<const int> ids, const RunConfig& config,
               const ChangePlan& plan, const RequestedHeads& requested, LayerCaches* caches,
               ModelOutput& out, Tensor& x);

/// x (rows, hidden_size) -> (rows, vocab_size)
Tensor compute_logits(const Weights& w, const ConstMatrixRef& x, int threads);
/// Adds logits, log-probabilities, loss and predictions of hidden states x (tokens, hidden_size).
Status add_predictions(const Weights& w, std::span<const int> ids, const Tensor& x,
                       const RunConfig& config, ModelOutput& out);

}  // namespace phasor::model
