// Weights in the data types of checkpoints: products against sums in double at every edge of a
// panel, a block and a run of 256 terms, and the conversion of every finite half.

#include "kernels/stored_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "numbers.h"

namespace phasor::test::stored_matrix_test {
namespace {

using kernels::get_block_size;
using kernels::StoredMatrix;
using kernels::WeightDType;

constexpr WeightDType kDTypes[] = {WeightDType::f32, WeightDType::bf16, WeightDType::f16,
                                   WeightDType::int8_blocks, WeightDType::int8_blocks_16};

// The value of an IEEE 754 binary16.
double half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}
// The value of a normal bfloat16.
double bfloat16(std::uint16_t bits) {
  const double size = std::ldexp(128 + (bits & 127), (bits >> 7 & 255) - 134);
  return (bits & 0x8000) != 0 ? -size : size;
}

struct RandomMatrix {
  StoredMatrix matrix;
  std::vector<double> exact;  // (out, in)
};

RandomMatrix create_matrix(WeightDType dtype, int out, int in) {
  RandomMatrix result{StoredMatrix(dtype, out, in), {}};
  SplitMix64 random(static_cast<std::uint64_t>(out * 1000 + in));
  const int terms = get_block_size(dtype);
  const auto draw_value = [&] { return static_cast<double>(random.next() >> 40) * 0x1p-23 - 1; };
  for (int o = 0; o < out; ++o) {
    for (int i = 0; i < in; ++i) {
      const auto value = static_cast<float>(draw_value());
      if (dtype == WeightDType::f32) {
        result.matrix.set(o, i, value);
        result.exact.push_back(static_cast<double>(value));
      } else if (dtype == WeightDType::f16 || dtype == WeightDType::bf16) {
        const bool is_half = dtype == WeightDType::f16;
        // Magnitudes from 0.5 to 2.
        const auto bits = static_cast<std::uint16_t>(is_half ? (random.next() & 0x87ffu) | 0x3800u
                                                             : (random.next() & 0x80ffu) | 0x3f00u);
        result.matrix.set(o, i, bits);
        result.exact.push_back(is_half ? half(bits) : bfloat16(bits));
      } else if (i % terms == 0) {
        std::int8_t q[32];
        for (std::int8_t& x : q) x = static_cast<std::int8_t>(random.next() >> 56);
        const auto scale = static_cast<float>(draw_value()),
                   offset = static_cast<float>(draw_value());
        result.matrix.set_block(o, i / terms, scale, offset, q);
        for (int t = 0; t < std::min(terms, in - i); ++t)
          result.exact.push_back(static_cast<double>(scale) * q[t] + static_cast<double>(offset));
      }
    }
  }
  return result;
}

Tensor product(const StoredMatrix& matrix, const Tensor& x, kernels::IsaLevel level,
               int threads = 1) {
  Tensor y({x.shape[0], matrix.out_features()});
  matrix.multiply(phasor::matrix(x), phasor::matrix(y), level, threads);
  return y;
}

std::vector<kernels::IsaLevel> levels() {
  std::vector<kernels::IsaLevel> out;
  for (const kernels::IsaLevel level : kernels::kLevels) {
    if (kernels::is_level_supported(level)) out.push_back(level);
  }
  return out;
}

void expect_sums(const RandomMatrix& sample, const Tensor& x, WeightDType dtype,
                 kernels::IsaLevel level) {
  const Tensor y = product(sample.matrix, x, level);
  const int rows = x.shape[0], in = x.shape[1], out = sample.matrix.out_features();
  for (int r = 0; r < rows; ++r) {
    for (int o = 0; o < out; ++o) {
      double sum = 0, size = 0;
      for (int i = 0; i < in; ++i) {
        const double term = static_cast<double>(x.data[static_cast<std::size_t>(r * in + i)]) *
                            sample.exact[static_cast<std::size_t>(o * in + i)];
        sum += term;
        size += std::fabs(term);
      }
      // Each block of x is rounded relative to its largest value.
      const double bound = get_block_size(dtype) > 0 ? 2e-6 * (size + 64) : 2e-6 * size;
      ASSERT_NEAR(static_cast<double>(y.data[static_cast<std::size_t>(r * out + o)]), sum,
                  bound + 1e-30)
          << static_cast<int>(dtype) << ": " << rows << " x " << in << " x " << out << ", "
          << kernels::level_name(level);
    }
  }
}

TEST(StoredMatrix, AgreesWithSumsInDoubleAtEveryEdge) {
  for (const WeightDType dtype : kDTypes) {
    for (const int out : {1, 4, 7, 8, 15, 16, 17, 33, 64, 81}) {
      for (const int in : {1, 2, 3, 31, 32, 33, 64, 255, 256, 257, 300, 513}) {
        const RandomMatrix sample = create_matrix(dtype, out, in);
        for (const int rows : {0, 1, 2, 3, 5, 9}) {
          Tensor x = dyadic(static_cast<std::uint64_t>(rows + in), {rows, in});
          for (float& value : x.data) value *= 1.1f;  // uses all bits of the mantissa
          for (const kernels::IsaLevel level : levels()) expect_sums(sample, x, dtype, level);
        }
      }
    }
  }
}

TEST(StoredMatrix, DoesNotDependOnTheNumberOfThreads) {
  for (const kernels::IsaLevel level : levels()) {
    for (const WeightDType dtype : kDTypes) {
      // Large enough for several parts, the last with a partial panel.
      const RandomMatrix sample = create_matrix(dtype, 1803, 500);
      for (const int rows : {1, 3}) {
        for (const bool finite : {true, false}) {
          Tensor x = dyadic(5, {rows, 500});
          for (float& value : x.data) value *= 1.1f;
          if (!finite) x.data[7] = std::numeric_limits<float>::infinity();
          const Tensor single_thread = product(sample.matrix, x, level);
          for (const int threads : {2, 5}) {
            const Tensor multi_thread = product(sample.matrix, x, level, threads);
            EXPECT_EQ(0, std::memcmp(multi_thread.data.data(), single_thread.data.data(),
                                     single_thread.data.size() * sizeof(float)))
                << static_cast<int>(dtype) << ", " << rows << " rows, " << threads << " threads, "
                << kernels::level_name(level);
          }
        }
      }
    }
  }
}

TEST(StoredMatrix, ComputesEachRowIndependently) {
  for (const kernels::IsaLevel level : levels()) {
    for (const WeightDType dtype : {WeightDType::f32, WeightDType::bf16, WeightDType::f16}) {
      const RandomMatrix sample = create_matrix(dtype, 101, 600);
      Tensor x = dyadic(3, {9, 600});
      for (float& value : x.data) value *= 1.1f;
      const Tensor all_rows = product(sample.matrix, x, level);
      for (int r = 0; r < 9; ++r) {
        const auto first = x.data.begin() + r * 600;
        const Tensor single_row =
            product(sample.matrix, Tensor({1, 600}, {first, first + 600}), level);
        EXPECT_TRUE(std::equal(single_row.data.begin(), single_row.data.end(),
                               all_rows.data.begin() + r * 101))
            << kernels::level_name(level);
      }
    }
  }
}

TEST(StoredMatrix, CopiesRowsExactly) {
  for (const WeightDType dtype : kDTypes) {
    const RandomMatrix sample = create_matrix(dtype, 19, 290);
    std::vector<float> row(290);
    for (int o = 0; o < 19; ++o) {
      sample.matrix.copy_row(o, row.data());
      for (std::size_t i = 0; i < row.size(); ++i) {
        const double exact = sample.exact[static_cast<std::size_t>(o) * 290 + i];
        // scale * q + offset is rounded twice.
        const double bound = get_block_size(dtype) > 0 ? 2e-5 : 0;
        ASSERT_NEAR(static_cast<double>(row[i]), exact, bound);
      }
    }
  }
}

TEST(StoredMatrix, WidensEveryFiniteHalfExactly) {
  StoredMatrix matrix(WeightDType::f16, 64, 1024);
  const auto bit_pattern = [](int o, int i) { return static_cast<std::uint16_t>(o * 1024 + i); };
  const auto is_finite = [](std::uint16_t bits) { return (bits & 0x7c00u) != 0x7c00u; };
  for (int o = 0; o < 64; ++o) {
    for (int i = 0; i < 1024; ++i) {
      if (is_finite(bit_pattern(o, i))) matrix.set(o, i, bit_pattern(o, i));
    }
  }
  std::vector<float> row(1024);
  for (int o = 0; o < 64; ++o) {
    matrix.copy_row(o, row.data());
    for (int i = 0; i < 1024; ++i) {
      if (!is_finite(bit_pattern(o, i))) continue;
      const auto expected = static_cast<float>(half(bit_pattern(o, i)));
      ASSERT_EQ(row[static_cast<std::size_t>(i)], expected);
      ASSERT_EQ(std::signbit(row[static_cast<std::size_t>(i)]), std::signbit(expected));
    }
  }
}

TEST(StoredMatrix, PropagatesNanAndInfinity) {
  for (const WeightDType dtype : kDTypes) {
    const RandomMatrix sample = create_matrix(dtype, 5, 40);
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), HUGE_VALF}) {
      Tensor x = dyadic(1, {1, 40});
      x.data[33] = bad;
      for (const kernels::IsaLevel level : levels()) {
        for (const float y : product(sample.matrix, x, level).data) EXPECT_FALSE(std::isfinite(y));
      }
    }
  }
}

TEST(StoredMatrix, ReportsItsSizeInBytes) {
  EXPECT_EQ(StoredMatrix::bytes(WeightDType::f32, 16, 64), 4096);
  EXPECT_EQ(StoredMatrix::bytes(WeightDType::bf16, 17, 64), 4096);
  EXPECT_EQ(StoredMatrix::bytes(WeightDType::int8_blocks, 16, 64), 1280);
  EXPECT_EQ(StoredMatrix::bytes(WeightDType::int8_blocks_16, 16, 64), 1536);
}

}  // namespace
}  // namespace phasor::test::stored_matrix_test
