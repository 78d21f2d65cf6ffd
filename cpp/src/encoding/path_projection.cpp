#include "encoding/path_projection.h"

#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "kernels/gemm.h"
#include "kernels/rows.h"

namespace phasor {

namespace {

using kernels::gemm;
using kernels::Transpose;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// What the convolution of one channel is at token t. u (tokens, channels), taps: 3 numbers
double convolved(ConstMatrixRef u, int t, int channel, const float* taps) {
  double sum = 0;
  for (int n = 0; n < PathProjection::kTaps; ++n) {
    const int from = t - PathProjection::kTaps + 1 + n;
    if (from >= 0) sum += static_cast<double>(taps[n]) * static_cast<double>(u.row(from)[channel]);
  }
  return sum;
}

// (tokens, rank) and (tokens, channels)
struct Projected {
  Tensor low, high;

  Projected(const PathProjection& p, ConstMatrixRef x)
      : low({x.rows, p.down.value.shape[0]}), high({x.rows, p.up.value.shape[0]}) {
    gemm(Transpose::no, Transpose::yes, 1, x, matrix(p.down.value), 0, matrix(low));
    gemm(Transpose::no, Transpose::yes, 1, matrix(low), matrix(p.up.value), 0, matrix(high));
  }
};

}  // namespace

Status PathProjection::project(ConstMatrixRef x, TokenTensors& out) const {
  const int heads = beta_weight.value.shape[0], channels = up.value.shape[0],
            width = channels / heads;
  PHASOR_TRY(check_room("x", 4 * bytes_of({x.rows, channels + down.value.shape[0]})));
  const Projected projected(*this, x);
  Tensor& w = out["w"];
  w = Tensor({heads, x.rows, width});
  Tensor& beta = out["beta"];
  beta = Tensor({heads, x.rows});
  for (int c = 0; c < channels; ++c) {
    for (int t = 0; t < x.rows; ++t) {
      const double z = convolved(matrix(projected.high), t, c, matrix(conv.value).row(c));
      matrix(w, c / width).row(t)[c % width] = static_cast<float>(z * sigmoid(z));
    }
  }
  for (int h = 0; h < heads; ++h) {
    const double bias = static_cast<double>(beta_bias.value.data[static_cast<std::size_t>(h)]);
    for (int t = 0; t < x.rows; ++t) {
      const double logit =
          bias + kernels::double_dot(x.row(t), matrix(beta_weight.value).row(h), x.columns);
      matrix(beta).row(h)[t] = static_cast<float>(2 * sigmoid(logit));
    }
  }
  PHASOR_TRY(check_result("x", w.data, "w of a token"));
  return check_result("x", beta.data, "beta of a token");
}

void PathProjection::project_backward(ConstMatrixRef x, const TokenTensors& made,
                                      const TokenTensors& d_made, MatrixRef d_x) {
  const Projected projected(*this, x);
  const Tensor &d_w = d_made.at("w"), &beta = made.at("beta"), &d_beta = d_made.at("beta");
  const int channels = up.value.shape[0], width = d_w.shape[2];
  Tensor d_high(projected.high.shape), d_low(projected.low.shape);
  for (int c = 0; c < channels; ++c) {
    const float* taps = matrix(conv.value).row(c);
    float* d_taps = matrix(conv.gradient()).row(c);
    for (int t = 0; t < x.rows; ++t) {
      const double z = convolved(matrix(projected.high), t, c, taps), open = sigmoid(z),
                   slope = static_cast<double>(matrix(d_w, c / width).row(t)[c % width]) * open *
                           (1 + z * (1 - open));
      for (int n = 0; n < kTaps; ++n) {
        const int from = t - kTaps + 1 + n;
        if (from < 0) continue;
        d_taps[n] +=
            static_cast<float>(slope * static_cast<double>(matrix(projected.high).row(from)[c]));
        matrix(d_high).row(from)[c] += static_cast<float>(slope * static_cast<double>(taps[n]));
      }
    }
  }
  const ConstMatrixRef high_slopes = matrix(std::as_const(d_high));
  gemm(Transpose::yes, Transpose::no, 1, high_slopes, matrix(projected.low), 1,
       matrix(up.gradient()));
  gemm(Transpose::no, Transpose::no, 1, high_slopes, matrix(std::as_const(up.value)), 0,
       matrix(d_low));
  const ConstMatrixRef low_slopes = matrix(std::as_const(d_low));
  gemm(Transpose::yes, Transpose::no, 1, low_slopes, x, 1, matrix(down.gradient()));
  gemm(Transpose::no, Transpose::no, 1, low_slopes, matrix(std::as_const(down.value)), 1, d_x);
  for (int h = 0; h < beta.shape[0]; ++h) {
    const float* weight = matrix(std::as_const(beta_weight.value)).row(h);
    float* d_weight = matrix(beta_weight.gradient()).row(h);
    for (int t = 0; t < x.rows; ++t) {
      // 2 sigmoid is made, so that its slope is beta (1 - beta / 2)
      const float strength = matrix(beta).row(h)[t],
                  slope = matrix(d_beta).row(h)[t] * strength * (1 - strength / 2);
      kernels::add_scaled(d_weight, slope, x.row(t), x.columns);
      kernels::add_scaled(d_x.row(t), slope, weight, x.columns);
      beta_bias.gradient().data[static_cast<std::size_t>(h)] += slope;
    }
  }
}

}  // namespace phasor
