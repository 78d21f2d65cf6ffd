// Biases that depend only on the difference of two positions (is_toeplitz).

#include <gtest/gtest.h>

#include "reference.h"
#include "results.h"
#include "variants.h"

namespace phasor::test {
namespace {

float get_bias(const Encoding& encoding, int head, double query, double key) {
  float bias = 0;
  encoding.as_score_bias()->add_bias(head, std::vector<double>{query}, std::vector<double>{key},
                                     {&bias, 1, 1, 1});
  return bias;
}

// If is_toeplitz is declared, a tile equals the bias of a query at 0 for keys at the differences.
// Otherwise some pairs with the same difference have different biases.
TEST(ConformanceDifference, IsToeplitzIsDeclaredExactlyWhereItHolds) {
  int declared = 0, not_declared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection != Injection::score) continue;
    SCOPED_TRACE(variant.name);
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<Encoding> encoding,
                         create_encoding(variant.config, {.length = 300, .dim = 8, .heads = 3}));
    bool differs = false;
    for (const double first_query : {0.0, 7.0, 600.0}) {
      for (const double first_key : {0.0, 5.0, 900.0}) {
        for (int head = 0; head < 3; ++head) {
          const std::vector<double> queries = whole_positions(first_query, 5),
                                    keys = whole_positions(first_key, 37);
          Tensor tile({5, 37});
          encoding->as_score_bias()->add_bias(head, queries, keys, matrix(tile));
          const std::vector<double> distances = whole_positions(first_key - first_query - 4, 41);
          Tensor row({1, 41});
          encoding->as_score_bias()->add_bias(head, std::vector<double>{0}, distances, matrix(row));
          for (int r = 0; r < 5; ++r) {
            for (int c = 0; c < 37; ++c) {
              const float expected = matrix(row).row(0)[4 - r + c];
              differs = differs || matrix(tile).row(r)[c] != expected;
              // A tile has the biases of its single pairs.
              ASSERT_EQ(matrix(tile).row(r)[c],
                        get_bias(*encoding, head, first_query + r, first_key + c));
            }
          }
        }
      }
    }
    EXPECT_EQ(encoding->as_score_bias()->is_toeplitz(), !differs);
    ++(encoding->as_score_bias()->is_toeplitz() ? declared : not_declared);
  }
  EXPECT_GT(declared, 10);
  EXPECT_GE(not_declared, 3);  // two forms of alibi, and fire
}

}  // namespace
}  // namespace phasor::test
