#pragma once
// Determines which keys of a tile are in which range of a Remap.

#include <algorithm>
#include <vector>

#include "kernels/kernels.h"
#include "phasor/positions.h"
#include "phasor/rope.h"

namespace phasor {

class RemapRanges {
 public:
  /// Keys per packed block. A run never crosses a block boundary.
  static constexpr int kBlockKeys = 1024;

  explicit RemapRanges(const Remap& remap) : remap_(remap) {}

  int keys() const { return static_cast<int>(positions_.size()); }
  double position(int key) const { return positions_[static_cast<std::size_t>(key)]; }

  void append(double position) {
    keys_are_sorted_ = keys_are_sorted_ && (positions_.empty() || position >= positions_.back());
    positions_.push_back(position);
  }
  void truncate(int length) {
    positions_.erase(positions_.begin() + length, positions_.end());
    keys_are_sorted_ = std::is_sorted(positions_.begin(), positions_.end());
  }

  /// Sets the positions of the queries, one per row.
  void start(Positions queries) {
    queries_are_sorted_ = true;
    for (int n = 0; n < remap_.ranges(); ++n) {
      first_key_[n].clear();
      for (int r = 0; r < queries.count(); ++r)
        first_key_[n].push_back(remap_.first_key(n, queries[r]));
      queries_are_sorted_ =
          queries_are_sorted_ && std::is_sorted(first_key_[n].begin(), first_key_[n].end());
    }
  }

  /// Calls f(first key, number of keys, nearest range, last range) for each run of panels that
  /// span the same ranges.
  template <class F>
  void each_run(int row, int rows, int first, int count, F&& f) const {
    int run = first, run_nearest = -1, run_last = -1;
    for (int key = first; key < first + count; key += kernels::kPanel) {
      const int end = std::min(key + kernels::kPanel, first + count);
      const auto [nearest, last] = ranges_of(row, rows, key, end);
      if (key > run && (nearest != run_nearest || last != run_last || key % kBlockKeys == 0)) {
        f(run, key - run, run_nearest, run_last);
        run = key;
      }
      run_nearest = nearest;
      run_last = last;
    }
    f(run, first + count - run, run_nearest, run_last);
  }

  /// Calls f(from, to) for each interval [from, to) of a row's columns in this range or a nearer
  /// one.
  template <class F>
  void for_each_run(int range, int row, int key, int count, F&& f) const {
    const double min_position = first_key(range, row);
    const auto from = positions_.begin() + key;
    if (keys_are_sorted_) {
      const auto first = std::lower_bound(from, from + count, min_position);
      return f(static_cast<int>(first - from), count);
    }
    for (int c = 0; c < count; ++c) {
      if (position(key + c) >= min_position) f(c, c + 1);
    }
  }

 private:
  struct Ranges {
    int nearest, last;
  };

  double first_key(int range, int row) const {
    return first_key_[range][static_cast<std::size_t>(row)];
  }

  int range_of(double position, int row) const {
    int range = 0;
    while (position < first_key(range, row)) ++range;
    return range;
  }

  Ranges ranges_of(int row, int rows, int key, int end) const {
    double low = position(key), high = position(end - 1);
    for (int j = key; !keys_are_sorted_ && j < end; ++j) {
      low = std::min(low, position(j));
      high = std::max(high, position(j));
    }
    // If queries ascend, the first one is nearest to every key, and the last one is farthest.
    if (queries_are_sorted_) return {range_of(high, row), range_of(low, row + rows - 1)};
    Ranges out{remap_.ranges() - 1, 0};
    for (int r = row; r < row + rows; ++r)
      out = {std::min(out.nearest, range_of(high, r)), std::max(out.last, range_of(low, r))};
    return out;
  }

  const Remap& remap_;
  bool keys_are_sorted_ = true;
  bool queries_are_sorted_ = true;
  std::vector<double> positions_;
  std::vector<double> first_key_[Remap::kRanges];  // per query
};

}  // namespace phasor
