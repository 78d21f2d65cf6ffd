// An exception ends the program, as a death test expects. GoogleTest would catch it, and the child
// process of the test would go on with every later test.

#include <gtest/gtest.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  GTEST_FLAG_SET(catch_exceptions, false);
  return RUN_ALL_TESTS();
}
