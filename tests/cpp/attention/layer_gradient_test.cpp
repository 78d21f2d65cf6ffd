// The way back through a layer against differences of the way forward, with every encoding.

#include <gtest/gtest.h>

#include "loss_slopes.h"
#include "phasor/phasor.h"
#include "results.h"
#include "variants.h"

namespace phasor::test {
namespace {

constexpr int kWidth = 8;

TEST(LayerGradient, IsThatOfDifferences) {
  constexpr int kLength = 7, kHeads = 2;
  int inputs = 0;
  for (const Variant& variant : every_variant_of_width(kWidth)) {
    const bool at_input = variant.type->injection == Injection::input;
    const Geometry geometry{.length = kLength, .width = at_input ? kWidth : kWidth / kHeads, .heads = kHeads};
    if (!accepts(variant, geometry)) continue;
    for (const Projections projections : {Projections::identity, Projections::orthogonal}) {
      SCOPED_TRACE(variant.name + (projections == Projections::identity ? ", identity" : ", orthogonal"));
      LayerConfig config;
      config.heads = kHeads;
      config.encoding = variant.config;
      config.mask = inputs % 2 == 0 ? Mask::causal : Mask::none;
      config.projections = projections;
      config.seed = 5;
      if (inputs % 3 == 0) config.window = 4;
      give_learned(config.encoding, geometry);
      Tensor x = dyadic(75, {kLength, kWidth});
      for (float& value : x.data) value *= 0.5f;
      const Tensor d_output = dyadic(76, {kLength, kWidth});
      const auto loss = [&] {
        AttentionResult result;
        const Status status = layer(x, config).move_to(result);
        EXPECT_TRUE(status.ok()) << status.message;
        return status.ok() ? inner(result.output, d_output) : NAN;
      };
      ASSERT_OK_AND_ASSIGN(LayerGradients gradients, layer_gradient(x, d_output, config));
      ASSERT_EQ(gradients.d_x.shape, x.shape);
      for (std::uint64_t n = 0; n < 2; ++n) {
        const Slope slope = slope_along(x, gradients.d_x, 95 + n, kTolerance, loss);
        EXPECT_LT(slope.error, kTolerance) << "x, where differences give " << slope.value;
      }
      compare_parameters(config.encoding, gradients.parameters, 2, loss);
      inputs += at_input ? 1 : 0;
    }
  }
  EXPECT_GT(inputs, 10);
}

TEST(LayerGradient, WhatIsWrongWithTheLossIsNamed) {
  const Tensor x({3, 4});
  EXPECT_EQ(layer_gradient(x, Tensor({4, 3}), {}).status().message, "d_output: its shape is 4 x 3, but the output's is 3 x 4");
  Tensor bad = x;
  bad.data[11] = NAN;
  EXPECT_EQ(layer_gradient(x, bad, {}).status().message, "d_output[11]: NaN is not a finite number");
}

}  // namespace
}  // namespace phasor::test
