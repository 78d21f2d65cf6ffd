// An exception ends the program, as a death test expects. GoogleTest would catch it, and the child
// process of the test would go on with every later test.

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "kernels/isa.h"

// PHASOR_TEST_LEVEL=avx2 phasor_tests: the suite with the vectors of a level at most.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  GTEST_FLAG_SET(catch_exceptions, false);
  std::optional<phasor::kernels::LevelLimit> limit;
  const char* name = std::getenv("PHASOR_TEST_LEVEL");
  for (const phasor::kernels::IsaLevel level : phasor::kernels::kLevels) {
    if (name != nullptr && std::string(name) == phasor::kernels::level_name(level))
      limit.emplace(level);
  }
  if (name != nullptr && !limit) return 2;
  return RUN_ALL_TESTS();
}
