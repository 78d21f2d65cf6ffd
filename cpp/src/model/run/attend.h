#pragma once
// Attention of a layer, one group of heads after the other.

#include "model/change/change_plan.h"
#include "phasor/cache.h"

namespace phasor::model {

/// Queries, keys and values of all heads of a layer, before norms and positions.
struct Projections {
  Tensor fused{}, queries{}, keys{}, values{};  ///< the memory to which the views refer
  QkvViews views{};
};
Status project(const Weights& w, const LayerWeights& block, const Tensor& x, int threads,
               Projections& out);

/// Copies some heads of x (heads, tokens, head_dim); all heads if the list is empty.
Result<Tensor> select_heads(const TensorView& x, const std::vector<int>& heads);

/// One cache per head group of a layer.
using GroupCaches = std::vector<std::unique_ptr<KeyValueCache>>;

/// Computes attention of a layer and its output projection: y (tokens, hidden_size). `weights`
/// receives the weights of all heads, or of one head. `caches` is nullptr without a cache.
Status attend(const Weights& w, const LayerWeights& block, const LayerPlan& plan,
              const QkvViews& qkv, const RunConfig& config, GroupCaches* caches,
              const RequestedOutputs& requested, Tensor& y, Tensor& weights);

/// Queries and keys before and after the encoding. Rejects layers whose heads have different
/// changes.
Status compute_query_key_states(const ModelInfo& info, const LayerPlan& plan, const QkvViews& qkv,
                                QueryKeyStates& out);

}  // namespace phasor::model
