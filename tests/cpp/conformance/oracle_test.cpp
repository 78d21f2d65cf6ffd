// Tests of the oracles themselves: every encoding used in attention has one, and their rotations
// are also compared at positions of two and three coordinates.

#include "oracle.h"

#include <gtest/gtest.h>

#include "numbers.h"
#include "reference.h"
#include "results.h"
#include "variants.h"

namespace phasor::test::oracle_test {
namespace {

// An encoding used in attention needs a file of its name in tests/cpp/oracle, with its formula.
TEST(Oracle, ExistsForEveryEncodingUsedInAttention) {
  for (const EncodingInfo* type : encodings()) {
    if (type->injection == Injection::input) continue;
    const EncodingDims geometry{.length = 4, .dim = 8, .heads = 2};
    ASSERT_OK_AND_ASSIGN(const EncodingConfig config,
                         given_learned({.id = std::string(type->id), .params = {}}, geometry));
    EXPECT_NE(make_oracle(config, geometry), nullptr)
        << type->id << ": tests/cpp/oracle/" << type->id << ".cpp is missing";
  }
}

std::vector<double> make_positions(int count, int axes) {
  std::vector<double> positions;
  for (int t = 0; t < count; ++t) {
    for (int axis = 0; axis < axes; ++axis)
      positions.push_back(axis == 0 ? 3 * t - 7 : axis == 1 ? 11 - 2 * t : 0.5 * t * t);
  }
  return positions;
}

// Attention has positions of one coordinate; images have two and videos three.
TEST(Oracle, RotatesLikeTheEncodingForOneToThreeCoordinates) {
  constexpr int kTokens = 9, kHeads = 2;
  int variant_count = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection != Injection::query_key) continue;
    for (const int axes : {1, 2, 3}) {
      for (const int dim : {8, 24}) {
        const EncodingDims geometry{.length = kTokens, .dim = dim, .heads = kHeads, .axes = axes};
        EncodingConfig config;
        if (!given_learned(variant.config, geometry).move_to(config).ok()) continue;
        const std::unique_ptr<Oracle> oracle = make_oracle(config, geometry);
        const std::vector<double> positions = make_positions(kTokens, axes);
        const Tensor x = dyadic(41, {kHeads, kTokens, dim});
        for (const Role role : {Role::query, Role::key}) {
          ASSERT_OK_AND_ASSIGN(const Tensor actual,
                               apply_rotary(config, role, Positions(positions, axes), x));
          Vector expected;
          for (int h = 0; h < kHeads; ++h) {
            for (int t = 0; t < kTokens; ++t) {
              const auto first = positions.begin() + t * axes;
              const Vector position(first, first + axes),
                  row = oracle->rotate(role, h, position, row_of(x, t, h));
              expected.insert(expected.end(), row.begin(), row.end());
            }
          }
          EXPECT_LT(largest_error(actual.data, expected), 1e-6)
              << variant.name << " axes " << axes << " dim " << dim;
          ++variant_count;
        }
      }
    }
  }
  EXPECT_GT(variant_count, 80);
}

}  // namespace
}  // namespace phasor::test::oracle_test
