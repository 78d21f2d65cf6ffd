#pragma once
// The layers of a transformer: from token ids to hidden states.

#include "model/attend.h"
#include "model/weights.h"

namespace phasor::model {

/// The parts of heads that a run returns: the weights of all layers, or of one, or its queries and
/// keys; a run for one layer ends there, unless a cache needs the others.
struct RequestedHeads {
  bool all = false, measures = false;
  std::optional<int> layer{}, head{};
  QueryKeyStates* states = nullptr;
};

/// The keys of `length` tokens: one cache per group of heads of each layer.
struct LayerCaches {
  int length = 0;
  std::vector<GroupCaches> layers{};
};

/// x (rows, in_features) -> (rows, out_features)
Tensor linear(const Linear& layer, const ConstMatrixRef& x, int threads);
/// Adds a bias to each row; an empty one has no effect.
void add_bias(const std::vector<float>& bias, Tensor& y);
/// x itself where there is no norm.
Tensor normalised(const Weights& w, const NormWeights& norm, const Tensor& x);
/// y = activation(x), of the same shape; x is overwritten.
void apply(Activation activation, Tensor& x, Tensor& y);

/// x (tokens, hidden_size) after all layers and the last norm; hidden states and attention weights
/// are added to `out`. The ids and the config are checked. keys: of the tokens before, or nullptr.
Status forward(const Weights& w, std::span<const int> ids, const RunConfig& config,
               const ChangePlan& plan, const RequestedHeads& wanted, LayerCaches* keys,
               ModelOutput& out, Tensor& x);

}  // namespace phasor::model
