#pragma once
// Computes a layer's attention, one head group at a time.

#include "model/change/change_plan.h"
#include "phasor/cache.h"

namespace phasor::model {

/// The queries, keys and values of a layer, before norms and positions are applied.
struct Projections {
  Tensor fused_qkv{}, queries{}, keys{}, values{};  ///< the tensors that `views` points into
  QkvViews views{};
};
Status project(const Weights& w, const LayerWeights& block, const Tensor& x, int threads,
               Projections& out);

/// Copies the given heads of x (heads, tokens, head_dim). An empty list selects all heads.
Result<Tensor> select_heads(const TensorView& x, const std::vector<int>& heads);

/// One cache per head group of a layer.
using GroupCaches = std::vector<std::unique_ptr<KeyValueCache>>;

/// Computes the attention of a layer, including the output projection, and writes it to y (tokens,
/// hidden_size). `weights` receives the attention weights of all heads, or of the requested one.
/// `caches` is nullptr if the run has no cache.
Status attend(const Weights& w, const LayerWeights& block, const LayerPlan& plan,
              const QkvViews& qkv, const RunConfig& config, GroupCaches* caches,
              const RequestedOutputs& requested_outputs, Tensor& y, Tensor& weights);

/// Computes queries and keys before and after the encoding. Rejects a layer whose heads have
/// different changes.
Status compute_query_key_states(const ModelInfo& info, const LayerPlan& plan, const QkvViews& qkv,
                                QueryKeyStates& out);

}  // namespace phasor::model
