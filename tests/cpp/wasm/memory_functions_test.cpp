// memset, memcpy and memmove at every small length, alignment and overlap. In the WebAssembly
// builds these are the functions of cpp/wasm/memory.cpp, elsewhere those of the C library.

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>

namespace phasor::test {
namespace {

using Bytes = std::array<unsigned char, 96>;

Bytes make_bytes() {
  Bytes bytes;
  std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(1));
  return bytes;
}

// Volatile pointers keep compilers from inlining the calls.
void* (*volatile move)(void*, const void*, std::size_t) = std::memmove;
void* (*volatile copy)(void*, const void*, std::size_t) = std::memcpy;
void* (*volatile fill)(void*, int, std::size_t) = std::memset;

TEST(MemoryFunctions, MoveOverlappingRanges) {
  for (std::size_t source_offset = 0; source_offset < 40; ++source_offset) {
    for (std::size_t target_offset = 0; target_offset < 40; ++target_offset) {
      for (std::size_t count = 0; count <= 50; ++count) {
        Bytes actual = make_bytes(), expected = actual;
        for (std::size_t i = 0; i < count; ++i)
          expected[target_offset + i] = make_bytes()[source_offset + i];
        ASSERT_EQ(move(actual.data() + target_offset, actual.data() + source_offset, count),
                  actual.data() + target_offset);
        ASSERT_EQ(actual, expected)
            << count << " bytes from " << source_offset << " to " << target_offset;
      }
    }
  }
}

TEST(MemoryFunctions, CopyAndFillExactlyTheRange) {
  for (std::size_t target_offset = 0; target_offset < 12; ++target_offset) {
    for (std::size_t count = 0; count <= 50; ++count) {
      const Bytes source = make_bytes();
      Bytes copied{}, filled{}, expected{}, expected_fill{};
      for (std::size_t i = 0; i < count; ++i) {
        expected[target_offset + i] = source[3 + i];
        expected_fill[target_offset + i] = 0xA5;
      }
      copy(copied.data() + target_offset, source.data() + 3, count);
      fill(filled.data() + target_offset, 0x1A5, count);  // only the low byte counts
      ASSERT_EQ(copied, expected) << count << " to " << target_offset;
      ASSERT_EQ(filled, expected_fill) << count << " to " << target_offset;
    }
  }
}

}  // namespace
}  // namespace phasor::test
