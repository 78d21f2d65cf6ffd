#include "nn/cross_entropy.h"

#include <algorithm>
#include <cmath>

#include "kernels/kernels.h"
#include "kernels/vector_ops.h"

namespace phasor::nn {

CrossEntropy cross_entropy(const ConstMatrixRef& logits, std::span<const int> targets,
                           double label_smoothing, const MatrixRef& d_logits) {
  CrossEntropy out;
  for (const int target : targets) out.target_count += target != kIgnored ? 1 : 0;
  const int class_count = logits.columns;
  const double row_weight = out.target_count > 0 ? 1.0 / out.target_count : 0,
               smoothing_per_class = label_smoothing / class_count;
  std::vector<float> scratch(d_logits.data == nullptr ? static_cast<std::size_t>(class_count) : 0);
  int r = 0;
  for (const int target : targets) {
    const float* row = logits.row(r);
    float* p = d_logits.data == nullptr ? scratch.data() : d_logits.row(r);
    ++r;
    if (target == kIgnored) {
      kernels::fill(p, 0, class_count);
      continue;
    }
    const float maximum = kernels::active::row_max(row, class_count);
    const double target_logit = static_cast<double>(row[target]);
    double mean_logit = 0;
    for (int c = 0; label_smoothing > 0 && c < class_count; ++c)
      mean_logit += static_cast<double>(row[c]) / class_count;
    std::copy_n(row, class_count, p);
    const double sum = kernels::active::exp_and_sum(p, class_count, maximum);
    const double log_sum = static_cast<double>(maximum) + std::log(sum);
    out.sum += log_sum - (1 - label_smoothing) * target_logit - label_smoothing * mean_logit;
    kernels::multiply(p, static_cast<float>(row_weight / sum), class_count);
    if (label_smoothing > 0)
      kernels::add_constant(p, static_cast<float>(-smoothing_per_class * row_weight), class_count);
    p[target] -= static_cast<float>((1 - label_smoothing) * row_weight);
  }
  return out;
}

}  // namespace phasor::nn
