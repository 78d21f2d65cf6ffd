#pragma once
// From hidden states to logits, and what follows from them.

#include "model/weights.h"

namespace phasor::model {

/// x (rows, hidden_size) -> (rows, vocab_size)
Tensor logits(const Weights& w, const ConstMatrixRef& x, int threads);
/// Logits, log-probabilities, loss and predictions of hidden states (tokens, hidden_size).
Status add_predictions(const Weights& w, std::span<const int> ids, const Tensor& x,
                       const RunConfig& config, ModelOutput& out);

}  // namespace phasor::model
