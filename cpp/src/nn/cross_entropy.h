#pragma once
// Cross entropy as in torch.nn.functional.cross_entropy, with reduction "mean" and ignore_index.

#include <span>

#include "phasor/tensor.h"

namespace phasor::nn {

/// A target that does not contribute to the loss.
inline constexpr int kIgnored = -100;

struct CrossEntropy {
  double sum = 0;  ///< sum of the losses, in nats
  int target_count = 0;
  double mean() const { return target_count > 0 ? sum / target_count : 0; }
};

/// The loss of a row is -log softmax(logits)[target]. With label smoothing e (Szegedy et al. 2016),
/// it is (1 - e) times that, plus e times the mean loss over all classes. logits (rows, classes);
/// targets (rows) are classes or kIgnored. d_logits (rows, classes) becomes the gradient of the
/// mean, unless d_logits.data is nullptr. It may be the same matrix as logits.
CrossEntropy cross_entropy(const ConstMatrixRef& logits, std::span<const int> targets,
                           double label_smoothing, const MatrixRef& d_logits);

}  // namespace phasor::nn
