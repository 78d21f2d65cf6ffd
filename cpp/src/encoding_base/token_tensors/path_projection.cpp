#include "encoding_base/token_tensors/path_projection.h"

#include "core/format_error.h"
#include "kernels/vector_ops.h"
#include "math/scalar_math.h"

namespace phasor {

namespace {

double sigmoid(double x) { return 1 / (1 + exponential(-x)); }

}  // namespace

Status PathProjection::project(ConstMatrixRef x, TokenTensors& out) const {
  const int heads = beta_weight.value.shape[0], channels = w.channels(),
            head_dim = channels / heads;
  PHASOR_TRY(w.check_project_memory(x.rows));
  ConvolvedProjection::Activations activations = w.project(x);
  Tensor& directions = out["w"];
  directions = Tensor({heads, x.rows, head_dim});
  Tensor& beta = out["beta"];
  beta = Tensor({heads, x.rows});
  for (int c = 0; c < channels; ++c) {
    for (int t = 0; t < x.rows; ++t) {
      const double z = activations.at(t, c);
      matrix(directions, c / head_dim).row(t)[c % head_dim] = static_cast<float>(z * sigmoid(z));
    }
  }
  for (int h = 0; h < heads; ++h) {
    const double bias = static_cast<double>(beta_bias.value.data[static_cast<std::size_t>(h)]);
    for (int t = 0; t < x.rows; ++t) {
      const double logit =
          bias + kernels::dot_in_double(x.row(t), matrix(beta_weight.value).row(h), x.columns);
      matrix(beta).row(h)[t] = static_cast<float>(2 * sigmoid(logit));
    }
  }
  PHASOR_TRY(check_result("x", directions.data, "the direction w of a token"));
  return check_result("x", beta.data, "the step size beta of a token");
}

void PathProjection::project_backward(ConstMatrixRef x, const TokenTensors& projected,
                                      const TokenTensors& d_projected, MatrixRef d_x) {
  const Tensor &d_w = d_projected.at("w"), &beta = projected.at("beta"),
               &d_beta = d_projected.at("beta");
  const int head_dim = d_w.shape[2];
  ConvolvedProjection::Activations activations = w.project(x);
  for (int t = 0; t < x.rows; ++t) {
    for (int c = 0; c < w.channels(); ++c) {
      double& z = activations.at(t, c);
      const double gate = sigmoid(z);
      z = static_cast<double>(matrix(d_w, c / head_dim).row(t)[c % head_dim]) * gate *
          (1 + z * (1 - gate));
    }
  }
  w.project_backward(x, activations, d_x);
  for (int h = 0; h < beta.shape[0]; ++h) {
    const float* weight = matrix(std::as_const(beta_weight.value)).row(h);
    float* d_weight = matrix(beta_weight.gradient()).row(h);
    for (int t = 0; t < x.rows; ++t) {
      // The derivative of beta = 2 sigmoid(logit) is beta (1 - beta / 2).
      const float beta_value = matrix(beta).row(h)[t],
                  grad = matrix(d_beta).row(h)[t] * beta_value * (1 - beta_value / 2);
      kernels::add_scaled(d_weight, grad, x.row(t), x.columns);
      kernels::add_scaled(d_x.row(t), grad, weight, x.columns);
      beta_bias.gradient().data[static_cast<std::size_t>(h)] += grad;
    }
  }
}

}  // namespace phasor
