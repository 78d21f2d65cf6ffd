// Context extension as the encodings rope and mrope apply it.

#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

constexpr int kDim = 64;

TEST(RopeScaling, LinearScalingDividesPositions) {
  const EncodingConfig config{.id = "rope",
                              .params = {{"scaling", std::string("linear")}, {"factor", 8.0}}};
  const Tensor x = dyadic(151, {1, 3, kDim});
  Tensor scaled_query = x, divided_query = x;
  ASSERT_OK_AND_ASSIGN(scaled_query, apply_rotary(config, Role::query,
                                                  std::vector<double>{8, 100, 4096}, scaled_query));
  ASSERT_OK_AND_ASSIGN(divided_query,
                       apply_rotary({.id = "rope", .params = {}}, Role::query,
                                    std::vector<double>{1, 12.5, 512}, divided_query));
  EXPECT_LT(largest_error(scaled_query.data, divided_query.data), 1e-6);
}

TEST(RopeScaling, AttentionFactorMultipliesQueriesAndKeys) {
  const EncodingConfig yarn{
      .id = "rope", .params = {{"scaling", std::string("yarn")}, {"attention_factor", 2.0}}};
  const Tensor x = dyadic(152, {1, 1, kDim});
  Tensor q = x, k = x;
  ASSERT_OK_AND_ASSIGN(q, apply_rotary(yarn, Role::query, std::vector<double>{0}, q));
  ASSERT_OK_AND_ASSIGN(k, apply_rotary(yarn, Role::key, std::vector<double>{0}, k));
  for (std::size_t i = 0; i < x.data.size(); ++i) {
    EXPECT_EQ(q.data[i], 2 * x.data[i]);
    EXPECT_EQ(k.data[i], 2 * x.data[i]);
  }
}

TEST(RopeScaling, FrequenciesEqualTheRotationAngles) {
  for (const char* id : {"rope", "mrope"}) {
    const EncodingConfig config{.id = id,
                                .params = {{"scaling", std::string("yarn")},
                                           {"factor", 8.0},
                                           {"rotary_dim", 16.0},
                                           {"kept_fraction", 0.75}}};
    ASSERT_OK_AND_ASSIGN(Frequencies actual, rope_frequencies(config, 32));
    ASSERT_OK_AND_ASSIGN(Tensor angles_at_1, rotary_angles(config, std::vector<double>{1}, 32));
    ASSERT_EQ(actual.inv_freq.size(), 8u);
    for (std::size_t t = 0; t < 8; ++t)
      EXPECT_EQ(static_cast<float>(actual.inv_freq[t]), angles_at_1.data[t]) << id << " " << t;
    EXPECT_EQ(actual.inv_freq[6], 0);
    EXPECT_NEAR(actual.attention_factor, 0.1 * std::log(8.0) + 1, 1e-15);
  }
}

TEST(RopeScaling, RejectsOtherEncodingsAndOddDims) {
  EXPECT_EQ(rope_frequencies({.id = "xpos", .params = {}}, 8).status().message(),
            "encoding: xpos does not scale frequencies; expected rope or mrope");
  EXPECT_EQ(rope_frequencies({.id = "alibi", .params = {}}, 8).status().message(),
            "encoding: alibi has no frequencies; its injection is score, so call attention_bias");
  EXPECT_EQ(rope_frequencies({.id = "rope", .params = {}}, 7).status().message(),
            "dim: 7 is odd; expected an even dim per head, because rope rotates channels in pairs");
}

}  // namespace
}  // namespace phasor::test
