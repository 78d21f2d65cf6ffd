// A layer of self-attention by Phasor and by the vectorised Eigen of this program: both are in one
// program, and their results must agree.
#include <phasor/phasor.h>

#include <Eigen/Core>
#include <cmath>
#include <cstdio>

#ifndef EIGEN_VECTORIZE
#error "The definition that turns vectorisation off has reached a user of the library"
#endif
static_assert(PHASOR_VERSION_MAJOR >= 0 && PHASOR_VERSION_MINOR >= 0 && PHASOR_VERSION_PATCH >= 0);

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Rows = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;

int main() {
  constexpr int length = 37, embed_dim = 24, heads = 3, head_dim = embed_dim / heads;
  const phasor::Tensor x = *phasor::random_normal(7, {length, embed_dim});
  const auto result = phasor::self_attention(x, {.heads = heads});
  if (!result.ok()) {
    std::puts(result.status().message().c_str());
    return 1;
  }

  const Rows rows(x.data.data(), length, embed_dim, Eigen::OuterStride<>(embed_dim));
  Matrix expected(length, embed_dim);
  for (int h = 0; h < heads; ++h) {
    const Matrix head = rows.middleCols(h * head_dim, head_dim);
    Matrix weights =
        (head * head.transpose() / std::sqrt(static_cast<float>(head_dim))).array().exp();
    for (int i = 0; i < length; ++i) weights.row(i) /= weights.row(i).sum();
    expected.middleCols(h * head_dim, head_dim) = weights * head;
  }
  const float error =
      (Rows(result->output.data.data(), length, embed_dim, Eigen::OuterStride<>(embed_dim)) -
       expected)
          .cwiseAbs()
          .maxCoeff();
  std::printf("the largest difference between Phasor and Eigen is %g\n",
              static_cast<double>(error));
  return error < 1e-5F ? 0 : 1;
}
