#pragma once

#include <cmath>

#include "attention/streaming/attend.h"
#include "math/decay.h"
#include "math/scalar_math.h"

namespace phasor {

/// cap * tanh(score / cap); `score` may be infinite.
inline double softcap_score(double score, double cap) {
  const double x = score / cap, size = std::fabs(x);
  // Near 0, 1 - e loses precision, so tanh(x) is replaced with x - x^3 / 3.
  if (size < 1e-4) return score * (1 - x * x / 3);
  const double e = exponential(-2 * std::fmin(size, 40.0)), tanh = (1 - e) / (1 + e);
  return x < 0 ? -cap * tanh : cap * tanh;
}

const Tensor* find_log_gates(const AttentionParams& params);
/// Sets params.decay to the cumulative sums of the log gates, if the call has any.
Status sum_gates(AttentionParams& params, std::optional<Decay>& decay);

}  // namespace phasor
