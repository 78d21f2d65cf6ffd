#pragma once
// Seeded inputs, and the error measure used for every comparison with a reference.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
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

inline double dot_product(const Tensor& a, const Tensor& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i)
    sum += static_cast<double>(a.data[i]) * static_cast<double>(b.data[i]);
  return sum;
}

/// abs(actual - expected) relative to 1 + abs(expected), or to `scale`, the size of comparable
/// values, if that is smaller. NaN is an infinite error.
inline double error(double actual, double expected, double scale = HUGE_VAL) {
  if (actual == expected) return 0;
  const double e = std::fabs(actual - expected) / std::min(scale, 1.0 + std::fabs(expected));
  return std::isnan(e) ? HUGE_VAL : e;
}

template <class A>
double magnitude(const A& values) {
  double largest = 0;
  for (const auto x : values) largest = std::max(largest, std::fabs(static_cast<double>(x)));
  return largest;
}

/// The largest error() of an array, with its largest expected value as the scale, so that small
/// values must have small errors.
template <class A, class B>
double largest_error(const A& actual, const B& expected) {
  if (actual.size() != expected.size()) return HUGE_VAL;
  const double scale = magnitude(expected);
  double largest = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    largest = std::max(
        largest, error(static_cast<double>(actual[i]), static_cast<double>(expected[i]), scale));
  }
  return largest;
}

/// The largest error over rows of `dim` values, each with a separate scale.
template <class A, class B>
double largest_row_error(const A& actual, const B& expected, int dim) {
  if (actual.size() != expected.size()) return HUGE_VAL;
  double largest = 0;
  const auto size = static_cast<std::size_t>(dim);
  for (std::size_t first = 0; first < actual.size(); first += size) {
    largest = std::max(largest, largest_error(std::span(actual).subspan(first, size),
                                              std::span(expected).subspan(first, size)));
  }
  return largest;
}

inline std::vector<double> positions_from(double first, int count) {
  std::vector<double> positions;
  for (int i = 0; i < count; ++i) positions.push_back(first + i);
  return positions;
}

}  // namespace phasor::test
