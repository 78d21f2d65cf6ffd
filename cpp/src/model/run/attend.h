#pragma once
// Attention of a layer, one group of heads after the other.

#include "model/change/change_plan.h"
#include "phasor/cache.h"

namespace phasor::model {

/// Queries, keys and values of all heads of a layer, before norms and positions.
struct Projected {
  Tensor fused{}, queries{}, keys{}, values{};  ///< own the memory that the views refer to
  QkvViews views{};
};
Status project(const Weights& w, const Block& block, const Tensor& x, int threads, Projected& out);

/// These heads of x (heads, tokens, head_dim); all of them if the list is empty.
Result<Tensor> heads_of(const TensorView& x, const std::vector<int>& heads);

/// One cache per group of heads of a layer.
using GroupCaches = std::vector<std::unique_ptr<KeyValueCache>>;

/// Computes attention of a layer and its output projection: y (tokens, hidden_size). `weights`
/// receives the weights of all heads, or of one. `caches`: nullptr without a cache.
Status attend(const Weights& w, const Block& block, const LayerPlan& plan, const QkvViews& qkv,
              const RunConfig& config, GroupCaches* caches, const RequestedOutputs& wanted,
              Tensor& y, Tensor& weights);

/// Queries and keys before and after the encoding. Rejects layers whose heads have different
/// changes.
Status query_key_states(const ModelInfo& info, const LayerPlan& plan, const QkvViews& qkv,
                        QueryKeyStates& out);

}  // namespace phasor::model
