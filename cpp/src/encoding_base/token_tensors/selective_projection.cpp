#include "encoding_base/token_tensors/selective_projection.h"

#include <cmath>

#include "core/format_error.h"
#include "kernels/vector_ops.h"
#include "math/scalar_math.h"

namespace phasor {

namespace {

// Returns 1 / sqrt(|x|^2 + eps), where x contains the channels of one head.
double inverse_norm(const float* x, int channels) {
  return 1 / std::sqrt(kernels::dot_in_double(x, x, channels) + SelectiveProjection::kEps);
}

Tensor normalise_heads(ConstMatrixRef x, int heads) {
  Tensor y({x.rows, x.columns});
  const int head_dim = x.columns / heads;
  for (int t = 0; t < x.rows; ++t) {
    for (int first = 0; first < x.columns; first += head_dim) {
      const double factor = inverse_norm(x.row(t) + first, head_dim);
      for (int c = first; c < first + head_dim; ++c)
        matrix(y).row(t)[c] = static_cast<float>(factor * static_cast<double>(x.row(t)[c]));
    }
  }
  return y;
}

}  // namespace

std::vector<Parameter*> SelectiveProjection::parameters() {
  std::vector<Parameter*> out;
  for (Parameter* parameter :
       {&phi.down, &phi.up, &phi.conv, &phi_bias, &gate_weight, &gate_bias}) {
    if (!parameter->empty()) out.push_back(parameter);
  }
  return out;
}

Status SelectiveProjection::project(ConstMatrixRef x, TokenTensors& out) const {
  const int pairs = phi.channels() / heads;
  // y and its gradient
  PHASOR_TRY(check_memory("x", 2 * array_bytes({x.rows, x.columns})));
  const Tensor y = normalise_heads(x, heads);
  PHASOR_TRY(phi.check_project_memory(x.rows));
  ConvolvedProjection::Activations activations = phi.project(matrix(y));
  Tensor& steps = out["steps"];
  steps = Tensor({heads, x.rows, pairs});
  for (int h = 0; h < heads; ++h) {
    for (int t = 0; t < x.rows; ++t) {
      for (int m = 0; m < pairs; ++m) {
        double step = activations.at(t, h * pairs + m);
        if (!phi_bias.empty())
          step += exponential(static_cast<double>(matrix(phi_bias.value).row(h)[m]));
        matrix(steps, h).row(t)[m] = static_cast<float>(step);
      }
    }
  }
  PHASOR_TRY(check_result("x", steps.data, "a step of a token"));
  if (gate_weight.empty()) return {};
  Tensor& gate = out["gate"];
  gate = Tensor({heads, x.rows});
  for (int h = 0; h < heads; ++h) {
    for (int t = 0; t < x.rows; ++t) {
      const double logit =
          static_cast<double>(gate_bias.value.data[static_cast<std::size_t>(h)]) +
          kernels::dot_in_double(matrix(y).row(t), matrix(gate_weight.value).row(h), x.columns);
      matrix(gate).row(h)[t] = static_cast<float>(1 / (1 + exponential(-logit)));
    }
  }
  return check_result("x", gate.data, "the gate of a token");
}

void SelectiveProjection::project_backward(ConstMatrixRef x, const TokenTensors& projected,
                                           const TokenTensors& d_projected, MatrixRef d_x) {
  const int pairs = phi.channels() / heads, head_dim = x.columns / heads;
  const Tensor y = normalise_heads(x, heads), &d_steps = d_projected.at("steps");
  Tensor d_y(y.shape);
  ConvolvedProjection::Activations activations = phi.project(matrix(y));
  for (int h = 0; h < heads; ++h) {
    for (int t = 0; t < x.rows; ++t) {
      for (int m = 0; m < pairs; ++m)
        activations.at(t, h * pairs + m) = static_cast<double>(matrix(d_steps, h).row(t)[m]);
    }
    for (int m = 0; !phi_bias.empty() && m < pairs; ++m) {
      double sum = 0;
      for (int t = 0; t < x.rows; ++t) sum += activations.at(t, h * pairs + m);
      matrix(phi_bias.gradient()).row(h)[m] += static_cast<float>(
          sum * exponential(static_cast<double>(matrix(phi_bias.value).row(h)[m])));
    }
  }
  phi.project_backward(matrix(y), activations, matrix(d_y));
  for (int h = 0; !gate_weight.empty() && h < heads; ++h) {
    const float* weight = matrix(std::as_const(gate_weight.value)).row(h);
    for (int t = 0; t < x.rows; ++t) {
      const float gate = matrix(projected.at("gate")).row(h)[t],
                  grad = matrix(d_projected.at("gate")).row(h)[t] * gate * (1 - gate);
      kernels::add_scaled(matrix(gate_weight.gradient()).row(h), grad, matrix(y).row(t), x.columns);
      kernels::add_scaled(matrix(d_y).row(t), grad, weight, x.columns);
      gate_bias.gradient().data[static_cast<std::size_t>(h)] += grad;
    }
  }
  // For y = r x and r = 1 / sqrt(|x|^2 + eps), dL/dx = r (dL/dy - (dL/dy . y) y).
  for (int t = 0; t < x.rows; ++t) {
    for (int first = 0; first < x.columns; first += head_dim) {
      const float *y_head = matrix(y).row(t) + first, *d_y_head = matrix(d_y).row(t) + first;
      const double factor = inverse_norm(x.row(t) + first, head_dim),
                   projection = kernels::dot_in_double(y_head, d_y_head, head_dim);
      for (int c = 0; c < head_dim; ++c)
        d_x.row(t)[first + c] +=
            static_cast<float>(factor * (static_cast<double>(d_y_head[c]) -
                                         projection * static_cast<double>(y_head[c])));
    }
  }
}

}  // namespace phasor
