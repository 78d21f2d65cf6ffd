// gemm against sums in double, with transposes, factors, strides and random sizes. Nothing is
// written beside c. The overload with a workspace runs at every supported level.

#include "kernels/gemm.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "gemm_case.h"

namespace phasor::test::gemm_test {
namespace {

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

TEST(Gemm, AgreesWithPlainSumsForEveryTransposeAndFactor) {
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

// Beyond one packed block (256 terms, 192 rows, 1024 columns), and with rows that map to
// few sets of the cache.
TEST(Gemm, AgreesWithPlainSumsBeyondOneBlock) {
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

// On every machine, the order of the sums is that of this loop, and every product is rounded.
TEST(Gemm, EqualsFloatSumsBitwiseAtThePortableLevel) {
  const int rows = 11, inner = 300, columns = 39;
  const Tensor a = dyadic(71, {rows, inner}), b = dyadic(72, {inner, columns}),
               before = dyadic(73, {rows, columns});
  Tensor transposed({inner, rows});
  for (int r = 0; r < rows; ++r) {
    for (int i = 0; i < inner; ++i) matrix(transposed).row(i)[r] = matrix(a).row(r)[i] / 3;
  }
  Workspace workspace;
  Tensor full_product = before, single_row = before;
  gemm(workspace, Transpose::yes, Transpose::no, 1, matrix(transposed), matrix(b), 1,
       matrix(full_product));
  for (int r = 0; r < rows; ++r) {
    gemm(workspace, Transpose::yes, Transpose::no, 1,
         kernels::columns_of(matrix(std::as_const(transposed)), r, 1), matrix(b), 1,
         rows_of(matrix(single_row), r, 1));
    for (int c = 0; c < columns; ++c) {
      float expected = matrix(before).row(r)[c];
      for (int first = 0; first < inner; first += 256) {
        volatile float sum = 0;  // prevents fusing and reordering
        for (int i = first; i < std::min(first + 256, inner); ++i) {
          const volatile float product = matrix(transposed).row(i)[r] * matrix(b).row(i)[c];
          sum = sum + product;
        }
        expected += sum;
      }
      ASSERT_EQ(matrix(full_product).row(r)[c], expected) << r << " " << c;
      ASSERT_EQ(matrix(single_row).row(r)[c], expected) << r << " " << c;
    }
  }
}

// A NaN or an infinity affects only the sums that it is a term of.
TEST(Gemm, PropagatesNonFiniteValues) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (Workspace& workspace : workspaces()) {
    for (const Transpose op_a : {Transpose::no, Transpose::yes}) {
      for (const Transpose op_b : {Transpose::no, Transpose::yes}) {
        for (const int rows : {1, 3, 21}) {
          const int inner = 19, columns = 37;
          GuardedMatrix a = make_operand(74, op_a, rows, inner, 2),
                        b = make_operand(75, op_b, inner, columns, 2), c(76, rows, columns, 1);
          const auto element = [](GuardedMatrix& m, Transpose op, int r, int i) -> float& {
            return op == Transpose::yes ? m.view.row(i)[r] : m.view.row(r)[i];
          };
          for (int i = 0; i < inner; ++i) element(a, op_a, rows - 1, i) = 1;
          for (int i = 0; i < inner; ++i) element(b, op_b, i, columns - 1) = 1;
          element(a, op_a, rows - 1, 18) = infinity;
          element(b, op_b, 17, columns - 1) = NAN;
          element(b, op_b, 18, columns - 2) = 0;
          gemm(workspace, op_a, op_b, 1, a.view, b.view, 0, c.view);
          for (int r = 0; r < rows; ++r) {
            for (int n = 0; n < columns; ++n) {
              const float value = c.view.row(r)[n], factor = element(b, op_b, 18, n);
              const std::string where = std::string(kernels::level_name(workspace.level())) + " " +
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

TEST(Workspace, ReusesItsMemory) {
  const Tensor a = dyadic(77, {300, 200}), b = dyadic(78, {200, 70});
  Tensor c({300, 70});
  for (Workspace& workspace : workspaces()) {
    const auto run = [&] {
      gemm(workspace, Transpose::no, Transpose::no, 1, matrix(a), matrix(b), 0, matrix(c));
    };
    run();
    const float *left = workspace.left_memory(1), *right = workspace.right_memory(1);
    run();
    EXPECT_EQ(workspace.left_memory(1), left);
    EXPECT_EQ(workspace.right_memory(1), right);
  }
}

TEST(IsaLevels, SupportsThePortableAndTheBestLevel) {
  EXPECT_TRUE(kernels::is_level_supported(IsaLevel::portable));
  EXPECT_TRUE(kernels::is_level_supported(kernels::best_level()));
  EXPECT_EQ(Workspace().level(), IsaLevel::portable);
#if defined(__x86_64__)
  EXPECT_FALSE(kernels::is_level_supported(IsaLevel::neon));
  EXPECT_DEATH((void)Workspace{IsaLevel::neon}, "");
#endif
}

TEST(Transpose, HandlesPartialBlocks) {
  for (const auto& [rows, columns] : std::vector<std::array<int, 2>>{
           {1, 1}, {3, 5}, {4, 4}, {16, 128}, {17, 131}, {50, 7}, {7, 300}}) {
    const GuardedMatrix source(79, rows, columns, 3);
    const GuardedMatrix destination(80, columns, rows, 2);
    kernels::transpose(source.view, destination.view);
    destination.expect_guards("transpose");
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c)
        ASSERT_EQ(destination.view.row(c)[r], source.view.row(r)[c]);
    }
  }
}

TEST(Gemm, ReturnsANewTensor) {
  const Tensor a = dyadic(64, {3, 5}), b = dyadic(65, {5, 18});
  const Tensor c = gemm(-0.5f, matrix(a), PackedMatrix(Transpose::no, matrix(b)));
  ASSERT_EQ(c.shape, (std::vector<int>{3, 18}));
  const ReferenceProduct expected = compute_reference({.op_a = Transpose::no,
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

// A slice of columns that starts at a panel gives the same bits as the whole matrix.
TEST(Gemm, MultipliesByPartOfAPackedMatrix) {
  const Tensor a = dyadic(66, {4, 6}), b = dyadic(67, {6, 50});
  const PackedMatrix packed(Transpose::no, matrix(b));
  const Tensor full_product = gemm(1, matrix(a), packed);
  Tensor part({4, 50});
  gemm(Transpose::no, 1, matrix(a), static_cast<kernels::Panels>(packed).slice_columns(16, 20), 0,
       kernels::columns_of(matrix(part), 16, 20));
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 50; ++c)
      ASSERT_EQ(matrix(part).row(r)[c], c >= 16 && c < 36 ? matrix(full_product).row(r)[c] : 0.0f)
          << r << " " << c;
  }
}

// A smaller matrix in the same memory has no columns of the previous one.
TEST(PackedMatrix, ReusesItsMemory) {
  PackedMatrix second_matrix;
  const Tensor large = dyadic(68, {20, 40}), small = dyadic(69, {7, 18}), a = dyadic(70, {2, 7});
  const float* memory = second_matrix.pack(Transpose::no, matrix(large)).data;
  EXPECT_EQ(second_matrix.pack(Transpose::no, matrix(small)).data, memory);
  EXPECT_EQ(gemm(1, matrix(a), second_matrix).data,
            gemm(1, matrix(a), PackedMatrix(Transpose::no, matrix(small))).data);
  second_matrix = PackedMatrix(Transpose::yes, matrix(small));
  EXPECT_EQ(static_cast<kernels::Panels>(second_matrix).inner, 18);
  EXPECT_EQ(static_cast<kernels::Panels>(second_matrix).columns, 7);
}

// The address sanitizer detects a copy that reads the memory of the original.
TEST(PackedMatrix, CopiesToSeparateMemory) {
  const Tensor b = dyadic(71, {7, 18}), a = dyadic(72, {2, 7});
  const Tensor product = gemm(1, matrix(a), PackedMatrix(Transpose::no, matrix(b)));
  auto original = std::make_unique<PackedMatrix>(Transpose::no, matrix(b));
  const PackedMatrix copy = *original;
  EXPECT_NE(static_cast<kernels::Panels>(copy).data, static_cast<kernels::Panels>(*original).data);
  original->pack(Transpose::no, matrix(a));
  original.reset();
  EXPECT_EQ(gemm(1, matrix(a), copy).data, product.data);
}

}  // namespace
}  // namespace phasor::test::gemm_test
