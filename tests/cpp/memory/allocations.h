#pragma once
// Replaces operator new to measure the allocated memory.

#include <cstddef>

namespace phasor::test {

class Allocations {
 public:
  /// Bytes allocated now, and the maximum since reset_peak().
  static std::size_t current_bytes();
  static std::size_t peak_bytes();
  static void reset_peak();

  /// Bytes of the blocks of at least `min_size` bytes that were allocated since watch_large() and
  /// not freed.
  static void watch_large(std::size_t min_size);
  static double large_bytes();
  /// The maximum of large_bytes() minus the last argument of allow_bytes().
  static void allow_bytes(double bytes);
  static double excess_bytes();
};

}  // namespace phasor::test
