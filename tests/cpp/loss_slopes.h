#pragma once
// Compares gradients of a loss with finite differences, for attention and layers.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "gradient_blocks.h"
#include "reference.h"
#include "results.h"

namespace phasor::test {

/// The loss: the dot product of an output, in double, and its fixed gradient.
inline double inner(const Vector& a, const Tensor& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.data.size(); ++i) sum += a[i] * static_cast<double>(b.data[i]);
  return sum;
}

/// The encoding without the kinks of LeakyReLU, which finite differences over many pairs would
/// cross. The test of the encoding includes them.
inline EncodingConfig without_kinks(EncodingConfig config) {
  if (config.id == "dape") config.params["negative_slope"] = 1.0;
  return config;
}

inline bool all_zero(const Tensor& t) {
  return std::all_of(t.data.begin(), t.data.end(), [](float x) { return x == 0; });
}

inline void expect_gradient(const char* name, Tensor& t, const Tensor& gradient,
                            const SlopeRule& rule, std::size_t blocks,
                            const std::function<double()>& loss) {
  ASSERT_EQ(gradient.shape, t.shape) << name;
  EXPECT_FALSE(all_zero(gradient)) << name << " has no influence";
  const WorstBlock largest = worst_block(t, gradient, rule, blocks, loss);
  EXPECT_LT(largest.error, rule.tolerance) << name << ", " << largest.location;
}

/// Compares the gradient of every learned array and returns their number. A gradient of zeros
/// fails.
inline int expect_parameter_gradients(EncodingConfig& config, const Gradients& gradients,
                                      const SlopeRule& rule, std::size_t blocks,
                                      const std::function<double()>& loss) {
  int count = 0;
  for (const auto& [name, gradient] : gradients) {
    expect_gradient(name.c_str(), std::get<Tensor>(config.params.at(name)), gradient, rule, blocks,
                    loss);
    ++count;
  }
  return count;
}

}  // namespace phasor::test
