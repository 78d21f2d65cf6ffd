#pragma once
// Texts packed into one row: segment ids, and the tokens of each segment.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {

struct Packed {
  static constexpr int kHeads = 2, kTokens = 40, kHeadDim = 8;

  Tensor q = dyadic(801, {kHeads, kTokens, kHeadDim}), k = dyadic(802, {kHeads, kTokens, kHeadDim}),
         v = dyadic(803, {kHeads, kTokens, kHeadDim}),
         d_output = dyadic(804, {kHeads, kTokens, kHeadDim});
  // The last text begins in the middle of a tile of rows.
  std::vector<int> lengths = {15, 1, 24};
};

inline std::vector<int> ids_of(const std::vector<int>& lengths) {
  std::vector<int> ends = {0};
  for (const int length : lengths) ends.push_back(ends.back() + length);
  return value_of(segment_ids(ends));
}

inline AttentionConfig packed(AttentionConfig config, const std::vector<int>& ids) {
  config.query_segment_ids = config.key_segment_ids = ids;
  return config;
}

inline std::vector<int> tokens_of(const std::vector<int>& ids, int id) {
  std::vector<int> indices;
  for (std::size_t t = 0; t < ids.size(); ++t) {
    if (ids[t] == id) indices.push_back(static_cast<int>(t));
  }
  return indices;
}

/// The given tokens of x (heads, tokens, channels).
inline Tensor chosen(const Tensor& x, const std::vector<int>& rows) {
  Tensor out({x.shape[0], static_cast<int>(rows.size()), x.shape[2]});
  for (int h = 0; h < x.shape[0]; ++h) {
    for (int t = 0; t < out.shape[1]; ++t)
      std::copy_n(matrix(x, h).row(rows[static_cast<std::size_t>(t)]), x.shape[2],
                  matrix(out, h).row(t));
  }
  return out;
}

}  // namespace phasor::test
