// Calls that are refused because memory is short, each at the last byte.

#include <gtest/gtest.h>

#include "core/buffer.h"
#include "numbers.h"
#include "phasor/analysis.h"
#include "phasor/attention.h"
#include "results.h"

namespace phasor::test {
namespace {

// The call has room with `bytes`, and is refused with one byte less.
template <class F>
void expect_needs(double bytes, const std::string& what, F&& call) {
  {
    const MemoryLimit limit(bytes);
    EXPECT_EQ(call().status().message(), "") << what;
  }
  const MemoryLimit limit(bytes - 1);
  const auto refused = call();
  EXPECT_EQ(refused.status().code(), Code::resource_exhausted) << what;
  EXPECT_EQ(refused.status().message(), what + " numbers would take 1 MiB, which are not left in this memory");
}

TEST(MemoryLimits, OfWhatAttentionAnswers) {
  const Tensor q = dyadic(71, {1, 2, 2}), k = dyadic(72, {1, 3, 2}), v = dyadic(73, {1, 3, 1});
  const auto call = [&](RequestedOutputs want) {
    return [&, want] {
      AttentionConfig config;
      config.want = want;
      config.map.size = 4;
      return attention(q, k, v, config);
    };
  };
  expect_needs(4 * 2, "v: an output of 1 x 2 x 1", call({}));
  expect_needs(4 * 6, "want: weights of 1 x 2 x 3", call({.weights = true}));
  expect_needs(4 * 6, "want: scores of 1 x 2 x 3", call({.scores = true}));
  expect_needs(4 * 6, "want: a bias of 1 x 2 x 3", call({.bias = true}));
  expect_needs(4 * 6, "want: a map of 1 x 2 x 3", call({.map = true}));
}

TEST(MemoryLimits, OfALayerWithProjections) {
  const auto call = [](Tensor x) { return [x = std::move(x)] { return layer(x, {.projections = Projections::orthogonal}); }; };
  expect_needs(4 * 4 * 16, "x: a packed projection of 4 x 4", call(dyadic(74, {3, 4})));
  expect_needs(4 * 100 * 4, "x: its projection of 100 x 4", call(dyadic(75, {100, 4})));
  const MemoryLimit limit(4 * 16 - 1);
  EXPECT_EQ(call(dyadic(74, {3, 4}))().status().message(),
            "x: a projection of 4 x 4 numbers would take 1 MiB, which are not left in this memory");
}

TEST(MemoryLimits, OfSimilarity) {
  const Tensor table = dyadic(76, {3, 5}), narrow = dyadic(77, {40, 2});
  expect_needs(4 * 5 * 16, "table: a packed copy of 3 x 5", [&] { return similarity(table, Measure::dot); });
  expect_needs(4 * 1600, "table: a similarity of 40 x 40", [&] { return similarity(narrow, Measure::dot); });
}

}  // namespace
}  // namespace phasor::test
