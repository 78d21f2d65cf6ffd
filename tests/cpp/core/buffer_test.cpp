// Working memory: its alignment, failing allocations, and the limit used by tests.

#include "core/buffer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace phasor::test {
namespace {

TEST(Buffer, IsAlignedToCacheLinesAndHasTheRequestedSize) {
  for (const std::size_t size : std::vector<std::size_t>{1, 15, 16, 17, 1000}) {
    Buffer buffer(size);
    ASSERT_EQ(buffer.size(), size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0U);
    // AddressSanitizer reports a buffer that is too small
    for (std::size_t i = 0; i < size; ++i) buffer.data()[i] = static_cast<float>(i);
    Buffer destination = std::move(buffer);
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(destination.data()[i], static_cast<float>(i));
  }
}

TEST(Buffer, IsEmptyAfterAMove) {
  Buffer first(20), second(3);
  first.data()[19] = 7;
  Buffer moved_buffer = std::move(first);
  EXPECT_EQ(first.size(), 0U);
  second = std::move(moved_buffer);
  EXPECT_EQ(moved_buffer.size(), 0U);
  ASSERT_EQ(second.size(), 20U);
  EXPECT_EQ(second.data()[19], 7);
}

TEST(CanAllocate, FailsAtTheCallSelectedByAMemoryWatch) {
  MemoryWatch watch(2);
  EXPECT_TRUE(can_allocate(100));
  EXPECT_FALSE(watch.has_failed());
  EXPECT_FALSE(can_allocate(10));
  EXPECT_TRUE(watch.has_failed());
  EXPECT_TRUE(can_allocate(1));
}

TEST(CanAllocate, FailsBeyondAMemoryLimitAndBeyondAnyMemory) {
  EXPECT_TRUE(can_allocate(0));
  EXPECT_TRUE(can_allocate(8 << 20));
  EXPECT_FALSE(can_allocate(std::ldexp(1.0, 62)));
  EXPECT_FALSE(can_allocate(HUGE_VAL));
  const MemoryLimit outer_limit(1000);
  EXPECT_TRUE(can_allocate(1000));
  EXPECT_FALSE(can_allocate(1001));
  {
    const MemoryLimit inner_limit(10);
    EXPECT_FALSE(can_allocate(11));
  }
  EXPECT_TRUE(can_allocate(1000));
}

}  // namespace
}  // namespace phasor::test
