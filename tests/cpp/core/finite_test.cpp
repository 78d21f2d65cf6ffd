#include "core/finite.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace phasor::test {
namespace {

TEST(FindFirstNonfinite, ReturnsTheIndexOfTheFirstNonfiniteValue) {
  const float largest = std::numeric_limits<float>::max(),
              infinity = std::numeric_limits<float>::infinity();
  for (const std::size_t size : {0u, 1u, 5u, 1023u, 1024u, 1025u, 3000u}) {
    std::vector<float> values(size, -largest);
    EXPECT_EQ(find_first_nonfinite(values), size);
    for (std::size_t index = 0; index < size; index += 1 + size / 7) {
      for (const float nonfinite : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
        values.back() = infinity;
        values[index] = nonfinite;
        EXPECT_EQ(find_first_nonfinite(values), index) << size;
        values[index] = values.back() = std::numeric_limits<float>::denorm_min();
      }
    }
  }
}

}  // namespace
}  // namespace phasor::test
