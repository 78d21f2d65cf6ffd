// Single layers, losses and optimizers, which the public library exposes only through a trainer.

#include "golden_case.h"
#include "nn/activations.h"
#include "nn/batched_attention.h"
#include "nn/cross_entropy.h"
#include "nn/norms.h"
#include "nn/softmax.h"
#include "optim/optimizer.h"

namespace golden::family::nn {
namespace {

using phasor::ConstMatrixRef;
using phasor::matrix;
using phasor::Tensor;

void layer_norm(Case& c) {
  const Tensor x = c.tensor("x"), weight = c.tensor("gamma"), bias = c.tensor("beta"),
               d_y = c.tensor("dout");
  const double eps = c.number("eps");
  Tensor y(x.shape), d_x(x.shape), d_weight(weight.shape), d_bias(bias.shape),
      saved({x.shape[0], 2});
  phasor::nn::layer_norm(matrix(x), weight.data.data(), bias.data.data(), eps, matrix(y),
                         saved.data.data());
  phasor::nn::layer_norm_backward(matrix(x), weight.data.data(), saved.data.data(), matrix(d_y),
                                  matrix(d_x), d_weight.data.data(), d_bias.data.data());
  c.expect("y", y, golden::kAttention);
  c.expect("dx", d_x, golden::kGradient);
  c.expect("dgamma", d_weight, golden::kGradient);
  c.expect("dbeta", d_bias, golden::kGradient);
}

void rms_norm(Case& c) {
  const Tensor x = c.tensor("x"), weight = c.tensor("gamma"), d_y = c.tensor("dout");
  const double eps = c.number("eps");
  Tensor y(x.shape), d_x(x.shape), d_weight(weight.shape), saved({x.shape[0]});
  phasor::nn::rms_norm(matrix(x), weight.data.data(), eps, matrix(y), saved.data.data());
  phasor::nn::rms_norm_backward(matrix(x), weight.data.data(), saved.data.data(), matrix(d_y),
                                matrix(d_x), d_weight.data.data());
  c.expect("y", y, golden::kAttention);
  c.expect("dx", d_x, golden::kGradient);
  c.expect("dgamma", d_weight, golden::kGradient);
}

void activation(Case& c, void (*forward)(float*, float*, int)) {
  Tensor x = c.tensor("x"), d_x = c.tensor("dout"), y(x.shape);
  const int n = static_cast<int>(x.data.size());
  forward(x.data.data(), y.data.data(), n);
  phasor::nn::activation_backward(x.data.data(), d_x.data.data(), n);
  c.expect("y", y, golden::kAttention);
  c.expect("dx", d_x, golden::kGradient);
}

void softmax(Case& c) {
  Tensor y = c.tensor("x"), log_y = y;
  phasor::nn::softmax(matrix(y));
  c.expect_weights("y", y);
  if (!c.has_output("log_y")) return;
  phasor::nn::log_softmax(matrix(log_y));
  c.expect("log_y", log_y, golden::kAttention);
}

void cross_entropy(Case& c) {
  const Tensor logits = c.tensor("logits");
  c.expect_param("ignore_index", phasor::nn::kIgnored);
  c.expect_param("reduction", std::string("mean over non-ignored"));
  std::vector<int> targets;
  for (const double target : c.input("target").data) targets.push_back(static_cast<int>(target));
  Tensor d_logits(logits.shape);
  const double loss = phasor::nn::cross_entropy(matrix(logits), targets,
                                                c.number("label_smoothing"), matrix(d_logits))
                          .mean();
  c.expect("loss", {}, {loss}, golden::kAttention);
  c.expect("dlogits", d_logits, golden::kGradient);
}

void adam(Case& c, bool decoupled_weight_decay) {
  Tensor p = c.tensor("p0");
  const Tensor grads = c.tensor("grads");
  const std::vector<double> betas = c.numbers("betas");
  const int steps = c.integer("steps");
  const phasor::AdamConfig config{.lr = c.number("lr"),
                                  .beta1 = betas.at(0),
                                  .beta2 = betas.at(1),
                                  .eps = c.number("eps"),
                                  .weight_decay = c.number("weight_decay"),
                                  .has_decoupled_weight_decay = decoupled_weight_decay};
  Tensor m(p.shape), v(p.shape), after(grads.shape);
  for (int step = 0; step < steps; ++step) {
    const std::span<const float> grad(matrix(grads).row(step), p.data.size());
    phasor::adam(config, step + 1, 1, p.data, grad, m.data, v.data);
    std::copy(p.data.begin(), p.data.end(), matrix(after).row(step));
  }
  c.expect("p_after_each_step", after, golden::kAttention);
  c.expect("m", m, golden::kAttention);
  c.expect("v", v, golden::kAttention);
}

constexpr golden::Method kMethods[] = {
    {"layernorm", layer_norm},
    {"rmsnorm", rms_norm},
    {"gelu_exact", [](Case& c) { activation(c, phasor::nn::gelu); }},
    {"gelu_tanh", [](Case& c) { activation(c, phasor::nn::gelu_tanh); }},
    {"softmax", softmax},
    {"cross_entropy", cross_entropy},
    {"adam", [](Case& c) { adam(c, false); }},
    {"adam_wd", [](Case& c) { adam(c, false); }},
    {"adamw", [](Case& c) { adam(c, true); }},
};

}  // namespace

GOLDEN_FAMILY(nn) { return kMethods; }

}  // namespace golden::family::nn
