// How well an encoding that turns queries and keys keeps to differences of positions.

#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "phasor/analysis.h"
#include "phasor/evaluate.h"
#include "phasor/registry.h"

namespace phasor {

namespace {

// The same vectors once for each position, transformed. x (heads, width) -> out (heads, positions,
// width)
Status at_positions(const EncodingConfig& config, Role role, Positions positions, const Tensor& x,
                    Tensor& out) {
  const std::vector<int> shape = {x.shape[0], positions.count(), x.shape[1]};
  PHASOR_TRY(check_size("positions", "transformed vectors", shape));
  out = Tensor(shape);
  for (int h = 0; h < shape[0]; ++h) {
    for (int p = 0; p < shape[1]; ++p)
      std::copy_n(matrix(x).row(h), shape[2], matrix(out, h).row(p));
  }
  return renamed(rotate(config, role, positions, std::move(out)).move_to(out), "x",
                 role == Role::query ? "q" : "k");
}

double dot(const float* a, const float* b, int n) {
  double sum = 0;
  for (int c = 0; c < n; ++c) sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
  return sum;
}

}  // namespace

Result<double> rotation_residual(const EncodingConfig& config, const Tensor& q, const Tensor& k,
                                 Positions positions) {
  return Result<double>::from([&](double& out) -> Status {
    if (q.rank() != 2 || q.empty())
      return invalid("q: its shape is {}; heads x width is needed", q.shape);
    PHASOR_TRY(check_tensor("q", q));
    if (k.shape != q.shape)
      return invalid("k: its shape is {}, but that of q is {}", k.shape, q.shape);
    PHASOR_TRY(check_tensor("k", k));
    if (positions.axes() != 1) {
      return invalid("positions: they have {} coordinates each; one is needed", positions.axes());
    }
    const int count = positions.count(), heads = q.shape[0];
    PHASOR_TRY(check_range("positions", count, 1, 4096));
    Tensor q_m, k_n, q_0, k_apart;
    PHASOR_TRY(at_positions(config, Role::query, positions, q, q_m));
    PHASOR_TRY(at_positions(config, Role::key, positions, k, k_n));
    const int width = q_m.shape[2];
    const std::vector<double> zero = {0};
    PHASOR_TRY(at_positions(config, Role::query, zero, q, q_0));
    out = 0;
    for (int m = 0; m < count; ++m) {
      std::vector<double> apart;
      for (int n = 0; n < count; ++n) apart.push_back(positions[n] - positions[m]);
      PHASOR_TRY(at_positions(config, Role::key, apart, k, k_apart));
      for (int h = 0; h < heads; ++h) {
        for (int n = 0; n < count; ++n) {
          const double here = dot(matrix(q_m, h).row(m), matrix(k_n, h).row(n), width);
          const double moved = dot(matrix(q_0, h).row(0), matrix(k_apart, h).row(n), width);
          out = std::max(out, std::fabs(here - moved));
        }
      }
    }
    return {};
  });
}

}  // namespace phasor
