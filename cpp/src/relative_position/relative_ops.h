#pragma once
// CoPE's positions: the sum of gates between a key and the query (Golovneva et al. 2024, arXiv
// 2405.18719).

#include <cmath>
#include <vector>

#include "math/scalar_math.h"
#include "phasor/tensor.h"

namespace phasor {

inline double sigmoid(double x) { return 1.0 / (1.0 + exponential(-x)); }

/// gates[0..keys) -> positions, in place: p_j = sum of gates[t] over t >= j, at most `last`.
inline void count_gates(std::vector<double>& gates, double last) {
  double sum = 0;
  for (std::size_t j = gates.size(); j-- > 0;) {
    sum += gates[j];
    gates[j] = std::fmin(sum, last);
  }
}

/// Interpolation of a table: linear between floor(p) and ceil(p).
inline double interpolate(const float* table, double p) {
  const double low = std::floor(p), weight = p - low;
  return (1 - weight) * static_cast<double>(table[static_cast<int>(low)]) +
         weight * static_cast<double>(table[static_cast<int>(std::ceil(p))]);
}

}  // namespace phasor
