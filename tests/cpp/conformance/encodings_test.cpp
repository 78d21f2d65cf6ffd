// Properties of every encoding in the registry. New encodings are included automatically.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "numbers.h"
#include "phasor/attention.h"
#include "phasor/encoding_ops.h"
#include "results.h"
#include "variants.h"

namespace phasor::test::encodings_test {
namespace {

constexpr int kLength = 9, kDim = 16, kHeads = 4;

// The results of an encoding for positions 0 .. length - 1, from the function of its injection
// point, with one row per position.
Tensor compute_values(const Variant& variant, int length) {
  const std::vector<double> positions = positions_from(0, length);
  Tensor out;
  Status status;
  switch (variant.type->injection) {
    case Injection::none: return Tensor({length, 1});
    case Injection::input:
      status = position_table(variant.config, positions, kDim).move_to(out);
      break;
    case Injection::query_key: {
      Tensor x = dyadic(1, {1, 2 * kLength, kDim});
      x.shape[1] = length;
      x.data.resize(static_cast<std::size_t>(length) * kDim);
      status = apply_rotary(variant.config, Role::query, positions, x).move_to(x);
      Tensor rotations({length, 0});
      if (status.ok() && variant.type->rotates)
        status = rotary_angles(variant.config, positions, kDim).move_to(rotations);
      const int dim = x.shape[2];
      out = Tensor({length, dim + rotations.shape.back()});
      for (int p = 0; p < length; ++p) {
        std::copy_n(matrix(x).row(p), dim, matrix(out).row(p));
        std::copy_n(matrix(rotations).row(p), rotations.shape.back(), matrix(out).row(p) + dim);
      }
      break;
    }
    case Injection::score: {
      // Only the first kLength keys are copied, so that rows of two lengths can be compared.
      Tensor biases;
      status = attention_bias(variant.config, kHeads, length, length, 0).move_to(biases);
      if (!status.ok()) break;
      out = Tensor({length, kHeads * kLength});
      for (int p = 0; p < length; ++p) {
        for (int h = 0; h < kHeads; ++h)
          std::copy_n(matrix(biases, h).row(p), kLength, matrix(out).row(p) + h * kLength);
      }
      break;
    }
    case Injection::score_content:
    case Injection::key_value: {
      // Under a causal mask the added terms and the output of a row do not depend on later tokens.
      Tensor x = dyadic(1, {kHeads, 2 * kLength, kDim}), shorter({kHeads, length, kDim});
      for (int h = 0; h < kHeads; ++h)
        std::copy_n(matrix(x, h).row(0), length * kDim, matrix(shorter, h).row(0));
      AttentionConfig config;
      config.encoding = variant.config;
      config.mask = Mask::causal;
      config.outputs.bias = true;
      AttentionResult result;
      status = attention(shorter, shorter, shorter, config).move_to(result);
      if (!status.ok()) break;
      out = Tensor({length, kHeads * (kLength + kDim)});
      for (int p = 0; p < length; ++p) {
        for (int h = 0; h < kHeads; ++h) {
          float* row = matrix(out).row(p) + h * (kLength + kDim);
          std::copy_n(matrix(result.bias, h).row(p), kLength, row);
          std::copy_n(matrix(result.output, h).row(p), kDim, row + kLength);
        }
      }
      break;
    }
  }
  EXPECT_TRUE(status.ok()) << variant.name << ": " << status.message();
  return out;
}

TEST(Conformance, TheRegistryIsNotEmpty) { EXPECT_GE(encodings().size(), 1u); }

TEST(Conformance, EveryValueIsFinite) {
  for (const Variant& variant : every_variant()) {
    for (const float x : compute_values(variant, kLength).data)
      ASSERT_TRUE(std::isfinite(x)) << variant.name;
  }
}

TEST(Conformance, TheSameCallGivesTheSameBits) {
  for (const Variant& variant : every_variant()) {
    EXPECT_EQ(compute_values(variant, kLength).data, compute_values(variant, kLength).data)
        << variant.name;
  }
}

TEST(Conformance, PrefixStableValuesDoNotDependOnTheLength) {
  for (const Variant& variant : every_variant()) {
    if (!variant.type->prefix_stable) continue;
    const Tensor shorter = compute_values(variant, kLength);
    Tensor longer = compute_values(variant, 2 * kLength);
    longer.data.resize(shorter.data.size());
    // The softmax of a longer row sums in other lanes, which can round differently.
    const bool uses_softmax = variant.type->injection == Injection::score_content ||
                              variant.type->injection == Injection::key_value;
    if (uses_softmax) {
      EXPECT_LT(largest_error(shorter.data, longer.data), 1e-6) << variant.name;
    } else {
      EXPECT_EQ(shorter.data, longer.data) << variant.name;
    }
  }
}

// The declared trait is that of the default parameters.
TEST(Conformance, ValuesThatAreNotDeclaredPrefixStableChangeWithTheLength) {
  int tried = 0;
  for (const EncodingInfo* type : encodings()) {
    if (type->prefix_stable) continue;
    const Variant defaults = variants(*type).front();
    const Tensor shorter = compute_values(defaults, kLength);
    Tensor longer = compute_values(defaults, 2 * kLength);
    longer.data.resize(shorter.data.size());
    EXPECT_GT(largest_error(shorter.data, longer.data), 1e-2)
        << type->id << " could be declared prefix-stable";
    ++tried;
  }
  EXPECT_GE(tried, 1);
}

TEST(Conformance, FunctionsOfOtherInjectionPointsAreRejected) {
  for (const EncodingInfo* type : encodings()) {
    const EncodingConfig config{.id = std::string(type->id), .params = {}};
    const std::vector<double> positions = positions_from(0, 4);
    const Tensor x = dyadic(2, {1, 4, kDim});
    EXPECT_EQ(position_table(config, positions, kDim).ok(), type->injection == Injection::input)
        << type->id;
    EXPECT_EQ(rotary_angles(config, positions, kDim).ok(), type->rotates) << type->id;
    EXPECT_EQ(apply_rotary(config, Role::key, positions, x).ok(),
              type->injection == Injection::query_key)
        << type->id;
    EXPECT_EQ(attention_bias(config, kHeads, 4, 4, 0).ok(), type->injection == Injection::score)
        << type->id;
  }
}

// Every coordinate either changes the table or is rejected.
TEST(Conformance, CoordinatesThatATableDoesNotReadAreRejected) {
  int rejected_count = 0;
  for (const EncodingInfo* type : encodings()) {
    if (type->injection != Injection::input) continue;
    const EncodingConfig config{.id = std::string(type->id), .params = {}};
    for (const int axes : {2, 3}) {
      const std::vector<double> positions = positions_from(0, 2 * axes);
      std::vector<double> shifted_positions = positions;
      shifted_positions.back() += 7;
      const Result<Tensor> table = position_table(config, Positions(positions, axes), kDim);
      if (table.ok()) {
        EXPECT_NE(table->data,
                  value_of(position_table(config, Positions(shifted_positions, axes), kDim)).data)
            << type->id << " with " << axes;
        continue;
      }
      ++rejected_count;
      EXPECT_NE(table.status().message().find("coordinates"), std::string::npos)
          << type->id << ": " << table.status().message();
    }
  }
  EXPECT_GE(rejected_count, 10);
}

Status try_value(const EncodingInfo& type, std::string_view name, const ParamValue& value) {
  return create_encoding({.id = std::string(type.id), .params = {{std::string(name), value}}},
                         {.length = kLength, .dim = kDim, .heads = kHeads})
      .status();
}

void expect_rejected(const EncodingInfo& type, std::string_view name, const ParamValue& value,
                     StatusCode code = StatusCode::invalid_argument) {
  const Status status = try_value(type, name, value);
  EXPECT_EQ(to_string(status.code()), std::string(to_string(code))) << type.id << " " << name;
  EXPECT_EQ(status.message().rfind(std::string(name) + ": ", 0), 0u)
      << type.id << " " << name << " returned: " << status.message();
}

TEST(Conformance, DefaultsAndEveryChoiceAreAccepted) {
  for (const Variant& variant : every_variant()) {
    std::unique_ptr<Encoding> encoding;
    const Status status =
        create_encoding(variant.config, {.length = kLength, .dim = kDim, .heads = kHeads})
            .move_to(encoding);
    EXPECT_TRUE(status.ok()) << variant.name << ": " << status.message();
    EXPECT_NE(encoding, nullptr) << variant.name;
  }
}

TEST(Conformance, NumbersOutsideTheirRangeAreRejected) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const EncodingInfo* type : encodings()) {
    for (const ParamInfo& spec : type->params) {
      if (spec.kind != ParamKind::real && spec.kind != ParamKind::integer) continue;
      const bool is_integer = spec.kind == ParamKind::integer;
      EXPECT_TRUE(try_value(*type, spec.name, spec.default_value).ok())
          << type->id << " " << spec.name;
      expect_rejected(*type, spec.name,
                      is_integer ? spec.min - 1 : std::nextafter(spec.min, -kInfinity));
      expect_rejected(*type, spec.name,
                      is_integer ? spec.max + 1 : std::nextafter(spec.max, kInfinity));
      if (is_integer) expect_rejected(*type, spec.name, spec.default_value + 0.5);
      for (const double x : {kInfinity, -kInfinity, std::nan("")})
        expect_rejected(*type, spec.name, x);
      expect_rejected(*type, spec.name, std::string("7"));
      expect_rejected(*type, spec.name, true);
    }
  }
}

TEST(Conformance, ValuesOfAnotherKindAreRejected) {
  for (const EncodingInfo* type : encodings()) {
    for (const ParamInfo& spec : type->params) {
      if (spec.kind == ParamKind::choice) {
        for (const ParamValue& value :
             {ParamValue(0.0), ParamValue(true), ParamValue(std::string("no such word")),
              ParamValue(std::string())}) {
          expect_rejected(*type, spec.name, value);
        }
      } else if (spec.kind == ParamKind::boolean) {
        for (const ParamValue& value : {ParamValue(1.0), ParamValue(std::string("true"))})
          expect_rejected(*type, spec.name, value);
      }
    }
  }
}

TEST(Conformance, InvalidArraysAreRejected) {
  const Tensor nan_tensor({2}, {0, std::nanf("")});
  int tried = 0;
  for (const EncodingInfo* type : encodings()) {
    for (const ParamInfo& spec : type->params) {
      if (spec.kind != ParamKind::tensor) continue;
      // No array parameter has five axes or exactly 2 values.
      for (const ParamValue& value :
           {ParamValue(1.0), ParamValue(true), ParamValue(std::string("7")), ParamValue(Tensor()),
            ParamValue(Tensor({2, 1, 1, 1, 1}))}) {
        expect_rejected(*type, spec.name, value);
      }
      EXPECT_EQ(try_value(*type, spec.name, nan_tensor).message(),
                std::string(spec.name) + "[1]: NaN is not a finite number")
          << type->id;
      ++tried;
    }
  }
  EXPECT_GT(tried, 20);
}

TEST(Conformance, UnknownParametersAreRejected) {
  for (const EncodingInfo* type : encodings())
    expect_rejected(*type, "no_such_parameter", 1.0, StatusCode::unknown_name);
}

}  // namespace
}  // namespace phasor::test::encodings_test
