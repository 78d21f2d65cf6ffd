// What is true of every encoding that turns queries and keys, at positions of one, two and three coordinates.

#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"
#include "variants.h"

namespace phasor::test {
namespace {

constexpr int kWidth = 16, kHeads = 2;

double dot(const Tensor& a, const Tensor& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) sum += static_cast<double>(a.data[i]) * static_cast<double>(b.data[i]);
  return sum;
}

// The encodings and the numbers of coordinates they accept.
struct Subject {
  Variant variant;
  int axes;
};

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection != Injection::query_key) continue;
    for (const int axes : {1, 2, 3}) {
      if (accepts(variant, {.length = 1, .width = kWidth, .heads = kHeads, .axes = axes})) all.push_back({variant, axes});
    }
  }
  return all;
}

std::vector<double> place(int axes, double first) {
  const std::vector<double> all = {first, first / 2 - 3, 5 - first};
  return {all.begin(), all.begin() + axes};
}

Tensor turned(const Subject& s, Role role, const std::vector<double>& position, Tensor x) {
  const Status status = rotate(s.variant.config, role, Positions(position, s.axes), x).move_to(x);
  EXPECT_TRUE(status.ok()) << s.variant.name << ": " << status.message();
  return x;
}

TEST(Rotation, ProductsOfRelativeEncodingsSeeOnlyTheDifferenceOfPositions) {
  const Tensor q = dyadic(101, {kHeads, 1, kWidth}), k = dyadic(102, {kHeads, 1, kWidth});
  int tried = 0;
  for (const Subject& s : subjects()) {
    // A picture whose patches are counted row by row is only shifted by whole rows.
    const bool by_row = s.axes == 1 && accepts(s.variant, {.length = 1, .width = kWidth, .heads = kHeads, .axes = 2});
    for (const double distance : {-3.0, 0.0, 2.0, 7.0}) {
      const auto product = [&](double shift) {
        std::vector<double> here = place(s.axes, 4), there = place(s.axes, 4 - distance);
        for (double& x : here) x += shift;
        for (double& x : there) x += shift;
        return dot(turned(s, Role::query, here, q), turned(s, Role::key, there, k));
      };
      const double before = product(0);
      for (const double shift : {8.0, 64.0, 4096.0}) {
        EXPECT_NEAR(product(shift), before, 2e-5) << s.variant.name << " axes " << s.axes << " shift " << shift;
        ++tried;
      }
      if (!by_row) {
        EXPECT_NEAR(product(37), before, 2e-5) << s.variant.name << " axes " << s.axes;
      }
    }
  }
  EXPECT_GT(tried, 100);
}

// In the model's words: R_m^T R_n = R_(n-m), up to the square of the attention factor.
TEST(Rotation, TheMatrixDoesWhatTheRotationDoes) {
  for (const Subject& s : subjects()) {
    for (const Role role : {Role::query, Role::key}) {
      const std::vector<double> position = place(s.axes, 5);
      ASSERT_OK_AND_ASSIGN(Tensor m, rotation_matrix(s.variant.config, role, Positions(position, s.axes), kWidth));
      ASSERT_EQ(m.shape, (std::vector<int>{kWidth, kWidth}));
      const Tensor x = dyadic(103, {1, 1, kWidth}), y = turned(s, role, position, x);
      std::vector<double> expected;
      for (int r = 0; r < kWidth; ++r) {
        double sum = 0;
        for (int c = 0; c < kWidth; ++c)
          sum += static_cast<double>(matrix(m).row(r)[c]) * static_cast<double>(x.data[static_cast<std::size_t>(c)]);
        expected.push_back(sum);
      }
      EXPECT_LT(largest_error(y.data, expected), 1e-6) << s.variant.name;
    }
  }
}

TEST(Rotation, TheResidualIsNothingWhereOnlyDifferencesAreSeen) {
  const Tensor q = dyadic(106, {kHeads, kWidth}), k = dyadic(107, {kHeads, kWidth});
  const std::vector<double> words = {0, 1, 5, 6, 40, 1000}, rows = {0, 8, 40, 64, 4096};
  double residual = 0;
  int tried = 0;
  for (const Subject& s : subjects()) {
    if (s.axes != 1) continue;
    const bool by_row = accepts(s.variant, {.length = 1, .width = kWidth, .heads = kHeads, .axes = 2});
    const Status status = rotation_residual(s.variant.config, q, k, by_row ? rows : words).move_to(residual);
    ASSERT_TRUE(status.ok()) << s.variant.name << ": " << status.message();
    EXPECT_LT(residual, 2e-5) << s.variant.name;
    if (by_row) {  // a word is not as far from the next one when that begins a new row
      ASSERT_OK_AND_ASSIGN(residual, rotation_residual(s.variant.config, q, k, words));
      EXPECT_GT(residual, 0.1) << s.variant.name;
    }
    ++tried;
  }
  EXPECT_GT(tried, 15);
  // LongRoPE's first tokens are turned otherwise than the rest.
  const EncodingConfig longrope{.id = "rope",
                                .params = {{"scaling", std::string("longrope")}, {"sequence_length", 9000.0}, {"start_tokens", 4.0}}};
  ASSERT_OK_AND_ASSIGN(residual, rotation_residual(longrope, q, k, words));
  EXPECT_GT(residual, 0.1);
}

// Computed with calls that turn one vector at a time. RotatedPart alike whatever the position, a query and a key of zeros have no residual,
// so each head is seen by itself, too.
TEST(Rotation, TheResidualIsTheLargestOfEveryHead) {
  const EncodingConfig longrope{.id = "rope",
                                .params = {{"scaling", std::string("longrope")}, {"sequence_length", 9000.0}, {"start_tokens", 4.0}}};
  const std::vector<double> words = {0, 1, 5, 6, 40, 1000};
  const auto at = [&](Role role, const Tensor& x, int head, double position) {
    Tensor one({1, 1, kWidth});
    std::copy_n(matrix(x).row(head), kWidth, one.data.data());
    return value_of(rotate(longrope, role, std::vector<double>{position}, one));
  };
  for (const int silent : {-1, 0, 1}) {
    Tensor q = dyadic(110, {kHeads, kWidth});
    const Tensor k = dyadic(111, {kHeads, kWidth});
    if (silent >= 0) std::fill_n(matrix(q).row(silent), kWidth, 0.0f);
    double expected = 0;
    for (int head = 0; head < kHeads; ++head) {
      for (const double m : words) {
        for (const double n : words) {
          const double here = dot(at(Role::query, q, head, m), at(Role::key, k, head, n));
          const double moved = dot(at(Role::query, q, head, 0), at(Role::key, k, head, n - m));
          expected = std::max(expected, std::fabs(here - moved));
        }
      }
    }
    ASSERT_GT(expected, 0.1);
    ASSERT_OK_AND_ASSIGN(const double residual, rotation_residual(longrope, q, k, words));
    EXPECT_NEAR(residual, expected, 1e-12) << "without head " << silent;
  }
}

TEST(Rotation, WhatTheResidualCannotReadIsNamed) {
  const EncodingConfig rope{.id = "rope", .params = {}};
  const Tensor q = dyadic(108, {1, 4}), three = dyadic(109, {1, 1, 4});
  const std::vector<double> words = {0, 1};
  EXPECT_EQ(rotation_residual(rope, three, three, words).status().message(), "q: its shape is 1 x 1 x 4; heads x width is needed");
  EXPECT_EQ(rotation_residual(rope, q, dyadic(1, {2, 4}), words).status().message(), "k: its shape is 2 x 4, but that of q is 1 x 4");
  EXPECT_EQ(rotation_residual(rope, q, q, Positions(words, 2)).status().message(),
            "positions: they have 2 coordinates each; one is needed");
  EXPECT_EQ(rotation_residual(rope, q, q, {}).status().message(), "positions: 0 is outside 1 to 4096");
  EXPECT_EQ(rotation_residual(rope, q, q, positions_from(0, 4097)).status().message(), "positions: 4097 is outside 1 to 4096");
  EXPECT_EQ(rotation_residual(rope, Tensor({0, 4}), Tensor({0, 4}), words).status().message(),
            "q: its shape is 0 x 4; heads x width is needed");
  Tensor broken = q;
  broken.data[2] = std::nanf("");
  EXPECT_EQ(rotation_residual(rope, broken, q, words).status().message(), "q[2]: NaN is not a finite number");
  EXPECT_EQ(rotation_residual(rope, q, broken, words).status().message(), "k[2]: NaN is not a finite number");
  EXPECT_EQ(rotation_residual({.id = "alibi", .params = {}}, q, q, words).status().message(),
            "encoding: alibi has no rotation; it enters attention at score");
}

// The residual turns q and k at the positions, q at 0 and k at every difference; each of the four may be what cannot be done.
TEST(Rotation, WhatTheResidualCannotTurnIsNamed) {
  const EncodingConfig rope{.id = "rope", .params = {}};
  const Tensor zero({1, 2}), longer({1, 2}, {3e38f, 3e38f});  // longer than the largest float32
  const std::vector<double> one = {1}, apart = {-20, 20};
  const std::string leaves = ": transformed by rope, it leaves the range of float32, which ends at 3.40282e+38";
  EXPECT_EQ(rotation_residual(rope, longer, zero, one).status().message(), "q" + leaves);
  EXPECT_EQ(rotation_residual(rope, zero, longer, one).status().message(), "k" + leaves);
  // XPos counts from its middle, 50: there a query keeps its length, which at 0 is 2.7 times as large.
  const EncodingConfig xpos{.id = "xpos", .params = {{"scale_base", 64.0}, {"length", 100.0}}};
  EXPECT_EQ(rotation_residual(xpos, Tensor({1, 2}, {3e38f, 0}), zero, std::vector<double>{50}).status().message(),
            "q: transformed by xpos, it leaves the range of float32, which ends at 3.40282e+38");
  const EncodingConfig fading{.id = "xpos", .params = {{"scale_base", 1.0}}};
  const std::string message = rotation_residual(fading, zero, zero, apart).status().message();
  EXPECT_EQ(message.rfind("positions[1]: 40 is too far from the centre 0,", 0), 0u) << message;
  const Tensor wide({1, 131072});
  const Status status = rotation_residual(rope, wide, wide, positions_from(0, 4096)).status();
  EXPECT_EQ(status.code(), Code::resource_exhausted);
  EXPECT_EQ(status.message(),
            "positions: transformed vectors of 1 x 4096 x 131072 numbers would take 2048 MiB; at most 1024 MiB can be returned");
}

TEST(Rotation, AMatrixBelongsToOnePosition) {
  EXPECT_EQ(rotation_matrix({.id = "rope", .params = {}}, Role::query, std::vector<double>{1, 2}, 4).status().message(),
            "position: there are 2, but a matrix belongs to one");
  EXPECT_EQ(rotation_matrix({.id = "alibi", .params = {}}, Role::query, std::vector<double>{1}, 4).status().message(),
            "encoding: alibi has no rotation; it enters attention at score");
}

// The transform is linear, so its gradient is the transpose: <d, T x> = <T^t d, x>.
TEST(Rotation, GradientsAreTurnedBack) {
  const Tensor x = dyadic(104, {kHeads, 3, kWidth}), d = dyadic(105, {kHeads, 3, kWidth});
  for (const Subject& s : subjects()) {
    std::vector<double> coordinates;
    for (const double first : {0.0, 5.0, 300.0}) {
      for (const double c : place(s.axes, first)) coordinates.push_back(c);
    }
    const Positions positions(coordinates, s.axes);
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<Encoding> encoding,
                         create(s.variant.config, {.length = 3, .width = kWidth, .heads = kHeads, .axes = s.axes}));
    for (const Role role : {Role::query, Role::key}) {
      Tensor forward = x, back = d;
      encoding->as_query_key()->transform(role, positions, forward);
      encoding->as_query_key()->transform_backward(role, positions, back);
      EXPECT_NEAR(dot(d, forward), dot(back, x), 1e-4) << s.variant.name << " axes " << s.axes;
      EXPECT_GT(largest_error(back.data, d.data), 0.1) << s.variant.name;
    }
  }
}

// An encoding made for pictures reads a single number row by row, 8 patches to a row; one made for texts does not take two numbers.
TEST(Rotation, WhoeverIsMadeForPicturesReadsANumberRowByRow) {
  int pictures = 0, texts = 0;
  for (const EncodingType* type : encodings()) {
    if (type->injection != Injection::query_key) continue;
    const Variant variant = variants(*type).front();
    const bool takes_two = accepts(variant, {.length = 1, .width = kWidth, .heads = kHeads, .axes = 2});
    EXPECT_EQ(type->axes, takes_two ? 2 : 1) << type->id;
    ++(takes_two ? pictures : texts);
    if (!takes_two) continue;
    const Tensor x = dyadic(112, {kHeads, 1, kWidth});
    for (const double p : {0.0, 5.0, 8.0, 21.0, 64.0}) {
      EXPECT_EQ(turned({variant, 1}, Role::query, {p}, x).data,
                turned({variant, 2}, Role::query, {std::floor(p / 8), p - 8 * std::floor(p / 8)}, x).data)
          << type->id << " at " << p;
    }
  }
  EXPECT_GE(pictures, 2);
  EXPECT_GE(texts, 2);
}

TEST(Rotation, CoordinatesThatAreNotReadAreRefused) {
  const auto message = [&](const std::string& id, int axes) {
    return create({.id = id, .params = {}}, {.width = kWidth, .axes = axes}).status().message();
  };
  EXPECT_EQ(message("rope", 2), "positions: they have 2 coordinates each, but rope reads one; see rope_2d, mrope");
  EXPECT_EQ(message("xpos", 3), "positions: they have 3 coordinates each, but xpos reads one");
  EXPECT_EQ(message("rope_2d", 3), "positions: they have 3 coordinates each; rope_2d reads 2 (row, column), or 1 counted row by row");
  EXPECT_EQ(message("rope_mixed", 3), "positions: they have 3 coordinates each; rope_mixed reads 2 (row, column), or 1 counted row by row");
  EXPECT_EQ(message("mrope", 2), "positions: they have 2 coordinates each; mrope reads 3 (time, row, column), or 1 in a text");
}

}  // namespace
}  // namespace phasor::test
