// The visible keys of each query, in texts longer than tiles and blocks of keys.

#include <gtest/gtest.h>

#include <cmath>

#include "attention_inputs.h"
#include "phasor/attention.h"
#include "results.h"

namespace phasor::test {
namespace {

struct Case {
  const char* name;
  Mask mask;
  std::optional<int> window;
  int hidden;  ///< every n-th key is hidden; 0: none
};
const Case kCases[] = {{"all", Mask::none, {}, 0},
                       {"causal", Mask::causal, {}, 0},
                       {"window", Mask::none, 300, 0},
                       {"causal window", Mask::causal, 300, 0},
                       {"hidden", Mask::none, {}, 3},
                       {"causal, hidden", Mask::causal, {}, 2},
                       {"window, hidden", Mask::none, 300, 2},
                       {"window of one", Mask::none, 1, 0},
                       {"all of a window hidden", Mask::none, 1, 2}};

// The output row of one query in double, over the keys for which sees(j) is true.
std::vector<double> compute_weighted_mean(const Inputs& in, int query, double position,
                                          const std::function<bool(int)>& is_visible) {
  const int keys = in.k.shape[1], head_dim = in.k.shape[2], v_head_dim = in.v.shape[2];
  std::vector<double> mean(static_cast<std::size_t>(v_head_dim));
  double total = 0;
  for (int j = 0; j < keys; ++j) {
    if (!is_visible(j)) continue;
    double score = 0;
    for (int c = 0; c < head_dim; ++c)
      score += static_cast<double>(matrix(in.q).row(query)[c]) *
               static_cast<double>(matrix(in.k).row(j)[c]);
    const double weight = std::exp(score / std::sqrt(head_dim) - 0.01 * std::fabs(position - j));
    total += weight;
    for (int c = 0; c < v_head_dim; ++c)
      mean[static_cast<std::size_t>(c)] += weight * static_cast<double>(matrix(in.v).row(j)[c]);
  }
  for (double& x : mean) x = total > 0 ? x / total : 0;
  return mean;
}

TEST(Masks, SelectTheKeysOfEveryQueryAtAnyOffset) {
  const int queries = 40, keys = 2100;
  const Inputs in = inputs({1, 1, queries, keys, 8, 3});
  for (const Case& c : kCases) {
    for (const double position_offset : {0.0, 240.0, 1010.0, 2060.0}) {
      SCOPED_TRACE(std::string(c.name) + " from " + std::to_string(position_offset));
      AttentionConfig config;
      config.encoding = {.id = "alibi", .params = {{"slopes", Tensor({1}, {0.01f})}}};
      config.mask = c.mask;
      config.window = c.window;
      config.position_offset = position_offset;
      for (int j = 0; c.hidden > 0 && j < keys; ++j)
        config.key_mask.push_back(j % c.hidden == 1 ? 0 : 1);
      ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, config));
      for (int i = 0; i < queries; ++i) {
        const double position = position_offset + i;
        const std::vector<double> expected = compute_weighted_mean(in, i, position, [&](int j) {
          if (c.mask == Mask::causal && j > position) return false;
          if (c.window && std::fabs(position - j) >= *c.window) return false;
          return c.hidden == 0 || j % c.hidden != 1;
        });
        for (int x = 0; x < 3; ++x) {
          ASSERT_LT(error(static_cast<double>(matrix(actual.output).row(i)[x]),
                          expected[static_cast<std::size_t>(x)]),
                    2e-6)
              << "query " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace phasor::test
