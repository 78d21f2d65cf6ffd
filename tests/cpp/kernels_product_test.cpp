// Both twins of the matrix product, and the packing it needs, at every shape around the panels.

#include <gtest/gtest.h>

#include "kernel_row.h"
#include "numbers.h"

namespace phasor::test {
namespace {

using Product = void (*)(ConstMatrixRef, const float*, float, MatrixRef);
const std::vector<std::pair<const char*, Product>> kProduct = {{"scalar", kernels::scalar::product}, {"simd", kernels::simd::product}};

// A matrix with `gap` guards after each row, so that its stride differs from its width.
struct Strided {
  std::vector<float> all;
  MatrixRef view;
  Strided(const Tensor& t, int gap) {
    const int rows = t.shape[0], columns = t.shape[1];
    all.assign(static_cast<std::size_t>(rows * (columns + gap)), kGuard);
    view = {all.data(), rows, columns, columns + gap};
    for (int r = 0; r < rows; ++r) std::copy_n(matrix(t).row(r), columns, view.row(r));
  }
  void expect_guards(const std::string& where) const {
    for (int r = 0; r < view.rows; ++r) {
      for (int c = view.columns; c < view.stride; ++c) ASSERT_EQ(view.row(r)[c], kGuard) << where;
    }
  }
};

void expect_product(int rows, int inner, int columns, int gap) {
  const std::string where =
      std::to_string(rows) + " x " + std::to_string(inner) + " x " + std::to_string(columns) + " gap " + std::to_string(gap);
  const Tensor a = dyadic(41, {rows, inner}), b = dyadic(42, {inner, columns});
  Tensor transposed({columns, inner});
  for (int i = 0; i < inner; ++i) {
    for (int c = 0; c < columns; ++c) matrix(transposed).row(c)[i] = matrix(b).row(i)[c];
  }
  const Strided left(a, gap), right(b, gap), right_transposed(transposed, gap);
  // Exactly the promised size, so that the address sanitizer sees a panel that is too long.
  std::vector<float> panels(kernels::packed_size(inner, columns)), same(panels.size());
  kernels::pack(right.view, panels.data());
  kernels::pack_transposed(right_transposed.view, same.data());
  ASSERT_EQ(panels, same) << where;
  for (const auto& [name, product] : kProduct) {
    const Strided out(Tensor({rows, columns}), gap);
    product(left.view, panels.data(), 0.375f, out.view);
    out.expect_guards(name + (" " + where));
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) {
        double sum = 0;
        for (int i = 0; i < inner; ++i) sum += static_cast<double>(matrix(a).row(r)[i]) * static_cast<double>(matrix(b).row(i)[c]);
        ASSERT_LT(error(static_cast<double>(out.view.row(r)[c]), 0.375 * sum), 1e-6) << name << " " << where;
      }
    }
  }
}

TEST(Product, EveryShapeAroundThePanels) {
  for (int rows = 1; rows <= 9; ++rows) {
    for (int columns = 1; columns <= 2 * kernels::kPanel + 1; ++columns) {
      for (const int inner : {1, 2, 3, 4, 5, 8, 17}) {
        expect_product(rows, inner, columns, 0);
        expect_product(rows, inner, columns, 3);
      }
    }
  }
  expect_product(16, 64, 33, 0);
}

}  // namespace
}  // namespace phasor::test
