#pragma once
// Reimplements torch.optim.AdamW, Adam and SGD, and defines the learning rate schedule.

#include <span>

namespace phasor {

struct AdamConfig {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;  ///< added to sqrt(v) after bias correction
  double weight_decay = 0;
  /// True for AdamW; false for Adam, which adds weight_decay * p to the gradient
  bool has_decoupled_weight_decay = true;
};

/// Performs one optimizer step (Kingma and Ba 2014, algorithm 1; Loshchilov and Hutter 2017,
/// algorithm 2). `step` counts from 1. All arrays must have the same size. Gradients are multiplied
/// by grad_scale first.
void adam(const AdamConfig& config, int step, float grad_scale, std::span<float> p,
          std::span<const float> grad, std::span<float> m, std::span<float> v);

/// Performs one step of torch.optim.SGD with dampening 0: g = grad_scale grad + weight_decay p, b =
/// momentum b + g, p -= lr b.
void sgd(double lr, double momentum, double weight_decay, float grad_scale, std::span<float> p,
         std::span<const float> grad, std::span<float> b);

/// Returns the learning rate multiplier at `step`, which counts from 1: step / warmup during
/// warmup, then cosine decay to `min_ratio` at step `steps`.
double lr_factor(int step, int warmup, int steps, double min_ratio);

/// The Euclidean norm. Squares are summed in float32 in chunks of 1024, and the sums of the chunks
/// in double.
double euclidean_norm(std::span<const float> numbers);

}  // namespace phasor
