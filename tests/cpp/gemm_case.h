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
struct Guarded {
  std::vector<float> all;
  MatrixRef view;

  Guarded(std::uint64_t seed, int rows, int columns, int gap) {
    const int stride = columns + gap;
    all.assign(static_cast<std::size_t>(rows * stride + gap), kGuard);
    view = {all.data(), rows, columns, stride};
    if (rows * columns == 0) return;
    const Tensor numbers = dyadic(seed, {rows, columns});
    for (int r = 0; r < rows; ++r) std::copy_n(matrix(numbers).row(r), columns, view.row(r));
  }

  void expect_guards(const std::string& where) const {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const int row = view.stride == 0 ? view.rows : static_cast<int>(i) / view.stride;
      const bool inside = row < view.rows && static_cast<int>(i) % view.stride < view.columns;
      ASSERT_TRUE(inside || all[i] == kGuard) << where;
    }
  }
};

struct Case {
  Transpose op_a, op_b;
  int rows, inner, columns, gap;
  float alpha, beta;
};

inline std::string words(const Case& t) {
  return std::to_string(t.rows) + " x " + std::to_string(t.inner) + " x " +
         std::to_string(t.columns) + ", gap " + std::to_string(t.gap) + ", transposes " +
         std::to_string(t.op_a == Transpose::yes) + std::to_string(t.op_b == Transpose::yes) +
         ", alpha " + std::to_string(t.alpha) + ", beta " + std::to_string(t.beta);
}

inline Guarded operand(std::uint64_t seed, Transpose op, int rows, int columns, int gap) {
  return op == Transpose::yes ? Guarded(seed, columns, rows, gap)
                              : Guarded(seed, rows, columns, gap);
}

// The entries of op(m), row by row.
inline std::vector<double> entries(Transpose op, ConstMatrixRef m) {
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
struct Sums {
  std::vector<double> values, sizes;  // (rows, columns)
};

inline Sums sums_of(const Case& t, ConstMatrixRef a, ConstMatrixRef b, ConstMatrixRef c) {
  const double alpha = static_cast<double>(t.alpha), beta = static_cast<double>(t.beta);
  const std::vector<double> left = entries(t.op_a, a), right = entries(t.op_b, b);
  Sums sums;
  for (const double before : entries(Transpose::no, c)) {
    sums.values.push_back(beta * before);
    sums.sizes.push_back(std::fabs(beta * before));
  }
  // Pointers, because tests are compiled without optimisation.
  for (int r = 0; r < t.rows; ++r) {
    for (int i = 0; i < t.inner; ++i) {
      const double factor = alpha * left[static_cast<std::size_t>(r * t.inner + i)];
      const double* from = right.data() + i * t.columns;
      double *value = sums.values.data() + r * t.columns, *size = sums.sizes.data() + r * t.columns;
      for (const double* end = from + t.columns; from < end; ++from, ++value, ++size) {
        const double term = factor * *from;
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
    std::vector<Workspace> found;
    for (const IsaLevel level : kernels::kLevels) {
      if (kernels::is_level_supported(level)) found.emplace_back(level);
    }
    return found;
  }();
  return all;
}

inline void expect_product(const Case& t) {
  const std::string where = words(t);
  const Guarded a = operand(61, t.op_a, t.rows, t.inner, t.gap),
                b = operand(62, t.op_b, t.inner, t.columns, t.gap);
  Guarded once(63, t.rows, t.columns, t.gap);
  const Sums expected = sums_of(t, a.view, b.view, once.view);
  // If beta is 0, existing values are not read, so NaN must not propagate.
  for (int r = 0; t.beta == 0 && r < t.rows; ++r) std::fill_n(once.view.row(r), t.columns, NAN);
  std::vector<Guarded> by_level;
  for (Workspace& workspace : workspaces()) {
    Guarded& created = by_level.emplace_back(once);
    created.view.data = created.all.data();
    gemm(workspace, t.op_a, t.op_b, t.alpha, a.view, b.view, t.beta, created.view);
  }
  Guarded packed = once;
  packed.view.data = packed.all.data();
  gemm(t.op_a, t.op_b, t.alpha, a.view, b.view, t.beta, once.view);
  gemm(t.op_a, t.alpha, a.view, PackedMatrix(t.op_b, b.view), t.beta, packed.view);
  once.expect_guards(where);
  packed.expect_guards(where);
  for (std::size_t n = 0; n < by_level.size(); ++n) {
    const std::string level = kernels::level_name(workspaces()[n].level());
    by_level[n].expect_guards(level + ": " + where);
    for (int r = 0, at = 0; r < t.rows; ++r) {
      for (int c = 0; c < t.columns; ++c, ++at)
        ASSERT_NEAR(static_cast<double>(by_level[n].view.row(r)[c]), expected.values.data()[at],
                    1e-6 * (std::min(t.inner, 256) + 2) * expected.sizes.data()[at] + 1e-30)
            << level << ": " << where;
    }
  }
  for (int r = 0, at = 0; r < t.rows; ++r) {
    for (int c = 0; c < t.columns; ++c, ++at) {
      ASSERT_EQ(once.view.row(r)[c], packed.view.row(r)[c]) << where;
      ASSERT_NEAR(static_cast<double>(once.view.row(r)[c]), expected.values.data()[at],
                  1e-6 * (t.inner + 2) * expected.sizes.data()[at] + 1e-30)
          << where;
    }
  }
}

}  // namespace phasor::test::gemm_test
