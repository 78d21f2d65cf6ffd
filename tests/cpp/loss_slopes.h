#pragma once
// Gradients of a loss against differences of it, for attention and for layers.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "numbers.h"
#include "phasor/registry.h"
#include "results.h"
#include "slope_along.h"

namespace phasor::test {

inline double inner(const Tensor& a, const Tensor& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) sum += static_cast<double>(a.data[i]) * static_cast<double>(b.data[i]);
  return sum;
}

inline bool all_zero(const Tensor& t) {
  return std::all_of(t.data.begin(), t.data.end(), [](float x) { return x == 0; });
}

// The loss is a sum of float32 numbers, known to about 1e-6, so a slope over 2 / 512 is known to about 1e-3.
inline Slope slope_along(Tensor& t, const Tensor& gradient, std::uint64_t seed, double tolerance, const std::function<double()>& loss) {
  static constexpr double kSteps[] = {1.0 / 256, 1.0 / 1024, 1.0 / 64, 1.0 / 4096};
  SplitMix64 random(seed);
  return slope_along(t, gradient, random_direction(t.data.size(), random), kSteps, tolerance, loss);
}

inline constexpr double kTolerance = 3e-3;

// From here on every trained number is a given one, so that it can be moved.
inline void give_learned(EncodingConfig& config, const Geometry& geometry) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<Encoding> encoding, create(config, geometry));
  for (const auto& [name, tensor] : encoding->learned()) config.params[std::string(name)] = *tensor;
}

// Compares the gradient of every trained array; each must have some influence.
inline int compare_parameters(EncodingConfig& config, const Gradients& gradients, int directions, const std::function<double()>& loss) {
  int compared = 0;
  for (const auto& [name, gradient] : gradients) {
    Tensor& parameter = std::get<Tensor>(config.params.at(name));
    EXPECT_EQ(gradient.shape, parameter.shape) << name;
    if (gradient.shape != parameter.shape) continue;
    EXPECT_FALSE(all_zero(gradient)) << name << " has no influence";
    for (int n = 0; n < directions; ++n) {
      const Slope slope = slope_along(parameter, gradient, 80 + static_cast<std::uint64_t>(n), kTolerance, loss);
      EXPECT_LT(slope.error, kTolerance) << name << ", where differences give " << slope.value;
    }
    ++compared;
  }
  return compared;
}

}  // namespace phasor::test
