#pragma once
// The positions of CoPE: each is the sum of the gates from a key to the query (Golovneva et al.
// 2024, arXiv 2405.18719).

#include <cmath>
#include <vector>

#include "math/scalar_math.h"
#include "phasor/tensor.h"

namespace phasor {

inline double sigmoid(double x) { return 1.0 / (1.0 + exponential(-x)); }

/// Replaces each gate with a position: p_j is the sum of gates[t] over t >= j, limited to
/// `max_position`.
inline void gates_to_positions(std::vector<double>& gates, double max_position) {
  double sum = 0;
  for (std::size_t j = gates.size(); j-- > 0;) {
    sum += gates[j];
    gates[j] = std::fmin(sum, max_position);
  }
}

/// The value of a table at a fractional position p, interpolated linearly between floor(p) and
/// ceil(p).
inline double interpolate(const float* table, double p) {
  const double low = std::floor(p), weight = p - low;
  return (1 - weight) * static_cast<double>(table[static_cast<int>(low)]) +
         weight * static_cast<double>(table[static_cast<int>(std::ceil(p))]);
}

}  // namespace phasor
