#pragma once
// The gradient of an array against finite differences of the loss, block by block, so that an
// error in small numbers is not hidden by large ones.

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>

#include "phasor/random.h"
#include "slope_along.h"

namespace phasor::test {

struct Block {
  std::vector<std::size_t> entries;
  double largest = 0;  ///< of the gradient, in size
};

inline double largest_of(const Tensor& t) {
  return std::transform_reduce(
      t.data.begin(), t.data.end(), 0.0, [](double a, double b) { return std::max(a, b); },
      [](float x) { return std::fabs(static_cast<double>(x)); });
}

/// The rows of an array, or the numbers of a 1-D one, by the size of their gradients, the smallest
/// first. All whose gradient is 0 throughout are one block.
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

struct Worst {
  double error = 0;
  std::string where;
};

/// The largest error of a block. Of more than `most` blocks those with the smallest gradients, two
/// or `most`, and some of the others are compared; all whose gradient is 0 and the whole array
/// always are. A block is moved along the signs of its gradient, where the slope is the sum of
/// their sizes, and along random signs. An error is relative to that sum; numbers below a
/// thousandth of the array's largest, or below 0.01, are relative to that, since float32 computes
/// them from sums of larger ones.
inline Worst worst_block(Tensor& t, const Tensor& gradient, const SlopeRule& rule, std::size_t most,
                         const std::function<double()>& loss) {
  const double floor = std::max(1e-3 * largest_of(gradient), 0.01), here = loss();
  SplitMix64 random(70);
  Worst worst;
  std::vector<float> direction(t.data.size(), 0.0f);
  const auto compare = [&](const std::vector<std::size_t>& entries, bool by_sign,
                           const std::string& where) {
    double size = 0;
    for (const std::size_t i : entries) {
      const bool up = by_sign ? gradient.data[i] >= 0 : random.next() % 2 == 0;
      direction[i] = up ? 1.0f : -1.0f;
      size += std::fabs(static_cast<double>(gradient.data[i]));
    }
    const Slope slope =
        slope_along(t, gradient, direction, std::max(size, floor), rule, here, loss);
    if (slope.error > worst.error) {
      worst = {slope.error, where + (by_sign ? " by its signs" : " by random signs") +
                                ", where differences give " + testing::PrintToString(slope.value) +
                                " and the sum of sizes is " + testing::PrintToString(size)};
    }
    for (const std::size_t i : entries) direction[i] = 0;
  };
  const std::vector<Block> all = blocks_of(gradient);
  const std::size_t smallest = std::min<std::size_t>(2, most) + (all[0].largest == 0 ? 1 : 0),
                    others = most - std::min<std::size_t>(2, most);
  const std::size_t step = all.size() <= most || others == 0 ? 1 : all.size() / others + 1;
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (n >= smallest && (others == 0 || n % step != 0)) continue;
    const std::string where = "block of entry " + std::to_string(all[n].entries[0]);
    compare(all[n].entries, true, where);
    if (others > 0 && all[n].entries.size() > 1) compare(all[n].entries, false, where);
  }
  std::vector<std::size_t> whole(t.data.size());
  std::iota(whole.begin(), whole.end(), std::size_t{0});
  compare(whole, false, "the whole array");
  return worst;
}

}  // namespace phasor::test
