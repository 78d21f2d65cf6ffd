#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

std::vector<float> create_column(int n, const char* convention, const char* range = "unit",
                                 double first = 0) {
  const EncodingConfig config{
      .id = "normalised_index",
      .params = {{"convention", std::string(convention)}, {"range", std::string(range)}}};
  return value_of(position_table(config, positions_from(first, n), 1)).data;
}

TEST(NormalisedIndex, ConventionsMatchTheirValuesForFiveTokens) {
  EXPECT_EQ(create_column(5, "over_n_from_one"),
            (std::vector<float>{0.2f, 0.4f, 0.6f, 0.8f, 1.0f}));
  EXPECT_EQ(create_column(5, "over_n"), (std::vector<float>{0.0f, 0.2f, 0.4f, 0.6f, 0.8f}));
  EXPECT_EQ(create_column(5, "linspace"), (std::vector<float>{0.0f, 0.25f, 0.5f, 0.75f, 1.0f}));
}

TEST(NormalisedIndex, SupportsASingleToken) {
  EXPECT_EQ(create_column(1, "over_n_from_one"), std::vector<float>{1});
  EXPECT_EQ(create_column(1, "over_n"), std::vector<float>{0});
  EXPECT_EQ(create_column(1, "linspace"), std::vector<float>{0});
  EXPECT_EQ(create_column(1, "linspace", "symmetric"), std::vector<float>{-1});
}

TEST(NormalisedIndex, SymmetricRangeIsCentredAtZero) {
  for (const int n : {2, 3, 10}) {
    const std::vector<float> x = create_column(n, "linspace", "symmetric");
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], -x[x.size() - 1 - i], 1e-7f);
    EXPECT_EQ(x.front(), -1.0f);
  }
}

TEST(NormalisedIndex, IsNotPrefixStable) {
  EXPECT_FALSE(find_encoding("normalised_index")->prefix_stable);
  for (const char* convention : {"over_n_from_one", "over_n", "linspace"})
    EXPECT_NE(create_column(4, convention)[2], create_column(5, convention)[2]);
}

}  // namespace
}  // namespace phasor::test
