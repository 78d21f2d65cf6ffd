// What a layer adds to attention: projections, heads side by side, and its own sentences about bad requests.

#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/attention.h"
#include "results.h"

namespace phasor::test {
namespace {

TEST(Layer, BadRequestsAreNamed) {
  const auto message = [&](const Tensor& x, const LayerConfig& config) { return layer(x, config).status().message; };
  LayerConfig config;
  EXPECT_EQ(message(Tensor({1, 2, 3}), config), "x: its shape is 1 x 2 x 3; length x width is needed");
  EXPECT_EQ(message(Tensor({0, 3}), config), "x: its shape is 0 x 3; length x width is needed");
  config.heads = 3;
  EXPECT_EQ(message(Tensor({2, 4}), config), "heads: 3 do not divide the width 4");
  config.heads = 0;
  EXPECT_EQ(message(Tensor({2, 4}), config), "heads: 0 is outside 1 to 1048576");
  config = {};
  config.offset = 2147483647.0;
  EXPECT_EQ(message(Tensor({2, 4}), config), "offset: 2147483647 is outside -2147483647 to 2147483646");
  config = {};
  config.encoding.id = "rope";
  EXPECT_EQ(message(Tensor({2, 3}), config).rfind("width: 3 is odd", 0), 0u);
  config.encoding.id = "nothing";
  EXPECT_EQ(layer(Tensor({2, 4}), config).status().code, Code::unknown_name);
  Tensor bad({2, 2});
  bad.data[3] = NAN;
  EXPECT_EQ(message(bad, {}), "x[3]: NaN is not a finite number");
}

TEST(Layer, OrthogonalProjectionsKeepNorms) {
  // With one token the output is its value, x times an orthogonal matrix: the norm stays.
  LayerConfig config;
  config.projections = Projections::orthogonal;
  const Tensor x = dyadic(4, {1, 32});
  double before = 0;
  for (const float c : x.data) before += static_cast<double>(c) * static_cast<double>(c);
  for (const std::uint32_t seed : {0u, 1u, 4294967295u}) {
    config.seed = seed;
    ASSERT_OK_AND_ASSIGN(AttentionResult out, layer(x, config));
    double after = 0;
    for (const float c : out.output.data) after += static_cast<double>(c) * static_cast<double>(c);
    EXPECT_NEAR(after / before, 1.0, 1e-5);
    EXPECT_NE(out.output.data, x.data);
  }
}

// Two channels more or less: the layer is that of embeddings to which the table was added by hand, in the first channels.
TEST(Layer, ANarrowTableIsAddedToTheFirstChannels) {
  const Tensor x = dyadic(6, {5, 8});
  LayerConfig config;
  config.heads = 2;
  config.offset = 3;
  config.want.weights = true;
  config.encoding.id = "sin_cos";
  ASSERT_OK_AND_ASSIGN(AttentionResult narrow, layer(x, config));
  Tensor moved = x;
  for (int t = 0; t < 5; ++t) {
    matrix(moved).row(t)[0] += std::sin(static_cast<float>(t + 3));
    matrix(moved).row(t)[1] += std::cos(static_cast<float>(t + 3));
  }
  config.encoding.id = "none";
  ASSERT_OK_AND_ASSIGN(AttentionResult by_hand, layer(moved, config));
  EXPECT_LT(largest_error(narrow.output.data, by_hand.output.data), 1e-5);
  EXPECT_LT(largest_error(narrow.weights.data, by_hand.weights.data), 1e-5);

  config.encoding = {.id = "nerf", .params = {{"levels", 5.0}}};
  EXPECT_EQ(layer(x, config).status().message, "width: nerf makes 10 channels, which cannot be added to embeddings of 8");
}

// With one matrix for queries and keys the weights of a single head would be those of the embeddings themselves.
TEST(Layer, OrthogonalProjectionsDifferForQueriesAndKeys) {
  const Tensor x = dyadic(5, {6, 8});
  LayerConfig config;
  config.want.weights = true;
  AttentionResult orthogonal;
  ASSERT_OK_AND_ASSIGN(AttentionResult identity, layer(x, config));
  config.projections = Projections::orthogonal;
  ASSERT_OK_AND_ASSIGN(orthogonal, layer(x, config));
  EXPECT_GT(largest_error(orthogonal.weights.data, identity.weights.data), 1e-2);
}

}  // namespace
}  // namespace phasor::test
