#pragma once
// Computes attention of a layer, one head group at a time.

#include "model/change/change_plan.h"
#include "phasor/cache.h"

namespace phasor::model {

/// A layer's queries, keys and values, before norms and positions.
struct Projections {
  Tensor fused_qkv{}, queries{}, keys{}, values{};  ///< `views` refers to these tensors
  QkvViews views{};
};
Status project(const Weights& w, const LayerWeights& block, const Tensor& x, int threads,
               Projections& out);

/// A copy of the given heads of x (heads, tokens, head_dim), or of all if the list is empty.
Result<Tensor> select_heads(const TensorView& x, const std::vector<int>& heads);

/// One cache per head group of a layer.
using GroupCaches = std::vector<std::unique_ptr<KeyValueCache>>;

/// y (tokens, hidden_size) = the output projection of a layer's attention. `weights` becomes the
/// attention weights of all heads, or of the requested one. `caches` is nullptr without a cache.
Status attend(const Weights& w, const LayerWeights& block, const LayerPlan& plan,
              const QkvViews& qkv, const RunConfig& config, GroupCaches* caches,
              const RequestedOutputs& requested_outputs, Tensor& y, Tensor& weights);

/// Queries and keys before and after the encoding. Rejects layers with different changes per head.
Status compute_query_key_states(const ModelInfo& info, const LayerPlan& plan, const QkvViews& qkv,
                                QueryKeyStates& out);

}  // namespace phasor::model
