// Both variants of the rotations, for every number of pairs around the number of lanes.

#include <gtest/gtest.h>

#include "kernel_row.h"
#include "numbers.h"

namespace phasor::test {
namespace {

using Rotate = void (*)(float*, const float*, const float*, int);

TEST(Rotation, AgreesWithTheFormulaForEveryNumberOfPairs) {
  const std::vector<std::tuple<const char*, Rotate, bool>> all = {
      {"scalar interleaved", kernels::scalar::rotate_interleaved, true},
      {"simd interleaved", kernels::simd::rotate_interleaved, true},
      {"scalar half split", kernels::scalar::rotate_half_split, false},
      {"simd half split", kernels::simd::rotate_half_split, false}};
  for (const auto& [name, rotate, interleaved] : all) {
    for (int pairs = 0; pairs <= 2 * kernels::kPanelColumns + 1; ++pairs) {
      const std::size_t count = static_cast<std::size_t>(pairs);
      std::vector<float> values = dyadic(51, {2 * pairs + 1}).data, cosine(count), sine(count);
      values.pop_back();
      for (std::size_t t = 0; t < count; ++t) {
        cosine[t] = static_cast<float>(std::cos(0.7 * static_cast<double>(t) + 0.2));
        sine[t] = static_cast<float>(std::sin(0.7 * static_cast<double>(t) + 0.2));
      }
      std::vector<double> expected(values.size());
      for (std::size_t t = 0; t < count; ++t) {
        const std::size_t first = interleaved ? 2 * t : t,
                          second = interleaved ? 2 * t + 1 : t + count;
        const double x = static_cast<double>(values[first]),
                     y = static_cast<double>(values[second]);
        const double c = static_cast<double>(cosine[t]), s = static_cast<double>(sine[t]);
        expected[first] = x * c - y * s;
        expected[second] = x * s + y * c;
      }
      for (int shift = 0; shift < kernels::kLanes; ++shift) {
        GuardedRow row(values, shift);
        rotate(row.data(), cosine.data(), sine.data(), pairs);
        row.expect_guards(name);
        ASSERT_LT(largest_error(row.values(), expected), 3e-7)
            << name << " pairs " << pairs << " shift " << shift;
      }
    }
  }
}

}  // namespace
}  // namespace phasor::test
