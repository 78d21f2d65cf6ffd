#pragma once
// Compares a gradient along a direction with finite differences of the loss.

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "phasor/tensor.h"

namespace phasor::test {

struct SlopeRule {
  std::span<const double> steps;  ///< the longest first
  double tolerance;               ///< largest error, relative to the size of the slope
  double sides;                   ///< largest difference of both slopes, relative to the same size
};

inline constexpr double kExactSteps[] = {1.0 / 4096, 1.0 / 32768, 1.0 / 262144},
                        kRoundedSteps[] = {1.0 / 128};
/// For a loss in double: differences are exact to 1e-6 and better, so the test measures the
/// rounding of the gradient.
inline constexpr SlopeRule kExact = {kExactSteps, 1e-4, 1e-4};
/// For a smooth loss with an error of 1e-7, of which short steps would show little but rounding.
inline constexpr SlopeRule kRounded = {kRoundedSteps, 1e-3, 0.05};

struct Slope {
  /// Between the finite difference and the gradient, relative to the size of the slope.
  double error = HUGE_VAL;
  double value = 0;  ///< by finite differences
};

/// The central difference along `direction` over the longest step on whose two sides the loss has
/// the same slope: at a kink within a step (a ReLU, a floor, a clamp) they differ, and a shorter
/// step excludes it. For a curved loss they differ in proportion to the step, which is accepted:
/// each step is an eighth of the one before, where the difference at a kink would not shrink. No
/// other step is used, and a point without such a step is an error. `size` is how large the slope
/// could be; `base_loss` is loss().
inline Slope slope_along(Tensor& t, const Tensor& gradient, const std::vector<float>& direction,
                         double size, const SlopeRule& rule, double base_loss,
                         const std::function<double()>& loss) {
  const std::vector<float> original = t.data;
  Slope slope;
  double previous_difference = HUGE_VAL;  // the difference between both sides of the previous step
  for (const double step : rule.steps) {
    // The change of the loss per unit of step, measured and predicted by the gradient for the steps
    // as float32 rounds them.
    const auto side = [&](float sign) {
      double predicted = 0;
      for (std::size_t i = 0; i < original.size(); ++i) {
        if (direction[i] == 0) continue;
        t.data[i] = original[i] + sign * direction[i] * static_cast<float>(step);
        predicted += static_cast<double>(gradient.data[i]) *
                     (static_cast<double>(t.data[i]) - static_cast<double>(original[i]));
      }
      return std::pair{static_cast<double>(sign) * (loss() - base_loss) / step,
                       static_cast<double>(sign) * predicted / step};
    };
    const auto [right, right_predicted] = side(1);
    const auto [left, left_predicted] = side(-1);
    slope.value = (right + left) / 2;
    const double scale = std::max(size, std::fabs(slope.value));
    const double right_error = right - right_predicted, left_error = left - left_predicted;
    const double difference = std::fabs(right_error - left_error);
    const bool is_curved = previous_difference < HUGE_VAL && difference <= previous_difference / 6;
    previous_difference = difference;
    if (!(difference <= rule.sides * scale) && !is_curved) continue;
    slope.error = scale > 0 ? std::fabs(right_error + left_error) / 2 / scale : 0;
    break;
  }
  t.data = original;
  return slope;
}

}  // namespace phasor::test
