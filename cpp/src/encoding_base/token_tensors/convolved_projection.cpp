#include "encoding_base/token_tensors/convolved_projection.h"

#include <algorithm>

#include "core/format_error.h"
#include "kernels/gemm.h"

namespace phasor {

using kernels::gemm;
using kernels::Transpose;

Status ConvolvedProjection::check_project_memory(int tokens) const {
  return check_memory("x", 4 * array_bytes({tokens, channels() + down.value.shape[0]}));
}

ConvolvedProjection::Activations ConvolvedProjection::project(ConstMatrixRef x) const {
  const int taps = conv.value.shape[1];
  Activations out{.down_output = Tensor({x.rows, down.value.shape[0]}),
                  .up_output = Tensor({x.rows, channels()})};
  gemm(Transpose::no, Transpose::yes, 1, x, matrix(down.value), 0, matrix(out.down_output));
  gemm(Transpose::no, Transpose::yes, 1, matrix(std::as_const(out.down_output)), matrix(up.value),
       0, matrix(out.up_output));
  out.z = std::vector<double>(out.up_output.data.size());
  for (int t = 0; t < x.rows; ++t) {
    for (int n = std::max(0, taps - 1 - t); n < taps; ++n) {
      const float* from = matrix(out.up_output).row(t - taps + 1 + n);
      for (int c = 0; c < channels(); ++c)
        out.at(t, c) +=
            static_cast<double>(matrix(conv.value).row(c)[n]) * static_cast<double>(from[c]);
    }
  }
  return out;
}

void ConvolvedProjection::project_backward(ConstMatrixRef x, Activations& activations,
                                           MatrixRef d_x) {
  const int taps = conv.value.shape[1];
  Tensor d_up_output(activations.up_output.shape), d_down_output(activations.down_output.shape);
  for (int c = 0; c < channels(); ++c) {
    const float* weights = matrix(std::as_const(conv.value)).row(c);
    float* d_weights = matrix(conv.gradient()).row(c);
    for (int t = 0; t < x.rows; ++t) {
      const double grad = activations.at(t, c);
      for (int n = std::max(0, taps - 1 - t); n < taps; ++n) {
        const int from = t - taps + 1 + n;
        d_weights[n] += static_cast<float>(
            grad * static_cast<double>(matrix(activations.up_output).row(from)[c]));
        matrix(d_up_output).row(from)[c] +=
            static_cast<float>(grad * static_cast<double>(weights[n]));
      }
    }
  }
  const ConstMatrixRef d_up_matrix = matrix(std::as_const(d_up_output));
  gemm(Transpose::yes, Transpose::no, 1, d_up_matrix,
       matrix(std::as_const(activations.down_output)), 1, matrix(up.gradient()));
  gemm(Transpose::no, Transpose::no, 1, d_up_matrix, matrix(std::as_const(up.value)), 0,
       matrix(d_down_output));
  const ConstMatrixRef d_down_matrix = matrix(std::as_const(d_down_output));
  gemm(Transpose::yes, Transpose::no, 1, d_down_matrix, x, 1, matrix(down.gradient()));
  gemm(Transpose::no, Transpose::no, 1, d_down_matrix, matrix(std::as_const(down.value)), 1, d_x);
}

}  // namespace phasor
