#pragma once
// Computes measures of heads from the weights and scores of one head at a time.

#include "model/change/change_plan.h"

namespace phasor::model {

/// Rejects texts that cannot be measured, and allocates the measures of all layers.
Status begin_measures(const Weights& w, std::span<const int> ids, const RunConfig& config,
                      HeadMeasures& out);
/// Measures the heads of layer `layer`.
Status measure_heads(const ModelInfo& info, const LayerPlan& plan, const QkvViews& qkv,
                     std::span<const int> ids, int layer, HeadMeasures& out);

}  // namespace phasor::model
