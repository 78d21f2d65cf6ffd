#pragma once
// Seeded inputs, and the error measure used for every comparison with a reference.

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "phasor/random.h"
#include "phasor/tensor.h"

namespace phasor::test {

/// Multiples of 1/256 in [-2, 2), exact in float32.
inline Tensor dyadic(std::uint64_t seed, std::vector<int> shape) {
  Tensor t(std::move(shape));
  SplitMix64 random(seed);
  for (float& x : t.data) x = (static_cast<float>(random.next() >> 54) - 512.0f) / 256.0f;
  return t;
}

/// |got - expected| / (1 + |expected|); a NaN counts as infinitely wrong.
inline double error(double got, double expected) {
  const double e = std::fabs(got - expected) / (1.0 + std::fabs(expected));
  return std::isnan(e) ? HUGE_VAL : e;
}

template <class A, class B>
double largest_error(const A& got, const B& expected) {
  if (got.size() != expected.size()) return HUGE_VAL;
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    largest = std::max(largest, error(static_cast<double>(got[i]), static_cast<double>(expected[i])));
  }
  return largest;
}

inline std::vector<double> positions_from(double first, int count) {
  std::vector<double> positions;
  for (int i = 0; i < count; ++i) positions.push_back(first + i);
  return positions;
}

}  // namespace phasor::test
