#pragma once
// Truncated and corrupted copies of files, the same in every run.

#include <cstdint>
#include <functional>
#include <vector>

#include "phasor/random.h"

namespace phasor::test {

using Bytes = std::vector<std::uint8_t>;

/// Calls f with every proper prefix of a file. Each is a separate allocation of its exact size, so
/// that the address sanitizer detects a read past the end.
inline void for_each_prefix(const Bytes& file, const std::function<void(const Bytes&)>& f) {
  for (auto end = file.begin(); end != file.end(); ++end) f(Bytes(file.begin(), end));
}

/// Calls f with `count` copies of a file in which one to four bytes of [first, last) are changed.
inline void for_each_corruption(const Bytes& file, std::size_t first, std::size_t last, int count,
                                const std::function<void(const Bytes&)>& f) {
  SplitMix64 random(first + 1);
  for (int n = 0; n < count; ++n) {
    Bytes corrupted = file;
    for (std::uint64_t remaining = 1 + random.next() % 4; remaining > 0; --remaining)
      corrupted[first + random.next() % (last - first)] ^=
          static_cast<std::uint8_t>(1 + random.next() % 255);
    f(corrupted);
  }
}

/// The end of the header of a safetensors file.
inline std::size_t header_end(const Bytes& file) {
  return 8 + file[0] + (std::size_t{file[1]} << 8) + (std::size_t{file[2]} << 16);
}

}  // namespace phasor::test
