#include "train/trainable.h"

#include "core/format_error.h"

namespace phasor {

Result<Tensor> Learner::attention_weights(std::span<const int>) {
  return invalid("tokens: a network of coordinates has no attention");
}

Result<QueriesAndKeys> Learner::queries_and_keys(std::span<const int>) {
  return invalid("tokens: a network of coordinates has no attention");
}

Status Learner::ablate_heads(std::span<const HeadIndex>, AblationType) {
  return invalid("heads: a network of coordinates has no attention");
}

Result<Tensor> Learner::k_composition(int, int, double) {
  return invalid("fromLayer: a network of coordinates has no attention");
}

Result<Tensor> Learner::logits(std::span<const int>) {
  return invalid("tokens: a network of coordinates reads none");
}

Result<std::vector<int>> Learner::tokens(std::string_view) const {
  return invalid("text: this task reads none");
}

}  // namespace phasor
