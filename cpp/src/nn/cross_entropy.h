#pragma once
// torch.nn.functional.cross_entropy, reduction "mean" over the targets that are not ignored.

#include <span>

#include "phasor/tensor.h"

namespace phasor::nn {

/// The target of a token without loss.
inline constexpr int kIgnored = -100;

struct CrossEntropy {
  double sum = 0;  ///< sum of the losses, in nats
  int counted = 0;
  /// 0 if all targets are ignored
  double mean() const { return counted > 0 ? sum / counted : 0; }
};

/// The loss -log softmax(logits)[target] of each row. With label smoothing e (Szegedy et al. 2016),
/// it is (1 - e) times that loss plus e times the mean loss over all classes. logits (rows,
/// classes); targets (rows) are classes or kIgnored. d_logits (rows, classes), unless its data is
/// null, is the gradient of the mean; it may be logits itself.
CrossEntropy cross_entropy(const ConstMatrixRef& logits, std::span<const int> targets,
                           double label_smoothing, const MatrixRef& d_logits);

}  // namespace phasor::nn
