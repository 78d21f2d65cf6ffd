#pragma once
// Seeded random numbers, bitwise equal on every machine.

#include <cstdint>
#include <vector>

#include "phasor/result.h"
#include "phasor/tensor.h"

namespace phasor {

/// The splitmix64 generator (Steele, Lea and Flood 2014).
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  /// A uniform random number in (0, 1), with 53 random bits.
  double uniform() { return (static_cast<double>(next() >> 11) + 0.5) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// Draws independent standard normal values with the Box-Muller transform, computed in double.
Result<Tensor> random_normal(std::uint32_t seed, std::vector<int> shape);

}  // namespace phasor
