#pragma once
// Compares a matrix product with plain sums in double and checks guards around its output.

#include <gtest/gtest.h>

#include <cmath>

#include "kernel_row.h"
#include "kernels/gemm.h"
#include "numbers.h"

namespace phasor::test::gemm_test {

using kernels::gemm;
using kernels::IsaLevel;
using kernels::PackedMatrix;
using kernels::Transpose;
using kernels::Workspace;

// A matrix with guard values between and after its rows.
struct GuardedMatrix {
  std::vector<float> all;
  MatrixRef view;

  GuardedMatrix(std::uint64_t seed, int rows, int columns, int gap) {
    const int stride = columns + gap;
    all.assign(static_cast<std::size_t>(rows * stride + gap), kGuard);
    view = {all.data(), rows, columns, stride};
    if (rows * columns == 0) return;
    const Tensor numbers = dyadic(seed, {rows, columns});
    for (int r = 0; r < rows; ++r) std::copy_n(matrix(numbers).row(r), columns, view.row(r));
  }

  void expect_guards(const std::string& message) const {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const int row = view.stride == 0 ? view.rows : static_cast<int>(i) / view.stride;
      const bool is_inside = row < view.rows && static_cast<int>(i) % view.stride < view.columns;
      ASSERT_TRUE(is_inside || all[i] == kGuard) << message;
    }
  }
};

struct GemmCase {
  Transpose op_a, op_b;
  int rows, inner, columns, gap;
  float alpha, beta;
};

inline std::string describe(const GemmCase& t) {
  return std::to_string(t.rows) + " x " + std::to_string(t.inner) + " x " +
         std::to_string(t.columns) + ", gap " + std::to_string(t.gap) + ", transposes " +
         std::to_string(t.op_a == Transpose::yes) + std::to_string(t.op_b == Transpose::yes) +
         ", alpha " + std::to_string(t.alpha) + ", beta " + std::to_string(t.beta);
}

inline GuardedMatrix make_operand(std::uint64_t seed, Transpose op, int rows, int columns,
                                  int gap) {
  return op == Transpose::yes ? GuardedMatrix(seed, columns, rows, gap)
                              : GuardedMatrix(seed, rows, columns, gap);
}

// The entries of op(m), row by row.
inline std::vector<double> list_entries(Transpose op, ConstMatrixRef m) {
  const bool transposed = op == Transpose::yes;
  std::vector<double> all;
  for (int r = 0; r < (transposed ? m.columns : m.rows); ++r) {
    for (int c = 0; c < (transposed ? m.rows : m.columns); ++c)
      all.push_back(static_cast<double>(transposed ? m.row(c)[r] : m.row(r)[c]));
  }
  return all;
}

// alpha op(a) op(b) + beta c by plain sums in double, and the sum of the absolute values of the
// terms.
struct ReferenceProduct {
  std::vector<double> values, sizes;  // (rows, columns)
};

inline ReferenceProduct compute_reference(const GemmCase& t, ConstMatrixRef a, ConstMatrixRef b,
                                          ConstMatrixRef c) {
  const double alpha = static_cast<double>(t.alpha), beta = static_cast<double>(t.beta);
  const std::vector<double> entries_a = list_entries(t.op_a, a),
                            entries_b = list_entries(t.op_b, b);
  ReferenceProduct sums;
  for (const double initial : list_entries(Transpose::no, c)) {
    sums.values.push_back(beta * initial);
    sums.sizes.push_back(std::fabs(beta * initial));
  }
  // Pointers, because tests are compiled without optimisation.
  for (int r = 0; r < t.rows; ++r) {
    for (int i = 0; i < t.inner; ++i) {
      const double factor = alpha * entries_a[static_cast<std::size_t>(r * t.inner + i)];
      const double* factor_b = entries_b.data() + i * t.columns;
      double *value = sums.values.data() + r * t.columns, *size = sums.sizes.data() + r * t.columns;
      for (const double* end = factor_b + t.columns; factor_b < end; ++factor_b, ++value, ++size) {
        const double term = factor * *factor_b;
        *value += term;
        *size += std::fabs(term);
      }
    }
  }
  return sums;
}

// One workspace per supported level, shared by all cases: it keeps no state between products.
inline std::vector<Workspace>& workspaces() {
  static std::vector<Workspace> all = [] {
    std::vector<Workspace> supported;
    for (const IsaLevel level : kernels::kLevels) {
      if (kernels::is_level_supported(level)) supported.emplace_back(level);
    }
    return supported;
  }();
  return all;
}

inline void expect_product(const GemmCase& t) {
  const std::string message = describe(t);
  const GuardedMatrix a = make_operand(61, t.op_a, t.rows, t.inner, t.gap),
                      b = make_operand(62, t.op_b, t.inner, t.columns, t.gap);
  GuardedMatrix product(63, t.rows, t.columns, t.gap);
  const ReferenceProduct expected = compute_reference(t, a.view, b.view, product.view);
  // If beta is 0, existing values are not read, so NaN must not propagate.
  for (int r = 0; t.beta == 0 && r < t.rows; ++r) std::fill_n(product.view.row(r), t.columns, NAN);
  std::vector<GuardedMatrix> products;
  for (Workspace& workspace : workspaces()) {
    GuardedMatrix& level_product = products.emplace_back(product);
    level_product.view.data = level_product.all.data();
    gemm(workspace, t.op_a, t.op_b, t.alpha, a.view, b.view, t.beta, level_product.view);
  }
  GuardedMatrix packed = product;
  packed.view.data = packed.all.data();
  gemm(t.op_a, t.op_b, t.alpha, a.view, b.view, t.beta, product.view);
  gemm(t.op_a, t.alpha, a.view, PackedMatrix(t.op_b, b.view), t.beta, packed.view);
  product.expect_guards(message);
  packed.expect_guards(message);
  for (std::size_t n = 0; n < products.size(); ++n) {
    const std::string level = kernels::level_name(workspaces()[n].level());
    products[n].expect_guards(level + ": " + message);
    for (int r = 0, index = 0; r < t.rows; ++r) {
      for (int c = 0; c < t.columns; ++c, ++index)
        ASSERT_NEAR(static_cast<double>(products[n].view.row(r)[c]), expected.values.data()[index],
                    1e-6 * (std::min(t.inner, 256) + 2) * expected.sizes.data()[index] + 1e-30)
            << level << ": " << message;
    }
  }
  for (int r = 0, index = 0; r < t.rows; ++r) {
    for (int c = 0; c < t.columns; ++c, ++index) {
      ASSERT_EQ(product.view.row(r)[c], packed.view.row(r)[c]) << message;
      ASSERT_NEAR(static_cast<double>(product.view.row(r)[c]), expected.values.data()[index],
                  1e-6 * (t.inner + 2) * expected.sizes.data()[index] + 1e-30)
          << message;
    }
  }
}

}  // namespace phasor::test::gemm_test
