#pragma once
// A row at any alignment, between guards that detect writes outside it.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace phasor::test {

inline constexpr float kGuard = 12345.5f;
inline constexpr float kHidden = -std::numeric_limits<float>::infinity();
/// Rows up to this length have every remainder of lanes and panels several times.
inline constexpr int kLongestRow = 4 * kernels::kPanelColumns + 1;

/// A copy of a row that starts `shift` floats after an aligned address.
class GuardedRow {
 public:
  GuardedRow(const std::vector<float>& values, int shift)
      : all_(values.size() + 16, kGuard), first_(8 + shift - 4), n_(values.size()) {
    std::copy(values.begin(), values.end(), data());
  }
  float* data() { return all_.data() + first_; }
  std::vector<float> values() { return {data(), data() + n_}; }
  void expect_guards(const std::string& where) {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (i < static_cast<std::size_t>(first_) || i >= static_cast<std::size_t>(first_) + n_) {
        ASSERT_EQ(all_[i], kGuard) << where << " wrote at " << static_cast<long>(i) - first_;
      }
    }
  }

 private:
  std::vector<float> all_;
  int first_;
  std::size_t n_;
};

}  // namespace phasor::test
