// Both variants of the matrix product and of packing, and the product at every supported level, for
// all shapes around the size of a panel.

#include <gtest/gtest.h>

#include "kernel_row.h"
#include "kernels/attention_kernels.h"
#include "numbers.h"

namespace phasor::test {
namespace {

struct ProductKernel {
  const char* name;
  void (*product)(const ConstMatrixRef&, const kernels::Panels&, float, const MatrixRef&);
  void (*accumulate)(const ConstMatrixRef&, const kernels::Panels&, const MatrixRef&);
};
std::vector<ProductKernel> product_kernels() {
  std::vector<ProductKernel> all = {
      {"scalar", kernels::scalar::product, kernels::scalar::accumulate},
      {"simd", kernels::simd::product, kernels::simd::accumulate}};
  for (const kernels::IsaLevel level : kernels::kLevels) {
    if (!kernels::is_level_supported(level)) continue;
    const kernels::AttentionKernels& level_kernels = kernels::attention_kernels(level);
    all.push_back({kernels::level_name(level), level_kernels.product, level_kernels.accumulate});
  }
  return all;
}

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

Strided scale_matrix(ConstMatrixRef m, float factor) {
  Tensor t({m.rows, m.columns});
  for (int r = 0; r < m.rows; ++r) {
    for (int c = 0; c < m.columns; ++c) matrix(t).row(r)[c] = factor * m.row(r)[c];
  }
  return Strided(t, 1);
}

void expect_product(int rows, int inner, int columns, int gap) {
  const std::string where = std::to_string(rows) + " x " + std::to_string(inner) + " x " +
                            std::to_string(columns) + " gap " + std::to_string(gap);
  const Tensor a = dyadic(41, {rows, inner}), b = dyadic(42, {inner, columns});
  Tensor transposed({columns, inner});
  for (int i = 0; i < inner; ++i) {
    for (int c = 0; c < columns; ++c) matrix(transposed).row(c)[i] = matrix(b).row(i)[c];
  }
  const Strided left(a, gap), right(b, gap), right_transposed(transposed, gap);
  // With exactly the declared size, the address sanitizer detects a panel that is too long.
  std::vector<float> panels(kernels::packed_size(inner, columns)), same(panels.size());
  kernels::pack(right.view, 0, inner, panels.data());
  kernels::pack_transposed(right_transposed.view, 0, same.data());
  ASSERT_EQ(panels, same) << where;
  const kernels::Panels packed = kernels::make_panels(panels.data(), inner, columns);
  for (const ProductKernel& kernel : product_kernels()) {
    const std::string name = kernel.name;
    const Strided out(Tensor({rows, columns}), gap);
    kernel.product(left.view, packed, 0.25f, out.view);
    // Two steps add 0.125 to the factor of 0.25.
    kernel.accumulate(scale_matrix(left.view, 0.0625f).view, packed, out.view);
    kernel.accumulate(scale_matrix(left.view, 0.0625f).view, packed, out.view);
    out.expect_guards(name + " " + where);
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) {
        double sum = 0;
        for (int i = 0; i < inner; ++i)
          sum +=
              static_cast<double>(matrix(a).row(r)[i]) * static_cast<double>(matrix(b).row(i)[c]);
        ASSERT_LT(error(static_cast<double>(out.view.row(r)[c]), 0.375 * sum), 1e-6)
            << name << " " << where;
      }
    }
  }
}

TEST(Product, AgreesWithPlainSumsAroundPanelEdges) {
  for (int rows = 1; rows <= 9; ++rows) {
    for (int columns = 1; columns <= 2 * kernels::kPanelColumns + 1; ++columns) {
      for (const int inner : {1, 2, 3, 4, 5, 8, 17}) {
        expect_product(rows, inner, columns, 0);
        expect_product(rows, inner, columns, 3);
      }
    }
  }
  expect_product(16, 64, 65, 0);
  expect_product(1, 64, 300, 3);  // wider blocks for one row and for two
  expect_product(2, 17, 140, 0);
}

// Attention divides rows between tiles and threads in any way.
TEST(Product, ComputesEachRowIndependently) {
  const int rows = 19, inner = 37, columns = 151;
  const Tensor a = dyadic(45, {rows, inner}), b = dyadic(46, {inner, columns}),
               before = dyadic(47, {rows, columns});
  std::vector<float> packed(kernels::packed_size(inner, columns));
  Tensor scaled_a = a;
  for (float& x : scaled_a.data) x /= 3;
  kernels::pack(matrix(b), 0, inner, packed.data());
  const kernels::Panels right = kernels::make_panels(packed.data(), inner, columns);
  for (const ProductKernel& kernel : product_kernels()) {
    Tensor full_product({rows, columns}), added = before;
    kernel.product(matrix(std::as_const(scaled_a)), right, 0.3f, matrix(full_product));
    kernel.accumulate(matrix(std::as_const(scaled_a)), right, matrix(added));
    for (const int count : {1, 2, 3, 7}) {
      for (int first = 0; first + count <= rows; ++first) {
        Tensor part({count, columns}), sum({count, columns});
        const ConstMatrixRef left = rows_of(matrix(std::as_const(scaled_a)), first, count);
        std::copy_n(matrix(before).row(first), count * columns, sum.data.data());
        kernel.product(left, right, 0.3f, matrix(part));
        kernel.accumulate(left, right, matrix(sum));
        ASSERT_TRUE(std::equal(part.data.begin(), part.data.end(), matrix(full_product).row(first)))
            << kernel.name << " " << first << " " << count;
        ASSERT_TRUE(std::equal(sum.data.begin(), sum.data.end(), matrix(added).row(first)))
            << kernel.name << " " << first << " " << count;
      }
    }
  }
}

// Rows and columns that are packed later have the same place as in one call. Slices of a packed
// matrix give the products of slices.
TEST(Product, SupportsPackingInPiecesAndSlices) {
  const int inner = 11, columns = 37;
  const Tensor b = dyadic(43, {inner, columns}), a = dyadic(44, {3, inner});
  std::vector<float> full_product(kernels::packed_size(inner, columns)),
      rows(full_product.size(), kGuard);
  kernels::pack(matrix(b), 0, inner, full_product.data());
  for (int i = 0; i < inner; ++i)
    kernels::pack({matrix(b).row(i), 1, columns, columns}, i, inner, rows.data());
  EXPECT_EQ(rows, full_product);
  Tensor transposed_rows({columns, inner});
  for (int c = 0; c < columns; ++c) {
    for (int i = 0; i < inner; ++i) matrix(transposed_rows).row(c)[i] = matrix(b).row(i)[c];
  }
  for (const int piece_size : {1, 3, 4, 5, 6, 16, 20}) {
    std::vector<float> packed_pieces(full_product.size(), kGuard);
    for (int c = 0; c < columns; c += piece_size) {
      kernels::pack_transposed(
          rows_of(matrix(std::as_const(transposed_rows)), c, std::min(piece_size, columns - c)), c,
          packed_pieces.data());
    }
    EXPECT_EQ(packed_pieces, full_product) << "in pieces of " << piece_size;
  }
  const int first_row = 4, first_column = kernels::kPanelColumns;
  const kernels::Panels part = kernels::make_panels(full_product.data(), inner, columns)
                                   .slice_columns(first_column, columns - first_column)
                                   .slice_rows(first_row, 5);
  const ConstMatrixRef left{matrix(a).data + first_row, 3, 5, inner};
  for (const ProductKernel& kernel : product_kernels()) {
    Tensor out({3, columns - first_column});
    kernel.product(left, part, 1, matrix(out));
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < columns - first_column; ++c) {
        double sum = 0;
        for (int i = 0; i < 5; ++i) {
          sum += static_cast<double>(left.row(r)[i]) *
                 static_cast<double>(matrix(b).row(first_row + i)[first_column + c]);
        }
        ASSERT_LT(error(static_cast<double>(matrix(out).row(r)[c]), sum), 1e-6)
            << kernel.name << " " << r << " " << c;
      }
    }
  }
}

}  // namespace
}  // namespace phasor::test
