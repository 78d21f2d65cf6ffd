// Properties of every encoding that rotates queries and keys, at positions of one, two and three
// coordinates.

#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"
#include "variants.h"

namespace phasor::test::rotation_test {
namespace {

constexpr int kDim = 16, kHeads = 2;

struct Subject {
  Variant variant;
  int axes;
  bool is_linear;
};

std::vector<Subject> subjects() {
  std::vector<Subject> subjects;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection != Injection::query_key) continue;
    for (const int axes : {1, 2, 3}) {
      const auto created = create_encoding(
          variant.config, {.length = 1, .dim = kDim, .heads = kHeads, .axes = axes});
      if (created.ok())
        subjects.push_back({variant, axes, (*created)->as_query_key()->is_linear()});
    }
  }
  return subjects;
}

std::vector<double> make_position(int axes, double first) {
  const std::vector<double> coordinates = {first, first / 2 - 3, 5 - first};
  return {coordinates.begin(), coordinates.begin() + axes};
}

Tensor apply_rotation(const Subject& s, Role role, const std::vector<double>& position, Tensor x) {
  const Status status =
      apply_rotary(s.variant.config, role, Positions(position, s.axes), x).move_to(x);
  EXPECT_TRUE(status.ok()) << s.variant.name << ": " << status.message();
  return x;
}

TEST(Rotation, ProductsOfRelativeEncodingsDependOnlyOnTheDifference) {
  const Tensor q = dyadic(101, {kHeads, 1, kDim}), k = dyadic(102, {kHeads, 1, kDim});
  int case_count = 0;
  for (const Subject& s : subjects()) {
    if (!s.variant.type->relative) continue;
    // Positions that are row-major indices can only be shifted by whole rows.
    const bool has_two_axes =
        s.axes == 1 && accepts(s.variant, {.length = 1, .dim = kDim, .heads = kHeads, .axes = 2});
    for (const double distance : {-3.0, 0.0, 2.0, 7.0}) {
      const auto product = [&](double shift) {
        std::vector<double> query_position = make_position(s.axes, 4),
                            key_position = make_position(s.axes, 4 - distance);
        for (double& x : query_position) x += shift;
        for (double& x : key_position) x += shift;
        return dot_product(apply_rotation(s, Role::query, query_position, q),
                           apply_rotation(s, Role::key, key_position, k));
      };
      const double before = product(0);
      for (const double shift : {8.0, 64.0, 4096.0}) {
        EXPECT_NEAR(product(shift), before, 2e-5)
            << s.variant.name << " axes " << s.axes << " shift " << shift;
        ++case_count;
      }
      if (!has_two_axes) {
        EXPECT_NEAR(product(37), before, 2e-5) << s.variant.name << " axes " << s.axes;
      }
    }
  }
  EXPECT_GT(case_count, 100);
}

TEST(Rotation, MatrixMultiplicationEqualsTheRotation) {
  for (const Subject& s : subjects()) {
    if (!s.is_linear) {
      EXPECT_EQ(rotation_matrix(s.variant.config, Role::query, std::vector<double>{5}, kDim)
                    .status()
                    .message(),
                "encoding: " + s.variant.config.id +
                    " has no matrix, because its transform is not linear");
      continue;
    }
    for (const Role role : {Role::query, Role::key}) {
      const std::vector<double> position = make_position(s.axes, 5);
      ASSERT_OK_AND_ASSIGN(
          Tensor m, rotation_matrix(s.variant.config, role, Positions(position, s.axes), kDim));
      ASSERT_EQ(m.shape, (std::vector<int>{kDim, kDim}));
      const Tensor x = dyadic(103, {1, 1, kDim}), y = apply_rotation(s, role, position, x);
      std::vector<double> expected;
      for (int r = 0; r < kDim; ++r) {
        double sum = 0;
        for (int c = 0; c < kDim; ++c)
          sum += static_cast<double>(matrix(m).row(r)[c]) *
                 static_cast<double>(x.data[static_cast<std::size_t>(c)]);
        expected.push_back(sum);
      }
      EXPECT_LT(largest_error(y.data, expected), 1e-6) << s.variant.name;
    }
  }
}

TEST(Rotation, MatrixRejectsSeveralPositionsAndOtherEncodings) {
  EXPECT_EQ(rotation_matrix({.id = "rope", .params = {}}, Role::query, std::vector<double>{1, 2}, 4)
                .status()
                .message(),
            "position: has 2 entries; expected 1");
  EXPECT_EQ(rotation_matrix({.id = "alibi", .params = {}}, Role::query, std::vector<double>{1}, 4)
                .status()
                .message(),
            "encoding: alibi has no rotation; its injection is score, so call attention_bias");
}

// The transform is linear, so its gradient is that of the transpose: <d, T x> = <T^t d, x>.
TEST(Rotation, BackwardPassIsTheTranspose) {
  const Tensor x = dyadic(104, {kHeads, 3, kDim}), d = dyadic(105, {kHeads, 3, kDim});
  for (const Subject& s : subjects()) {
    if (!s.is_linear) continue;
    std::vector<double> coordinates;
    for (const double first : {0.0, 5.0, 300.0}) {
      for (const double c : make_position(s.axes, first)) coordinates.push_back(c);
    }
    const Positions positions(coordinates, s.axes);
    ASSERT_OK_AND_ASSIGN(
        std::unique_ptr<Encoding> encoding,
        create_encoding(s.variant.config,
                        {.length = 3, .dim = kDim, .heads = kHeads, .axes = s.axes}));
    for (const Role role : {Role::query, Role::key}) {
      Tensor rotated_x = x, d_x = d;
      encoding->as_query_key()->transform(role, positions, rotated_x);
      encoding->as_query_key()->transform_backward(role, positions, x, d_x);
      EXPECT_NEAR(dot_product(d, rotated_x), dot_product(d_x, x), 1e-4)
          << s.variant.name << " axes " << s.axes;
      EXPECT_GT(largest_error(d_x.data, d.data), 0.1) << s.variant.name;
    }
  }
}

// Encodings for images read a single coordinate as a row-major index with 8 patches per row;
// encodings for sequences reject two coordinates.
TEST(Rotation, ImageEncodingsReadOneCoordinateAsARowMajorIndex) {
  int image_count = 0, sequence_count = 0;
  for (const EncodingInfo* type : encodings()) {
    if (type->injection != Injection::query_key) continue;
    const Variant variant = variants(*type).front();
    const bool has_two_axes =
        accepts(variant, {.length = 1, .dim = kDim, .heads = kHeads, .axes = 2});
    EXPECT_EQ(type->axes, has_two_axes ? 2 : 1) << type->id;
    ++(has_two_axes ? image_count : sequence_count);
    if (!has_two_axes) continue;
    const Tensor x = dyadic(112, {kHeads, 1, kDim});
    for (const double p : {0.0, 5.0, 8.0, 21.0, 64.0}) {
      EXPECT_EQ(apply_rotation({variant, 1, true}, Role::query, {p}, x).data,
                apply_rotation({variant, 2, true}, Role::query,
                               {std::floor(p / 8), p - 8 * std::floor(p / 8)}, x)
                    .data)
          << type->id << " at " << p;
    }
  }
  EXPECT_GE(image_count, 2);
  EXPECT_GE(sequence_count, 2);
}

TEST(Rotation, RejectsUnsupportedNumbersOfCoordinates) {
  const auto message = [&](const std::string& id, int axes) {
    return create_encoding({.id = id, .params = {}}, {.dim = kDim, .axes = axes})
        .status()
        .message();
  };
  EXPECT_EQ(message("rope", 2),
            "positions: have 2 coordinates each; expected 1 (rope_2d and mrope accept more)");
  EXPECT_EQ(message("xpos", 3), "positions: have 3 coordinates each; expected 1 for xpos");
  EXPECT_EQ(message("rope_2d", 3),
            "positions: have 3 coordinates each; expected 2 (row, column) or 1 (row-major index)");
  EXPECT_EQ(message("rope_mixed", 3),
            "positions: have 3 coordinates each; expected 2 (row, column) or 1 (row-major "
            "index)");
  EXPECT_EQ(message("mrope", 2),
            "positions: have 2 coordinates each; expected 3 (time, row, column), or 1 for text");
}

}  // namespace
}  // namespace phasor::test::rotation_test
