// Every encoding inside a layer: the effect of shifted positions and of permuted tokens.

#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "reference.h"
#include "results.h"
#include "variants.h"

namespace phasor::test::layer_test {
namespace {

constexpr int kLength = 11, kEmbedDim = 16, kHeads = 2;

SelfAttentionConfig make_config(const Variant& variant) {
  SelfAttentionConfig config;
  config.heads = kHeads;
  config.encoding = variant.config;
  config.outputs.weights = true;
  return config;
}

TEST(ConformanceLayer, OnlyRelativeEncodingsAreShiftInvariant) {
  const Tensor x = dyadic(21, {kLength, kEmbedDim});
  for (const Variant& variant : every_variant_of_dim(kEmbedDim)) {
    for (const Projections projections : {Projections::identity, Projections::orthogonal}) {
      SelfAttentionConfig config = make_config(variant);
      config.projections = projections;
      const AttentionResult result = value_of(self_attention(x, config));
      config.position_offset = 1000;
      AttentionResult shifted_result;
      // A table of fixed length may lack these positions; such an encoding is not relative.
      if (const Status status = self_attention(x, config).move_to(shifted_result); !status.ok()) {
        EXPECT_FALSE(variant.type->relative) << variant.name << ": " << status.message();
        continue;
      }
      // The bias of FIRE depends on the position of the query too.
      const bool is_relative = variant.type->relative && variant.name != "dape bias=fire";
      const double difference = largest_error(shifted_result.weights.data, result.weights.data);
      if (is_relative) {
        EXPECT_LT(difference, 1e-5) << variant.name;
      } else {
        EXPECT_GT(difference, 1e-4) << variant.name << " is declared to see absolute positions";
      }
    }
  }
}

// The multiples of 3 modulo 11: an order that moves every token but the first.
std::vector<int> make_permutation() {
  std::vector<int> permutation;
  for (int p = 0; p < kLength; ++p) permutation.push_back(p * 3 % kLength);
  return permutation;
}

double compute_reordering_error(const SelfAttentionConfig& config) {
  const Tensor x = dyadic(22, {kLength, kEmbedDim});
  const std::vector<int> permutation = make_permutation();
  Tensor difference({kLength, kEmbedDim});
  for (int p = 0; p < kLength; ++p)
    std::copy_n(matrix(x).row(permutation[static_cast<std::size_t>(p)]), kEmbedDim,
                matrix(difference).row(p));
  PermutationError error;
  const Status status =
      permutation_error(value_of(self_attention(x, config)).output,
                        value_of(self_attention(difference, config)).output, permutation)
          .move_to(error);
  EXPECT_TRUE(status.ok()) << status.message();
  return error.max_abs_diff;
}

TEST(ConformanceLayer, IsPermutationEquivariantOnlyWithoutEncodingAndMask) {
  for (const Variant& variant : every_variant_of_dim(kEmbedDim)) {
    for (const Projections projections : {Projections::identity, Projections::orthogonal}) {
      SelfAttentionConfig config = make_config(variant);
      config.projections = projections;
      if (variant.type->injection == Injection::none) {
        EXPECT_LT(compute_reordering_error(config), 1e-5) << variant.name;
      } else {
        EXPECT_GT(compute_reordering_error(config), 1e-3) << variant.name;
      }
      config.mask = Mask::causal;  // not equivariant, even without an encoding
      EXPECT_GT(compute_reordering_error(config), 1e-3) << variant.name << " with a causal mask";
    }
  }
}

TEST(ConformanceLayer, IdentityProjectionsEqualAttentionOnTheEmbeddings) {
  const int head_dim = kEmbedDim / kHeads;
  for (const Variant& variant : every_variant_of_dim(kEmbedDim)) {
    Tensor x = dyadic(23, {kLength, kEmbedDim});
    AttentionConfig attention_config;
    attention_config.encoding = variant.config;
    attention_config.mask = Mask::causal;
    SelfAttentionConfig config = make_config(variant);
    config.mask = Mask::causal;
    const AttentionResult actual = value_of(self_attention(x, config));
    if (variant.type->injection == Injection::input) {
      ASSERT_OK_AND_ASSIGN(Tensor sum,
                           position_table(variant.config, positions_from(0, kLength), kEmbedDim));
      for (int p = 0; p < kLength; ++p) {
        for (int c = 0; c < sum.shape[1]; ++c) matrix(x).row(p)[c] += matrix(sum).row(p)[c];
      }
      attention_config.encoding = {};
    }
    Tensor heads({kHeads, kLength, head_dim});
    for (int h = 0; h < kHeads; ++h) {
      for (int p = 0; p < kLength; ++p)
        std::copy_n(matrix(x).row(p) + h * head_dim, head_dim, matrix(heads, h).row(p));
    }
    ASSERT_OK_AND_ASSIGN(AttentionResult expected,
                         attention(heads, heads, heads, attention_config));
    for (int h = 0; h < kHeads; ++h) {
      for (int p = 0; p < kLength; ++p) {
        for (int c = 0; c < head_dim; ++c) {
          ASSERT_EQ(matrix(actual.output).row(p)[h * head_dim + c],
                    matrix(expected.output, h).row(p)[c])
              << variant.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace phasor::test::layer_test
