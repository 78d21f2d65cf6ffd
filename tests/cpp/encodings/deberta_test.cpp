#include <gtest/gtest.h>

#include "gradients.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::deberta_test {
namespace {

std::vector<int> compute_buckets(const std::vector<int>& r, int size, int max_position) {
  return value_of(deberta_log_bucket(r, size, max_position));
}

// With mid 4 and max 33, 8, 16 and 32 are exactly on the logarithmic scale (32 / 4 = 2^3).
TEST(Deberta, BucketsAreAntisymmetricAndDoNotRoundUpTies) {
  EXPECT_EQ(compute_buckets({0, 1, 3, 4, 5, 7, 8, 9, 16, 17, 32, 33}, 8, 33),
            (std::vector<int>{0, 1, 3, 4, 5, 5, 5, 6, 6, 7, 7, 8}));
  for (int r = 0; r < 700; ++r)
    EXPECT_EQ(compute_buckets({-r}, 256, 512)[0], -compute_buckets({r}, 256, 512)[0]);
}

// Inverts the logarithmic scale: the bucket is the smallest whose edge is not below r.
TEST(Deberta, BucketsMatchTheirEdges) {
  const int middle_bucket = 128, last_bucket = 511;
  for (int r = middle_bucket + 1; r <= 600; ++r) {
    int expected = middle_bucket;
    while (middle_bucket * std::pow(static_cast<double>(last_bucket) / middle_bucket,
                                    (expected - middle_bucket) / 127.0) <
           r - 1e-9)
      ++expected;
    EXPECT_EQ(compute_buckets({r}, 256, 512)[0], expected) << r;
  }
}

double compute_product(const Tensor& a, int i, const Tensor& b, int j, int h) {
  double s = 0;
  for (int c = 0; c < a.shape[2]; ++c)
    s += static_cast<double>(matrix(a, h).row(i)[c]) * static_cast<double>(matrix(b, h).row(j)[c]);
  return s;
}

TEST(Deberta, MatchesTheFormulaOfEachTerm) {
  const int n = 9, dim = 4, span = 4;
  const Tensor q = dyadic(81, {2, n, dim}), k = dyadic(82, {2, n, dim}),
               pos_key = dyadic(83, {2, 2 * span, dim}), pos_query = dyadic(84, {2, 2 * span, dim});
  for (const bool bucketed : {false, true}) {
    for (const std::string terms : {"c2p_p2c", "c2p", "p2c"}) {
      AttentionConfig config;
      config.encoding = {.id = "deberta",
                         .params = {{"terms", terms},
                                    {"position_buckets", bucketed ? 4.0 : 0.0},
                                    {"max_relative_positions", bucketed ? 16.0 : 4.0}}};
      if (terms != "p2c") config.encoding.params["pos_key"] = pos_key;
      if (terms != "c2p") config.encoding.params["pos_query"] = pos_query;
      config.outputs.scores = true;
      ASSERT_OK_AND_ASSIGN(AttentionResult actual, attention(q, k, k, config));
      for (int h = 0; h < 2; ++h) {
        for (int i = 0; i < n; ++i) {
          for (int j = 0; j < n; ++j) {
            const int distance = bucketed ? compute_buckets({i - j}, 4, 16)[0] : i - j,
                      row = std::min(std::max(distance + span, 0), 2 * span - 1);
            const double sum = compute_product(q, i, k, j, h) +
                               (terms != "p2c" ? compute_product(q, i, pos_key, row, h) : 0) +
                               (terms != "c2p" ? compute_product(k, j, pos_query, row, h) : 0);
            EXPECT_NEAR(static_cast<double>(matrix(actual.scores, h).row(i)[j]),
                        sum / std::sqrt(dim * (terms == "c2p_p2c" ? 3.0 : 2.0)), 1e-5);
          }
        }
      }
    }
  }
}

TEST(Deberta, GradientsMatchFiniteDifferences) {
  for (const std::string terms : {"c2p_p2c", "c2p", "p2c"}) {
    GradientCase c{.config = {.id = "deberta",
                              .params = {{"terms", terms},
                                         {"position_buckets", 4.0},
                                         {"max_relative_positions", 8.0}}}};
    expect_gradients(c);
    c.queries = {9, 1, 2};
    expect_gradients(c);
  }
}

TEST(Deberta, RejectsInconsistentParameters) {
  const auto message = [](const Params& params) {
    return create_encoding({.id = "deberta", .params = params}, {.length = 4, .dim = 4, .heads = 1})
        .status()
        .message();
  };
  EXPECT_EQ(message({{"position_buckets", 256.0}, {"max_relative_positions", 129.0}}),
            "max_relative_positions: 129 does not exceed the number of distances with separate "
            "buckets, 129");
  EXPECT_EQ(message({{"position_buckets", 1.0}}),
            "position_buckets: 1 is too small; expected at least 2");
  EXPECT_EQ(message({{"terms", std::string("c2p")}, {"pos_query", Tensor({1, 512, 4})}}),
            "pos_query: is not used by the selected terms");
  EXPECT_EQ(message({{"pos_key", Tensor({1, 256, 4})}}),
            "pos_key: has shape 1 x 256 x 4; expected 1 x 512 x 4 (heads x 2k x dim)");
}

}  // namespace
}  // namespace phasor::test::deberta_test
