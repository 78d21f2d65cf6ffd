#pragma once
// A counter-based random number generator for training. Its output depends only on the seed, the
// purpose and the counter.

#include <cmath>
#include <cstdint>
#include <numbers>

#include "math/scalar_math.h"
#include "phasor/random.h"

namespace phasor {

/// Each purpose has its own random stream. If the order of the purposes changes, every seed gives
/// different random numbers.
enum class RandomPurpose : std::uint64_t { weights, batches, evaluation, probe };

/// SplitMix64, seeded with a hash of (seed, purpose, counter). Training creates a generator for
/// each step, with the step as the counter, so there is no state to save.
class Generator {
 public:
  Generator(std::uint64_t seed, RandomPurpose purpose, std::uint64_t counter)
      : random_(hash(hash(hash(seed) + static_cast<std::uint64_t>(purpose)) + counter)) {}

  std::uint64_t next() { return random_.next(); }
  /// Uniform in (0, 1).
  double uniform() { return random_.uniform(); }
  bool bernoulli(double probability) { return uniform() < probability; }
  /// A uniform integer in 0 .. n - 1, for n up to 2^31.
  int uniform_integer(int n) {
    return static_cast<int>(((next() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
  }
  /// Returns a standard normal random number (Box-Muller transform). Uses the functions of
  /// math/scalar_math.h, so that all platforms agree.
  double normal() {
    const double u = uniform();
    const double radius = std::sqrt(2 * logarithm_1p((1 - u) / u));
    return radius * sincos(2 * std::numbers::pi * uniform()).cosine;
  }

 private:
  static std::uint64_t hash(std::uint64_t x) { return SplitMix64(x).next(); }

  SplitMix64 random_;
};

}  // namespace phasor
