// Forward passes compared with exact results, backward passes with finite differences in double.

#include "nn/layers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "nn/activations.h"
#include "nn/batched_attention.h"
#include "nn/mlp.h"
#include "nn/norms.h"
#include "nn/softmax.h"
#include "numbers.h"

namespace phasor {
namespace {

using test::dyadic;

double inner(const Tensor& a, const Tensor& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i)
    sum += static_cast<double>(a.data[i]) * static_cast<double>(b.data[i]);
  return sum;
}

// Compares every slope of x with a central difference, whose step is exact in float32.
void expect_gradients(const char* name, Tensor& x, const Tensor& gradients,
                      const std::function<double()>& loss) {
  constexpr float kStep = 1.0f / 64;
  for (std::size_t i = 0; i < x.data.size(); ++i) {
    const float original_value = x.data[i];
    x.data[i] = original_value + kStep;
    const double loss_above = loss();
    x.data[i] = original_value - kStep;
    const double loss_below = loss();
    x.data[i] = original_value;
    const double expected = (loss_above - loss_below) / (2 * static_cast<double>(kStep));
    EXPECT_NEAR(static_cast<double>(gradients.data[i]), expected, 3e-3 * (1 + std::fabs(expected)))
        << name << "[" << i << "]";
  }
}

TEST(Linear, MultipliesByTheWeightAndAddsTheBias) {
  kernels::Workspace work;
  Tensor x({2, 3}, {1, 2, 3, 4, 5, 6}), w({2, 3}, {1, 0, -1, 0.5f, 1, 2}), b({2}, {10, 20}),
      y({2, 2});
  nn::linear(work, matrix(x), matrix(w), b.data.data(), matrix(y));
  EXPECT_EQ(y.data, (std::vector<float>{8, 28.5f, 8, 39}));
}

TEST(Linear, BackwardMatchesFiniteDifferences) {
  kernels::Workspace work;
  Tensor x = dyadic(1, {3, 5}), w = dyadic(2, {4, 5}), b = dyadic(3, {4}), d_y = dyadic(4, {3, 4}),
         d_x({3, 5}), d_w({4, 5}), d_b({4});
  const auto loss = [&] {
    Tensor y({3, 4});
    nn::linear(work, matrix(x), matrix(w), b.data.data(), matrix(y));
    return inner(y, d_y);
  };
  nn::linear_backward(work, matrix(x), matrix(w), matrix(d_y), matrix(d_x), matrix(d_w),
                      d_b.data.data());
  expect_gradients("x", x, d_x, loss);
  expect_gradients("weight", w, d_w, loss);
  expect_gradients("bias", b, d_b, loss);
}

TEST(Embedding, ReadsRowsAndAccumulatesTheirGradients) {
  const Tensor w({3, 2}, {1, 2, 3, 4, 5, 6}), d_out({3, 2}, {1, 1, 10, 10, 100, 100});
  Tensor out({3, 2}), d_w({3, 2});
  const std::vector<int> ids = {2, 0, 2};
  nn::embedding(ids, matrix(w), 2, matrix(out));
  EXPECT_EQ(out.data, (std::vector<float>{10, 12, 2, 4, 10, 12}));
  nn::embedding_backward(ids, matrix(d_out), 2, matrix(d_w));
  EXPECT_EQ(d_w.data, (std::vector<float>{20, 20, 0, 0, 202, 202}));
}

TEST(MeanPool, AveragesTheTokensOfEachItem) {
  const Tensor x({4, 1}, {1, 3, 10, 30}), d_y({2, 1}, {4, 6});
  Tensor y({2, 1}), d_x({4, 1});
  nn::mean_pool(matrix(x), 2, matrix(y));
  EXPECT_EQ(y.data, (std::vector<float>{2, 20}));
  nn::mean_pool_backward(matrix(d_y), 2, matrix(d_x));
  EXPECT_EQ(d_x.data, (std::vector<float>{2, 2, 3, 3}));
}

// At every length around the number of lanes; expected values from erf and tanh in double.
TEST(Gelu, MatchesTheStandardLibraryAtEveryLevel) {
  for (int n = 1; n < 300; n += n < 9 ? 1 : 97) {
    Tensor x = dyadic(5, {n}), y(x.shape), t = x, ty(x.shape);
    const Tensor original = x;
    nn::gelu(x.data.data(), y.data.data(), n);
    for (const kernels::IsaLevel level : kernels::kLevels) {
      if (!kernels::is_level_supported(level)) continue;
      Tensor gradients = original, values(x.shape);
      nn::gelu(level, gradients.data.data(), values.data.data(), n);
      for (std::size_t i = 0; i < original.data.size(); ++i) {
        EXPECT_NEAR(values.data[i], y.data[i], 1e-6f) << kernels::level_name(level);
        EXPECT_NEAR(gradients.data[i], x.data[i], 1e-6f) << kernels::level_name(level);
      }
    }
    nn::gelu_tanh(t.data.data(), ty.data.data(), n);
    for (std::size_t i = 0; i < original.data.size(); ++i) {
      const double v = static_cast<double>(original.data[i]), root = std::sqrt(2 / M_PI);
      const double phi = 0.5 * (1 + std::erf(v / std::sqrt(2)));
      EXPECT_NEAR(static_cast<double>(y.data[i]), v * phi, 1e-6);
      EXPECT_NEAR(static_cast<double>(x.data[i]),
                  phi + v * std::exp(-v * v / 2) / std::sqrt(2 * M_PI), 1e-6);
      EXPECT_NEAR(static_cast<double>(ty.data[i]),
                  0.5 * v * (1 + std::tanh(root * (v + 0.044715 * v * v * v))), 1e-6);
    }
  }
}

TEST(Swiglu, BackwardMatchesFiniteDifferences) {
  Tensor x = dyadic(6, {3, 10}), d_y = dyadic(7, {3, 5}), d_x({3, 10});
  const auto loss = [&] {
    Tensor y({3, 5});
    nn::swiglu(matrix(x), matrix(y));
    return inner(y, d_y);
  };
  nn::swiglu_backward(matrix(x), matrix(d_y), matrix(d_x));
  expect_gradients("x", x, d_x, loss);
  Tensor far({1, 2}, {200, 1}), y({1, 1});
  nn::swiglu(matrix(far), matrix(y));
  EXPECT_EQ(y.data[0], 200);
}

TEST(Softmax, BackwardMatchesFiniteDifferences) {
  Tensor x = dyadic(8, {2, 5}), d_y = dyadic(9, {2, 5}), d_x({2, 5});
  const auto loss = [&] {
    Tensor y = x;
    nn::softmax(matrix(y));
    return inner(y, d_y);
  };
  Tensor y = x;
  nn::softmax(matrix(y));
  nn::softmax_backward(matrix(y), matrix(d_y), matrix(d_x));
  expect_gradients("x", x, d_x, loss);
}

TEST(Mlp, BackwardMatchesAFiniteDifference) {
  nn::Mlp net({3, 6, 2});
  Tensor values({static_cast<int>(net.parameter_count())}), grads(values.shape);
  const Tensor x = dyadic(10, {7, 3}), d_y = dyadic(11, {7, 2});
  Generator random(1, RandomPurpose::weights, 0);
  net.init_parameters(random, values.data.data());
  const auto loss = [&] {
    const MatrixRef y = net.forward(values.data.data(), matrix(x));
    return std::inner_product(y.data, y.data + 14, d_y.data.begin(), 0.0);
  };
  const double base_loss = loss();
  std::copy(d_y.data.begin(), d_y.data.end(), net.forward(values.data.data(), matrix(x)).data);
  net.backward(values.data.data(), grads.data.data());
  // ReLU has kinks, so only one short step along the gradient is compared.
  double squared_norm = 0;
  for (const float g : grads.data) squared_norm += static_cast<double>(g) * static_cast<double>(g);
  constexpr float kStep = 1.0f / 4096;
  for (std::size_t i = 0; i < values.data.size(); ++i) values.data[i] += kStep * grads.data[i];
  EXPECT_NEAR((loss() - base_loss) / static_cast<double>(kStep) / squared_norm, 1, 0.05);
}

}  // namespace
}  // namespace phasor
