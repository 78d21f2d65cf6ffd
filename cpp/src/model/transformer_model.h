#pragma once
// The model behind phasor/model.h.

#include "model/weights.h"

namespace phasor::model {

std::unique_ptr<Model> create_model(std::unique_ptr<const Weights> weights);

}  // namespace phasor::model
