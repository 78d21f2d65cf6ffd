// The matrix product against plain sums in double: transposes, factors, strides and sizes drawn at
// random, and nothing written beside c; the one with a workspace at every level that this processor
// has.

#include "kernels/gemm.h"

#include <gtest/gtest.h>

#include <array>

#include "kernel_row.h"
#include "numbers.h"

namespace phasor::test::gemm_test {
namespace {

using kernels::gemm;
using kernels::Level;
using kernels::PackedMatrix;
using kernels::Transpose;
using kernels::Workspace;

// Rows of numbers with guards between and behind them.
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

std::string words(const Case& t) {
  return std::to_string(t.rows) + " x " + std::to_string(t.inner) + " x " +
         std::to_string(t.columns) + ", gap " + std::to_string(t.gap) + ", transposes " +
         std::to_string(t.op_a == Transpose::yes) + std::to_string(t.op_b == Transpose::yes) +
         ", alpha " + std::to_string(t.alpha) + ", beta " + std::to_string(t.beta);
}

Guarded operand(std::uint64_t seed, Transpose op, int rows, int columns, int gap) {
  return op == Transpose::yes ? Guarded(seed, columns, rows, gap)
                              : Guarded(seed, rows, columns, gap);
}

// The entries of op(m), row by row.
std::vector<double> entries(Transpose op, ConstMatrixRef m) {
  const bool turned = op == Transpose::yes;
  std::vector<double> all;
  for (int r = 0; r < (turned ? m.columns : m.rows); ++r) {
    for (int c = 0; c < (turned ? m.rows : m.columns); ++c)
      all.push_back(static_cast<double>(turned ? m.row(c)[r] : m.row(r)[c]));
  }
  return all;
}

// alpha op(a) op(b) + beta c by plain sums in double, and the sum of the sizes of their terms.
struct Sums {
  std::vector<double> values, sizes;  // (rows, columns)
};

Sums sums_of(const Case& t, ConstMatrixRef a, ConstMatrixRef b, ConstMatrixRef c) {
  const double alpha = static_cast<double>(t.alpha), beta = static_cast<double>(t.beta);
  const std::vector<double> left = entries(t.op_a, a), right = entries(t.op_b, b);
  Sums sums;
  for (const double before : entries(Transpose::no, c)) {
    sums.values.push_back(beta * before);
    sums.sizes.push_back(std::fabs(beta * before));
  }
  // By pointers, because this is not optimised.
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

// One of each level, used by all cases: a workspace keeps nothing of a product.
std::vector<Workspace>& workspaces() {
  static std::vector<Workspace> all = [] {
    std::vector<Workspace> found;
    for (const Level level : kernels::kLevels) {
      if (kernels::runs_here(level)) found.emplace_back(level);
    }
    return found;
  }();
  return all;
}

void expect_product(const Case& t) {
  const std::string where = words(t);
  const Guarded a = operand(61, t.op_a, t.rows, t.inner, t.gap),
                b = operand(62, t.op_b, t.inner, t.columns, t.gap);
  Guarded once(63, t.rows, t.columns, t.gap);
  const Sums expected = sums_of(t, a.view, b.view, once.view);
  // What is there is not read with beta 0: not even a NaN.
  for (int r = 0; t.beta == 0 && r < t.rows; ++r) std::fill_n(once.view.row(r), t.columns, NAN);
  std::vector<Guarded> by_level;
  for (Workspace& workspace : workspaces()) {
    Guarded& made = by_level.emplace_back(once);
    made.view.data = made.all.data();
    gemm(workspace, t.op_a, t.op_b, t.alpha, a.view, b.view, t.beta, made.view);
  }
  Guarded packed = once;
  packed.view.data = packed.all.data();
  gemm(t.op_a, t.op_b, t.alpha, a.view, b.view, t.beta, once.view);
  gemm(t.op_a, t.alpha, a.view, PackedMatrix(t.op_b, b.view), t.beta, packed.view);
  once.expect_guards(where);
  packed.expect_guards(where);
  for (std::size_t n = 0; n < by_level.size(); ++n) {
    const std::string level = kernels::name_of(workspaces()[n].level());
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

TEST(Gemm, AgreesWithPlainSumsAtRandomShapes) {
  SplitMix64 random(5);
  const auto draw = [&](int end) { return static_cast<int>(random.next() >> 33) % end; };
  const float factors[] = {0, 1, -0.75f, 2.5f};
  for (int n = 0; n < 400; ++n) {
    expect_product({draw(2) == 0 ? Transpose::no : Transpose::yes,
                    draw(2) == 0 ? Transpose::no : Transpose::yes, 1 + draw(20), 1 + draw(40),
                    1 + draw(50), draw(4), factors[draw(4)], factors[draw(4)]});
  }
}

TEST(Gemm, AgreesWithPlainSumsForEveryTransposeAndFactorOfOneRowOneColumnAndNothing) {
  for (const Transpose op_a : {Transpose::no, Transpose::yes}) {
    for (const Transpose op_b : {Transpose::no, Transpose::yes}) {
      for (const float alpha : {0.0f, 1.0f, 0.5f}) {
        for (const float beta : {0.0f, 1.0f, -2.0f}) {
          for (const auto& [rows, inner, columns] : std::vector<std::array<int, 3>>{{1, 7, 33},
                                                                                    {5, 7, 1},
                                                                                    {1, 1, 1},
                                                                                    {3, 1, 16},
                                                                                    {2, 16, 17},
                                                                                    {0, 3, 4},
                                                                                    {3, 0, 4},
                                                                                    {3, 4, 0},
                                                                                    {0, 0, 0}}) {
            for (const int gap : {0, 3})
              expect_product({op_a, op_b, rows, inner, columns, gap, alpha, beta});
          }
        }
      }
    }
  }
}

// Beyond what is packed and cut at a time: 256 terms, 192 rows, 1024 columns, and rows that lie in
// few sets of the cache.
TEST(Gemm, AgreesWithPlainSumsWhereItIsCut) {
  for (const Transpose op_a : {Transpose::no, Transpose::yes}) {
    for (const Transpose op_b : {Transpose::no, Transpose::yes}) {
      expect_product({op_a, op_b, 197, 259, 67, 5, -0.75f, 1});
      expect_product({op_a, op_b, 9, 520, 1042, 0, 0.5f, 0});
      expect_product({op_a, op_b, 33, 512, 96, 512 - 96, 1, -0.5f});
      expect_product({op_a, op_b, 512, 40, 80, 0, 2, 1});
      expect_product({op_a, op_b, 1, 517, 1061, 3, 0.25f, 1});
    }
  }
}

// Sums in the order in which they are written here, each product rounded: on every machine.
TEST(Gemm, HasTheBitsOfPlainSumsAtThePortableLevel) {
  const int rows = 11, inner = 300, columns = 39;
  const Tensor a = dyadic(71, {rows, inner}), b = dyadic(72, {inner, columns}),
               before = dyadic(73, {rows, columns});
  Tensor turned({inner, rows});
  for (int r = 0; r < rows; ++r) {
    for (int i = 0; i < inner; ++i) matrix(turned).row(i)[r] = matrix(a).row(r)[i] / 3;
  }
  Workspace workspace;
  Tensor whole = before, alone = before;
  gemm(workspace, Transpose::yes, Transpose::no, 1, matrix(turned), matrix(b), 1, matrix(whole));
  for (int r = 0; r < rows; ++r) {
    gemm(workspace, Transpose::yes, Transpose::no, 1,
         kernels::columns_of(matrix(std::as_const(turned)), r, 1), matrix(b), 1,
         rows_of(matrix(alone), r, 1));
    for (int c = 0; c < columns; ++c) {
      float expected = matrix(before).row(r)[c];
      for (int first = 0; first < inner; first += 256) {
        volatile float sum = 0;  // volatile: no compiler fuses or reorders these
        for (int i = first; i < std::min(first + 256, inner); ++i) {
          const volatile float product = matrix(turned).row(i)[r] * matrix(b).row(i)[c];
          sum = sum + product;
        }
        expected += sum;
      }
      ASSERT_EQ(matrix(whole).row(r)[c], expected) << r << " " << c;
      ASSERT_EQ(matrix(alone).row(r)[c], expected) << r << " " << c;
    }
  }
}

// A NaN or an infinity reaches every sum that it is a term of, and no other one.
TEST(Gemm, PassesOnWhatIsNotFinite) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (Workspace& workspace : workspaces()) {
    for (const Transpose op_a : {Transpose::no, Transpose::yes}) {
      for (const Transpose op_b : {Transpose::no, Transpose::yes}) {
        for (const int rows : {1, 3, 21}) {
          const int inner = 19, columns = 37;
          Guarded a = operand(74, op_a, rows, inner, 2), b = operand(75, op_b, inner, columns, 2),
                  c(76, rows, columns, 1);
          const auto at = [](Guarded& m, Transpose op, int r, int i) -> float& {
            return op == Transpose::yes ? m.view.row(i)[r] : m.view.row(r)[i];
          };
          for (int i = 0; i < inner; ++i) at(a, op_a, rows - 1, i) = 1;
          for (int i = 0; i < inner; ++i) at(b, op_b, i, columns - 1) = 1;
          at(a, op_a, rows - 1, 18) = infinity;
          at(b, op_b, 17, columns - 1) = NAN;
          at(b, op_b, 18, columns - 2) = 0;
          gemm(workspace, op_a, op_b, 1, a.view, b.view, 0, c.view);
          for (int r = 0; r < rows; ++r) {
            for (int n = 0; n < columns; ++n) {
              const float value = c.view.row(r)[n], factor = at(b, op_b, 18, n);
              const std::string where = std::string(kernels::name_of(workspace.level())) + " " +
                                        std::to_string(r) + " " + std::to_string(n);
              if (n == columns - 1 || (r == rows - 1 && factor == 0))
                ASSERT_TRUE(std::isnan(value)) << where;
              else if (r == rows - 1)
                ASSERT_EQ(value, std::copysign(infinity, factor)) << where;
              else
                ASSERT_TRUE(std::isfinite(value)) << where;
            }
          }
        }
      }
    }
  }
}

// Once the memory is there, a product takes no other.
TEST(Workspace, KeepsItsMemory) {
  const Tensor a = dyadic(77, {300, 200}), b = dyadic(78, {200, 70});
  Tensor c({300, 70});
  for (Workspace& workspace : workspaces()) {
    const auto run = [&] {
      gemm(workspace, Transpose::no, Transpose::no, 1, matrix(a), matrix(b), 0, matrix(c));
    };
    run();
    const float *left = workspace.left(1), *right = workspace.right(1);
    run();
    EXPECT_EQ(workspace.left(1), left);
    EXPECT_EQ(workspace.right(1), right);
  }
}

TEST(Levels, ThePortableOneRunsEverywhereAndTheWidestHere) {
  EXPECT_TRUE(kernels::runs_here(Level::portable));
  EXPECT_TRUE(kernels::runs_here(kernels::widest_level()));
  EXPECT_EQ(Workspace().level(), Level::portable);
#if defined(__x86_64__)
  EXPECT_FALSE(kernels::runs_here(Level::neon));
  EXPECT_DEATH((void)Workspace{Level::neon}, "");
#endif
}

TEST(Gemm, TransposesBlockByBlock) {
  for (const auto& [rows, columns] : std::vector<std::array<int, 2>>{
           {1, 1}, {3, 5}, {4, 4}, {16, 128}, {17, 131}, {50, 7}, {7, 300}}) {
    const Guarded from(79, rows, columns, 3);
    const Guarded to(80, columns, rows, 2);
    kernels::transpose(from.view, to.view);
    to.expect_guards("transpose");
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) ASSERT_EQ(to.view.row(c)[r], from.view.row(r)[c]);
    }
  }
}

TEST(Gemm, AnswersANewTensor) {
  const Tensor a = dyadic(64, {3, 5}), b = dyadic(65, {5, 18});
  const Tensor c = gemm(-0.5f, matrix(a), PackedMatrix(Transpose::no, matrix(b)));
  ASSERT_EQ(c.shape, (std::vector<int>{3, 18}));
  const Sums expected = sums_of({.op_a = Transpose::no,
                                 .op_b = Transpose::no,
                                 .rows = 3,
                                 .inner = 5,
                                 .columns = 18,
                                 .gap = 0,
                                 .alpha = -0.5f,
                                 .beta = 0},
                                matrix(a), matrix(b), matrix(c));
  for (std::size_t n = 0; n < c.data.size(); ++n)
    ASSERT_NEAR(static_cast<double>(c.data[n]), expected.values[n], 1e-5);
}

// Columns from the start of a panel on are a right side of their own, with the same bits.
TEST(Gemm, MultipliesByPartOfAPackedMatrix) {
  const Tensor a = dyadic(66, {4, 6}), b = dyadic(67, {6, 50});
  const PackedMatrix packed(Transpose::no, matrix(b));
  const Tensor whole = gemm(1, matrix(a), packed);
  Tensor part({4, 50});
  gemm(Transpose::no, 1, matrix(a), static_cast<kernels::Panels>(packed).columns_from(16, 20), 0,
       kernels::columns_of(matrix(part), 16, 20));
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 50; ++c)
      ASSERT_EQ(matrix(part).row(r)[c], c >= 16 && c < 36 ? matrix(whole).row(r)[c] : 0.0f)
          << r << " " << c;
  }
}

// A matrix that is packed after a larger one, in the same memory, has no columns of it.
TEST(PackedMatrix, TakesTheMemoryItHasAgain) {
  PackedMatrix again;
  const Tensor large = dyadic(68, {20, 40}), small = dyadic(69, {7, 18}), a = dyadic(70, {2, 7});
  const float* memory = again.pack(Transpose::no, matrix(large)).data;
  EXPECT_EQ(again.pack(Transpose::no, matrix(small)).data, memory);
  EXPECT_EQ(gemm(1, matrix(a), again).data,
            gemm(1, matrix(a), PackedMatrix(Transpose::no, matrix(small))).data);
  again = PackedMatrix(Transpose::yes, matrix(small));
  EXPECT_EQ(static_cast<kernels::Panels>(again).inner, 18);
  EXPECT_EQ(static_cast<kernels::Panels>(again).columns, 7);
}

}  // namespace
}  // namespace phasor::test::gemm_test
