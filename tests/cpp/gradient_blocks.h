#pragma once
// Compares the gradient of an array with finite differences of the loss, block by block, so that
// large values do not hide an error in small ones.

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>

#include "phasor/random.h"
#include "slope_along.h"

namespace phasor::test {

struct Block {
  std::vector<std::size_t> entries;
  double largest = 0;  ///< largest absolute value of the gradient
};

inline double largest_of(const Tensor& t) {
  return std::transform_reduce(
      t.data.begin(), t.data.end(), 0.0, [](double a, double b) { return std::max(a, b); },
      [](float x) { return std::fabs(static_cast<double>(x)); });
}

/// The rows of an array, or the entries of a 1-D array, in ascending order of their largest
/// gradient. All rows whose gradient is 0 are one block.
inline std::vector<Block> blocks_of(const Tensor& gradient) {
  const std::size_t head_dim =
      gradient.rank() > 1 ? static_cast<std::size_t>(gradient.shape.back()) : 1;
  std::vector<Block> blocks(1);
  for (std::size_t first = 0; first < gradient.data.size(); first += head_dim) {
    Block block;
    for (std::size_t i = first; i < first + head_dim; ++i) {
      block.entries.push_back(i);
      block.largest = std::max(block.largest, std::fabs(static_cast<double>(gradient.data[i])));
    }
    if (block.largest == 0) {
      blocks[0].entries.insert(blocks[0].entries.end(), block.entries.begin(), block.entries.end());
    } else {
      blocks.push_back(std::move(block));
    }
  }
  if (blocks[0].entries.empty()) blocks.erase(blocks.begin());
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const Block& a, const Block& b) { return a.largest < b.largest; });
  return blocks;
}

struct WorstBlock {
  double error = 0;
  std::string location;
};

/// The largest error of a block. Of more than `max_blocks` blocks, the two (or `max_blocks`, if
/// less) with the smallest gradients and some of the others are compared. The block of zeros and
/// the whole array are always compared. A block is varied along the signs of its gradient, where
/// the slope is the sum of absolute values, and along random signs. The error is relative to that
/// sum, but at least to a thousandth of the array's largest value and to 0.01, since float32
/// computes small values from sums of larger ones.
inline WorstBlock worst_block(Tensor& t, const Tensor& gradient, const SlopeRule& rule,
                              std::size_t max_blocks, const std::function<double()>& loss) {
  const double floor = std::max(1e-3 * largest_of(gradient), 0.01), current_loss = loss();
  SplitMix64 random(70);
  WorstBlock worst;
  std::vector<float> direction(t.data.size(), 0.0f);
  const auto compare = [&](const std::vector<std::size_t>& entries, bool uses_gradient_signs,
                           const std::string& location) {
    double size = 0;
    for (const std::size_t i : entries) {
      const bool is_positive = uses_gradient_signs ? gradient.data[i] >= 0 : random.next() % 2 == 0;
      direction[i] = is_positive ? 1.0f : -1.0f;
      size += std::fabs(static_cast<double>(gradient.data[i]));
    }
    const Slope slope =
        slope_along(t, gradient, direction, std::max(size, floor), rule, current_loss, loss);
    if (slope.error > worst.error) {
      worst = {slope.error, location +
                                (uses_gradient_signs ? " by its signs" : " by random signs") +
                                ", where differences give " + testing::PrintToString(slope.value) +
                                " and the sum of sizes is " + testing::PrintToString(size)};
    }
    for (const std::size_t i : entries) direction[i] = 0;
  };
  const std::vector<Block> blocks = blocks_of(gradient);
  const std::size_t smallest =
                        std::min<std::size_t>(2, max_blocks) + (blocks[0].largest == 0 ? 1 : 0),
                    others = max_blocks - std::min<std::size_t>(2, max_blocks);
  const std::size_t step =
      blocks.size() <= max_blocks || others == 0 ? 1 : blocks.size() / others + 1;
  for (std::size_t n = 0; n < blocks.size(); ++n) {
    if (n >= smallest && (others == 0 || n % step != 0)) continue;
    const std::string location = "block of entry " + std::to_string(blocks[n].entries[0]);
    compare(blocks[n].entries, true, location);
    if (others > 0 && blocks[n].entries.size() > 1) compare(blocks[n].entries, false, location);
  }
  std::vector<std::size_t> all_entries(t.data.size());
  std::iota(all_entries.begin(), all_entries.end(), std::size_t{0});
  compare(all_entries, false, "the whole array");
  return worst;
}

}  // namespace phasor::test
