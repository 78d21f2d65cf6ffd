// Gradients of the learned parameters of every encoding, in every variant, compared with finite
// differences.

#include "gradients.h"

#include <gtest/gtest.h>

#include "variants.h"

namespace phasor::test::gradients_test {
namespace {

constexpr int kHeads = 2, kDim = 8, kAlone = 8;

Gradients create_learned(const Variant& variant, std::unique_ptr<Encoding>& encoding) {
  const Status status = create_encoding(variant.config, {.length = 7, .dim = kDim, .heads = kHeads})
                            .move_to(encoding);
  EXPECT_TRUE(status.ok()) << variant.name << ": " << status.message();
  return encoding == nullptr ? Gradients() : learned_values(*encoding);
}

// A choice may add a learned parameter (the factor of a scaled sinusoidal table), so the trait
// describes the defaults.
TEST(ConformanceGradients, LearnedTraitMatchesTheDefaultParameters) {
  for (const EncodingInfo* type : encodings()) {
    std::unique_ptr<Encoding> encoding;
    EXPECT_EQ(type->learned, !create_learned(variants(*type).front(), encoding).empty())
        << type->id;
  }
}

// A caller restores a trained model this way.
TEST(ConformanceGradients, LearnedValuesCanBePassedAsParameters) {
  for (const Variant& variant : every_variant()) {
    std::unique_ptr<Encoding> encoding, restored_encoding;
    Variant restored_variant = variant;
    for (const auto& [name, value] : create_learned(variant, encoding)) {
      const auto spec =
          std::find_if(variant.type->params.begin(), variant.type->params.end(),
                       [&spec_name = name](const ParamInfo& s) { return s.name == spec_name; });
      ASSERT_NE(spec, variant.type->params.end()) << variant.name << " " << name;
      EXPECT_EQ(to_string(spec->kind), std::string("tensor")) << variant.name << " " << name;
      restored_variant.config.params[name] = value;
    }
    const Gradients values = learned_values(*encoding),
                    restored_values = create_learned(restored_variant, restored_encoding);
    ASSERT_EQ(values.size(), restored_values.size()) << variant.name;
    for (const auto& [name, value] : values)
      EXPECT_EQ(value.data, restored_values.at(name).data) << variant.name << " " << name;
  }
}

// Adds coordinates to the given first ones.
std::vector<double> make_positions(const std::vector<double>& first, int axes) {
  std::vector<double> positions;
  for (const double p : first) {
    for (int axis = 0; axis < axes; ++axis)
      positions.push_back(axis == 0 ? p : axis == 1 ? 3 - p : p / 2 - 1);
  }
  return positions;
}

TEST(ConformanceGradients, MatchFiniteDifferences) {
  int compared_count = 0;
  for (const Variant& variant : every_variant()) {
    SCOPED_TRACE(variant.name);
    const GradientCase near_case{.config = variant.config,
                                 .heads = kHeads,
                                 .head_dim = kDim,
                                 .blocks = kAlone,
                                 .influence = 1e-3};
    std::vector<GradientCase> cases;
    for (const int axes : {1, 2, 3}) {
      if (!accepts(variant, {.length = 7, .dim = kDim, .heads = kHeads, .axes = axes})) continue;
      GradientCase c = near_case;
      c.axes = axes;
      c.queries = make_positions(near_case.queries, axes);
      c.keys = make_positions(near_case.keys, axes);
      cases.push_back(c);
      // other encodings read one coordinate
      if (variant.type->injection != Injection::input &&
          variant.type->injection != Injection::query_key)
        break;
    }
    if (variant.type->injection != Injection::input &&
        variant.type->injection != Injection::query_key) {
      GradientCase hidden = near_case, far = near_case;
      hidden.key_mask = {1, 0, 1, 1, 1, 0, 1};
      // no row of a tile follows the previous one, and one position occurs twice
      far.queries = {0, 600, 3, 600};
      cases.push_back(hidden);
      cases.push_back(far);
    }
    int array_count = 0;
    for (const GradientCase& c : cases) array_count += expect_gradients(c);
    std::unique_ptr<Encoding> encoding;
    EXPECT_EQ(array_count,
              static_cast<int>(cases.size() * create_learned(variant, encoding).size()));
    compared_count += array_count;
  }
  EXPECT_GT(compared_count, 100);
}

}  // namespace
}  // namespace phasor::test::gradients_test
