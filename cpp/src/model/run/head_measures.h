#pragma once
// Computes a model's head measures. Keeps the attention weights and scores of only one head at a
// time in memory.

#include "model/change/change_plan.h"

namespace phasor::model {

/// Allocates the measures of all layers in `out`. Rejects runs that use a cache, hide tokens or
/// have fewer than 2 tokens.
Status begin_measures(const Weights& w, std::span<const int> ids, const RunConfig& config,
                      HeadMeasures& out);
Status measure_heads(const ModelInfo& info, const LayerPlan& plan, const QkvViews& qkv,
                     std::span<const int> ids, int layer, HeadMeasures& out);

}  // namespace phasor::model
