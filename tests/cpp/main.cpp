// Exceptions end the program, as death tests expect. If GoogleTest caught them, the child process
// of a death test would run all later tests.

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "kernels/isa.h"

// PHASOR_TEST_LEVEL=avx2 phasor_tests limits the kernels to an instruction set level.
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
