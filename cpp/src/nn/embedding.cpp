#include "nn/embedding.h"

#include "kernels/vector_ops.h"

namespace phasor::nn {

void embedding(std::span<const int> ids, const ConstMatrixRef& weight, float scale,
               const MatrixRef& out) {
  int t = 0;
  for (const int id : ids) {
    const float* from = weight.row(id);
    float* to = out.row(t++);
    for (int c = 0; c < out.columns; ++c) to[c] = scale * from[c];
  }
}

void embedding_backward(std::span<const int> ids, const ConstMatrixRef& d_out, float scale,
                        const MatrixRef& d_weight) {
  int t = 0;
  for (const int id : ids)
    kernels::add_scaled(d_weight.row(id), scale, d_out.row(t++), d_out.columns);
}

}  // namespace phasor::nn
