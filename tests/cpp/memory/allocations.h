#pragma once
// What the program allocates: it replaces operator new for everything in it.

#include <cstddef>

namespace phasor::test {

class Allocations {
 public:
  /// Bytes held now, and the most that were held since reset_peak().
  static std::size_t held();
  static std::size_t peak();
  static void reset_peak();

  /// Bytes of the pieces of at least `small` bytes that were allocated since watch_large() and are
  /// still there.
  static void watch_large(std::size_t small);
  static double large();
  /// The most that these were beyond what allow() has said last; it says how many may be there.
  static void allow(double bytes);
  static double beyond();
};

}  // namespace phasor::test
