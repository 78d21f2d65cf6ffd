#pragma once
// torch.optim.AdamW, Adam and SGD, and the learning rate schedule.

#include <span>

namespace phasor {

struct AdamConfig {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;  ///< added to sqrt(v) after bias correction
  double weight_decay = 0;
  bool has_decoupled_weight_decay =
      true;  ///< true: AdamW; false: Adam, which adds weight_decay p to the gradient
};

/// Performs step `step`, counted from 1 (Kingma and Ba 2014, algorithm 1; Loshchilov and Hutter
/// 2017, algorithm 2). All arrays must have the same size. Gradients are first multiplied by
/// grad_scale.
void adam(const AdamConfig& config, int step, float grad_scale, std::span<float> p,
          std::span<const float> grad, std::span<float> m, std::span<float> v);

/// g += weight_decay p, b = momentum b + g, p -= lr b; as torch.optim.SGD with dampening 0.
void sgd(double lr, double momentum, double weight_decay, float grad_scale, std::span<float> p,
         std::span<const float> grad, std::span<float> b);

/// The factor on the learning rate at step `step`, counted from 1: step / warmup during warmup,
/// then half a cosine down to `min_ratio` at step `steps`.
double lr_factor(int step, int warmup, int steps, double min_ratio);

/// The Euclidean norm. Squares are summed in float32, 1024 at a time; the sums are added in double.
double euclidean_norm(std::span<const float> numbers);

}  // namespace phasor
