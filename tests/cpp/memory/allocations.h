#pragma once
// Memory statistics of the program: replaces operator new.

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
  /// The maximum excess of these over the last argument of allow(), the number of bytes that were
  /// requested.
  static void allow(double bytes);
  static double beyond();
};

}  // namespace phasor::test
