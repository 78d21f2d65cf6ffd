#include "train/trainable.h"

#include "core/format_error.h"

namespace phasor {

Result<Tensor> TrainableModel::attention_weights(std::span<const int>) {
  return invalid("tokens: the image network has no attention");
}

Result<QueriesAndKeys> TrainableModel::queries_and_keys(std::span<const int>) {
  return invalid("tokens: the image network has no attention");
}

Status TrainableModel::ablate_heads(std::span<const HeadIndex>, AblationType) {
  return invalid("heads: the image network has no attention");
}

Result<Tensor> TrainableModel::k_composition(int, int, double) {
  return invalid("fromLayer: the image network has no attention");
}

Result<Tensor> TrainableModel::logits(std::span<const int>) {
  return invalid("tokens: the image network has no tokens");
}

Result<std::vector<int>> TrainableModel::tokenize(std::string_view) const {
  return invalid("text: this task does not use text");
}

}  // namespace phasor
