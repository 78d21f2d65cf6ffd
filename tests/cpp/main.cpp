// What throws ends the program, which is what a death test waits for. GoogleTest would catch it,
// and the child process of the test would go on with every test that comes after it.

#include <gtest/gtest.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  GTEST_FLAG_SET(catch_exceptions, false);
  return RUN_ALL_TESTS();
}
