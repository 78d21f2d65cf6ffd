// memset, memcpy and memmove at every small length, alignment and overlap. In the WebAssembly
// builds these are the functions of cpp/wasm/memory.cpp, elsewhere those of the C library.

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>

namespace phasor::test {
namespace {

using Bytes = std::array<unsigned char, 96>;

Bytes counted() {
  Bytes bytes;
  std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(1));
  return bytes;
}

// Volatile pointers keep compilers from inlining the calls.
void* (*volatile move)(void*, const void*, std::size_t) = std::memmove;
void* (*volatile copy)(void*, const void*, std::size_t) = std::memcpy;
void* (*volatile fill)(void*, int, std::size_t) = std::memset;

TEST(MemoryFunctions, MoveOverlappingRanges) {
  for (std::size_t from = 0; from < 40; ++from) {
    for (std::size_t to = 0; to < 40; ++to) {
      for (std::size_t count = 0; count <= 50; ++count) {
        Bytes got = counted(), expected = got;
        for (std::size_t i = 0; i < count; ++i) expected[to + i] = counted()[from + i];
        ASSERT_EQ(move(got.data() + to, got.data() + from, count), got.data() + to);
        ASSERT_EQ(got, expected) << count << " bytes from " << from << " to " << to;
      }
    }
  }
}

TEST(MemoryFunctions, CopyAndFillExactlyTheRange) {
  for (std::size_t to = 0; to < 12; ++to) {
    for (std::size_t count = 0; count <= 50; ++count) {
      const Bytes source = counted();
      Bytes copied{}, filled{}, expected{}, expected_fill{};
      for (std::size_t i = 0; i < count; ++i) {
        expected[to + i] = source[3 + i];
        expected_fill[to + i] = 0xA5;
      }
      copy(copied.data() + to, source.data() + 3, count);
      fill(filled.data() + to, 0x1A5, count);  // only the low byte counts
      ASSERT_EQ(copied, expected) << count << " to " << to;
      ASSERT_EQ(filled, expected_fill) << count << " to " << to;
    }
  }
}

}  // namespace
}  // namespace phasor::test
