#include "optim/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/vector_ops.h"
#include "math/scalar_math.h"

namespace phasor {

void adam(const AdamConfig& config, int step, float grad_scale, std::span<float> p,
          std::span<const float> grad, std::span<float> m, std::span<float> v) {
  const double bias_correction1 = 1 - power(config.beta1, step),
               bias_correction2 = 1 - power(config.beta2, step);
  const float b1 = static_cast<float>(config.beta1), b2 = static_cast<float>(config.beta2),
              one_minus_beta1 = static_cast<float>(1 - config.beta1),
              one_minus_beta2 = static_cast<float>(1 - config.beta2),
              step_size = static_cast<float>(config.lr / bias_correction1),
              inverse_root_correction2 = static_cast<float>(1 / std::sqrt(bias_correction2)),
              eps = static_cast<float>(config.eps);
  const float decay = static_cast<float>(config.weight_decay);
  const float decay_factor = config.has_decoupled_weight_decay
                                 ? static_cast<float>(1 - config.lr * config.weight_decay)
                                 : 1;
  const float coupled_decay = config.has_decoupled_weight_decay ? 0 : decay;
  float* __restrict parameter = p.data();
  float* __restrict first_moment = m.data();
  float* __restrict second_moment = v.data();
  const float* __restrict gradient = grad.data();
  const std::size_t n = p.size();
  for (std::size_t i = 0; i < n; ++i) {
    const float g = gradient[i] * grad_scale + coupled_decay * parameter[i];
    first_moment[i] = b1 * first_moment[i] + one_minus_beta1 * g;
    second_moment[i] = b2 * second_moment[i] + one_minus_beta2 * g * g;
    parameter[i] = parameter[i] * decay_factor -
                   step_size * first_moment[i] /
                       (std::sqrt(second_moment[i]) * inverse_root_correction2 + eps);
  }
}

void sgd(double lr, double momentum, double weight_decay, float grad_scale, std::span<float> p,
         std::span<const float> grad, std::span<float> b) {
  const float step_size = static_cast<float>(lr), mu = static_cast<float>(momentum),
              decay = static_cast<float>(weight_decay);
  for (std::size_t i = 0; i < p.size(); ++i) {
    b[i] = mu * b[i] + (grad[i] * grad_scale + decay * p[i]);
    p[i] -= step_size * b[i];
  }
}

double lr_factor(int step, int warmup, int steps, double min_ratio) {
  if (step < warmup) return static_cast<double>(step) / warmup;
  if (steps <= warmup) return 1;
  const double progress =
      std::min(1.0, static_cast<double>(step - warmup) / static_cast<double>(steps - warmup));
  return min_ratio + (1 - min_ratio) * 0.5 * (1 + sincos(std::numbers::pi * progress).cosine);
}

double euclidean_norm(std::span<const float> numbers) {
  // Sums the squares in chunks, because kernels::dot() takes an int size and sums in float32.
  constexpr std::size_t kChunk = 1024;
  double sum = 0;
  for (std::size_t first = 0; first < numbers.size(); first += kChunk) {
    const int n = static_cast<int>(std::min(kChunk, numbers.size() - first));
    sum += static_cast<double>(kernels::dot(numbers.data() + first, numbers.data() + first, n));
  }
  return std::sqrt(sum);
}

}  // namespace phasor
