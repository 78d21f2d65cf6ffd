#pragma once
// Attention of a layer, head group by head group.

#include "model/change/change_plan.h"
#include "phasor/cache.h"

namespace phasor::model {

/// Queries, keys and values of all heads of a layer, before norms and positions.
struct Projected {
  Tensor joint{}, queries{}, keys{}, values{};  ///< the memory of the views
  QkvViews views{};
};
Status project(const Weights& w, const Block& block, const Tensor& x, int threads, Projected& out);

/// These heads of x (heads, tokens, head_dim); all of them if the list is empty.
Result<Tensor> heads_of(const TensorView& x, const std::vector<int>& heads);

/// y (tokens, hidden_size): attention after its projection. weights: of all heads, or of one.
/// caches: one per group, or nullptr.
Status attend(const Weights& w, const Block& block, const LayerPlan& plan, const QkvViews& qkv,
              const RunConfig& config, std::vector<std::unique_ptr<KeyValueCache>>* caches,
              const RequestedOutputs& wanted, Tensor& y, Tensor& weights);

/// Of a layer whose heads have the same changes.
Status query_key_states(const ModelInfo& info, const LayerPlan& plan, const QkvViews& qkv,
                        QueryKeyStates& out);

}  // namespace phasor::model
