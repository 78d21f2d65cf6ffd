
#include "gradient_blocks.h"

#include <gtest/gtest.h>

#include "loss_slopes.h"
#include "numbers.h"
#include "phasor/attention.h"

namespace phasor::test {
namespace {

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

struct Job {
  Tensor q = dyadic(71, {2, 5, 8}), k = dyadic(72, {1, 9, 8}), v = dyadic(73, {1, 9, 5}),
         d_output = dyadic(74, {2, 5, 5});
  AttentionConfig config{.mask = Mask::causal};

  explicit Job(const char* id) {
    for (float& x : q.data) x *= 0.5f;
    config.encoding = value_of(given_learned({.id = id, .params = {}},
                                             {.length = 9, .dim = 8, .heads = 2, .v_head_dim = 5}));
  }
  double loss() const { return inner(reference_attention(q, k, v, config).output, d_output); }
};

// Expects that the gradient passes as computed, and fails with an error of 2% in the block with the
// smallest nonzero values.
void expect_error_is_detected(const char* name, Tensor& t, const Tensor& gradient,
                              const std::function<double()>& loss) {
  EXPECT_LT(worst_block(t, gradient, kExact, kAll, loss).error, kExact.tolerance) << name;
  const std::vector<Block> blocks = blocks_of(gradient);
  const Block& smallest = blocks[blocks[0].largest == 0 && blocks.size() > 1 ? 1 : 0];
  for (const float factor : {1.02f, 0.98f}) {
    Tensor wrong = gradient;
    for (const std::size_t i : smallest.entries) wrong.data[i] *= factor;
    EXPECT_GT(worst_block(t, wrong, kExact, kAll, loss).error, kExact.tolerance)
        << name << ": numbers up to " << smallest.largest << " beside " << largest_of(gradient);
    EXPECT_GT(worst_block(t, wrong, kExact, 1, loss).error, kExact.tolerance)
        << name << ", few blocks";
  }
}

TEST(GradientBlocks, DetectsAnErrorOfTwoPercentInTheSmallestBlock) {
  for (const char* id :
       {"none", "rope", "kerple", "t5", "deberta", "shaw", "transformer_xl", "cope"}) {
    SCOPED_TRACE(id);
    Job job(id);
    const auto loss = [&] { return job.loss(); };
    ASSERT_OK_AND_ASSIGN(const AttentionGradients gradients,
                         attention_backward(job.q, job.k, job.v, job.d_output, job.config));
    expect_error_is_detected("q", job.q, gradients.d_q, loss);
    expect_error_is_detected("k", job.k, gradients.d_k, loss);
    expect_error_is_detected("v", job.v, gradients.d_v, loss);
    for (const auto& [name, gradient] : gradients.parameters) {
      expect_error_is_detected(name.c_str(), std::get<Tensor>(job.config.encoding.params.at(name)),
                               gradient, loss);
    }
  }
}

TEST(GradientBlocks, AreRowsOrSingleValuesWithAllZerosInOneBlock) {
  const std::vector<Block> rows = blocks_of(Tensor({4, 2}, {3, 0, 0, 0, -1, 0.5f, 0, 0}));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].entries, (std::vector<std::size_t>{2, 3, 6, 7}));
  EXPECT_EQ(rows[1].entries, (std::vector<std::size_t>{4, 5}));
  EXPECT_EQ(rows[2].entries, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(blocks_of(Tensor({3}, {1, 0, 2})).size(), 3u);
}

TEST(GradientBlocks, DetectsAGradientThatIsWronglyZero) {
  Tensor x({2, 2}, {1, 2, 3, 4});
  const auto loss = [&] {
    return static_cast<double>(x.data[0]) * 8 + static_cast<double>(x.data[3]) * 0.5;
  };
  EXPECT_LT(worst_block(x, Tensor({2, 2}, {8, 0, 0, 0.5f}), kExact, kAll, loss).error, 1e-6);
  EXPECT_GT(worst_block(x, Tensor({2, 2}, {8, 0, 0, 0}), kExact, kAll, loss).error, 0.5);
  EXPECT_EQ(x.data, (std::vector<float>{1, 2, 3, 4})) << "numbers are put back";
}

double error_of(float x0, float derivative, double (*f)(double)) {
  Tensor x({1}, {x0});
  const auto loss = [&] { return f(static_cast<double>(x.data[0])); };
  return slope_along(x, Tensor({1}, {derivative}), {1}, std::fabs(static_cast<double>(derivative)),
                     kExact, loss(), loss)
      .error;
}

TEST(SlopeAlong, AvoidsAKinkByAShorterStep) {
  const auto ramp = [](double x) { return std::max(x, 0.0); };
  for (const float x0 : {1.0f / 10000, -1.0f / 10000, 1.0f / 100000}) {
    const float slope = x0 > 0 ? 1 : 0;
    EXPECT_LT(error_of(x0, slope, ramp), 1e-6) << x0;
    EXPECT_GT(error_of(x0, slope + 0.02f, ramp), 0.01) << x0;
    EXPECT_GT(error_of(x0, 1 - slope, ramp), 0.5) << x0 << ": the slope of the other side";
  }
}

// A kink has no slope: neither one-sided slopes nor their mean may pass.
TEST(SlopeAlong, FailsOnAKink) {
  for (const float derivative : {-1.0f, 0.0f, 1.0f}) {
    EXPECT_EQ(error_of(0, derivative, [](double x) { return std::fabs(x); }), HUGE_VAL)
        << derivative;
  }
}

// With kinks on one side of the point, the difference of a single step may be wrong.
TEST(SlopeAlong, RejectsTheWrongSlopeOfASingleStep) {
  const auto corners = [](double x) {
    return 2 * x + std::max(x - 1e-5, 0.0) + std::max(x - 1e-4, 0.0);
  };
  EXPECT_LT(error_of(0, 2, corners), 1e-6);
  for (const double step : kExactSteps) {
    const double one_sided = corners(step) / step,
                 two_sided = (corners(step) - corners(-step)) / (2 * step);
    for (const double wrong : {one_sided, two_sided}) {
      if (std::fabs(wrong - 2) < 1e-6) continue;
      EXPECT_GT(error_of(0, static_cast<float>(wrong), corners), 0.02) << "step " << step;
    }
  }
}

TEST(SlopeAlong, FailsIfTheLossIsNaN) {
  EXPECT_EQ(error_of(1, 1, [](double x) { return std::sqrt(x - 2); }), HUGE_VAL);
}

}  // namespace
}  // namespace phasor::test
