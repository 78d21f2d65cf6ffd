#pragma once
// Replaces operator new to measure the allocated memory.

#include <cstddef>

namespace phasor::test {

class Allocations {
 public:
  /// Bytes allocated now, and the maximum since reset_peak().
  static std::size_t held();
  static std::size_t peak();
  static void reset_peak();

  /// Bytes of the blocks of at least `small` bytes that were allocated since watch_large() and not
  /// freed.
  static void watch_large(std::size_t small);
  static double large();
  /// The maximum of large() minus the last argument of allow().
  static void allow(double bytes);
  static double beyond();
};

}  // namespace phasor::test
