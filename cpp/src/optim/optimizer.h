#pragma once
// torch.optim.AdamW, Adam and SGD, and the learning rate schedule.

#include <span>

namespace phasor {

struct AdamConfig {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;  ///< added to the square root of the bias-corrected v
  double weight_decay = 0;
  bool decoupled = true;  ///< AdamW: p *= 1 - lr weight_decay; false: Adam, decay in the gradient
};

/// Performs step number `step`, from 1 on (Kingma and Ba 2014, algorithm 1; Loshchilov and Hutter
/// 2017, algorithm 2). All arrays have the same size; gradients are multiplied by grad_scale first.
void adam(const AdamConfig& config, int step, float grad_scale, std::span<float> p,
          std::span<const float> grad, std::span<float> m, std::span<float> v);

/// g += weight_decay p, b = momentum b + g, p -= lr b, as in PyTorch with dampening 0.
void sgd(double lr, double momentum, double weight_decay, float grad_scale, std::span<float> p,
         std::span<const float> grad, std::span<float> b);

/// The learning rate factor of step number `step`, from 1 on: step / warmup during warmup, then
/// half a cosine down to `final` at step `steps`, and `final` afterwards.
double lr_factor(int step, int warmup, int steps, double final);

/// The Euclidean norm of a vector, in double.
double euclidean_norm(std::span<const float> numbers);

}  // namespace phasor
