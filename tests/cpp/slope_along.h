#pragma once
// A gradient along a direction against differences of the loss.

#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "numbers.h"
#include "phasor/random.h"

namespace phasor::test {

struct Slope {
  double error = HUGE_VAL;  // between what differences give and what the gradient promises
  double value = 0;         // what differences give
};

// The best agreement along `direction`, whose entries are -1, 0 or 1. A kink within a step (a ReLU, a floor, a clamp) spoils a
// difference, so there are several steps, and each side of them counts by itself.
inline Slope slope_along(Tensor& t, const Tensor& gradient, const std::vector<float>& direction, std::span<const double> steps,
                         double tolerance, const std::function<double()>& loss) {
  const std::vector<float> kept = t.data;
  const double here = loss();
  Slope best;
  for (const double step : steps) {
    // The loss at the end of a step, and the change that the gradient promises: steps are rounded, the sum is of what they became.
    const auto move = [&](float sign) {
      double promised = 0;
      for (std::size_t i = 0; i < kept.size(); ++i) {
        t.data[i] = kept[i] + sign * direction[i] * static_cast<float>(step);
        promised += static_cast<double>(gradient.data[i]) * (static_cast<double>(t.data[i]) - static_cast<double>(kept[i]));
      }
      return std::pair{loss(), promised};
    };
    const auto up = move(1), down = move(-1);
    const auto candidate = [&](double measured, double promised, double length) {
      const double e = error(promised / length, measured / length);
      if (e < best.error) best = {e, measured / length};
    };
    candidate(up.first - down.first, up.second - down.second, 2 * step);
    candidate(up.first - here, up.second, step);
    candidate(here - down.first, -down.second, step);
    if (best.error < tolerance) break;
  }
  t.data = kept;
  return best;
}

// Every entry -1 or 1.
inline std::vector<float> random_direction(std::size_t size, SplitMix64& random) {
  std::vector<float> direction(size);
  for (float& x : direction) x = random.next() % 2 == 0 ? 1.0f : -1.0f;
  return direction;
}

}  // namespace phasor::test
