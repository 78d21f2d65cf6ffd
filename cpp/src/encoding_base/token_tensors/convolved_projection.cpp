#include "encoding_base/token_tensors/convolved_projection.h"

#include <algorithm>

#include "core/format_error.h"
#include "kernels/gemm.h"

namespace phasor {

using kernels::gemm;
using kernels::Transpose;

Status ConvolvedProjection::check_project(int tokens) const {
  return check_memory("x", 4 * bytes_of({tokens, channels() + down.value.shape[0]}));
}

ConvolvedProjection::Activations ConvolvedProjection::project(ConstMatrixRef x) const {
  const int taps = conv.value.shape[1];
  Activations out{.reduced = Tensor({x.rows, down.value.shape[0]}),
                  .expanded = Tensor({x.rows, channels()})};
  gemm(Transpose::no, Transpose::yes, 1, x, matrix(down.value), 0, matrix(out.reduced));
  gemm(Transpose::no, Transpose::yes, 1, matrix(std::as_const(out.reduced)), matrix(up.value), 0,
       matrix(out.expanded));
  out.z = std::vector<double>(out.expanded.data.size());
  for (int t = 0; t < x.rows; ++t) {
    for (int n = std::max(0, taps - 1 - t); n < taps; ++n) {
      const float* from = matrix(out.expanded).row(t - taps + 1 + n);
      for (int c = 0; c < channels(); ++c)
        out.at(t, c) +=
            static_cast<double>(matrix(conv.value).row(c)[n]) * static_cast<double>(from[c]);
    }
  }
  return out;
}

void ConvolvedProjection::project_backward(ConstMatrixRef x, Activations& projected,
                                           MatrixRef d_x) {
  const int taps = conv.value.shape[1];
  Tensor d_expanded(projected.expanded.shape), d_reduced(projected.reduced.shape);
  for (int c = 0; c < channels(); ++c) {
    const float* weights = matrix(std::as_const(conv.value)).row(c);
    float* d_weights = matrix(conv.gradient()).row(c);
    for (int t = 0; t < x.rows; ++t) {
      const double grad = projected.at(t, c);
      for (int n = std::max(0, taps - 1 - t); n < taps; ++n) {
        const int from = t - taps + 1 + n;
        d_weights[n] +=
            static_cast<float>(grad * static_cast<double>(matrix(projected.expanded).row(from)[c]));
        matrix(d_expanded).row(from)[c] +=
            static_cast<float>(grad * static_cast<double>(weights[n]));
      }
    }
  }
  const ConstMatrixRef d_expanded_matrix = matrix(std::as_const(d_expanded));
  gemm(Transpose::yes, Transpose::no, 1, d_expanded_matrix,
       matrix(std::as_const(projected.reduced)), 1, matrix(up.gradient()));
  gemm(Transpose::no, Transpose::no, 1, d_expanded_matrix, matrix(std::as_const(up.value)), 0,
       matrix(d_reduced));
  const ConstMatrixRef d_reduced_matrix = matrix(std::as_const(d_reduced));
  gemm(Transpose::yes, Transpose::no, 1, d_reduced_matrix, x, 1, matrix(down.gradient()));
  gemm(Transpose::no, Transpose::no, 1, d_reduced_matrix, matrix(std::as_const(down.value)), 1,
       d_x);
}

}  // namespace phasor
