#pragma once
// Finds which range of a Remap applies to each query and key.

#include <algorithm>
#include <vector>

#include "kernels/kernels.h"
#include "phasor/positions.h"
#include "phasor/rope.h"

namespace phasor {

class RemapRanges {
 public:
  /// Number of keys in a packed block. A run never crosses a block boundary.
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

  void set_queries(Positions queries) {
    queries_are_sorted_ = true;
    for (int n = 0; n < remap_.ranges(); ++n) {
      first_key_positions_[n].clear();
      for (int r = 0; r < queries.count(); ++r)
        first_key_positions_[n].push_back(remap_.first_key(n, queries[r]));
      queries_are_sorted_ = queries_are_sorted_ && std::is_sorted(first_key_positions_[n].begin(),
                                                                  first_key_positions_[n].end());
    }
  }

  /// Splits the keys into runs and calls f(first key, number of keys, nearest range, farthest
  /// range) for each. All panels of a run have the same nearest and farthest range.
  template <class F>
  void visit_runs(int row, int rows, int first, int count, F&& f) const {
    int run_start = first, run_nearest = -1, run_farthest = -1;
    for (int key = first; key < first + count; key += kernels::kPanelColumns) {
      const int end = std::min(key + kernels::kPanelColumns, first + count);
      const auto [nearest, farthest] = find_range_bounds(row, rows, key, end);
      if (key > run_start &&
          (nearest != run_nearest || farthest != run_farthest || key % kBlockKeys == 0)) {
        f(run_start, key - run_start, run_nearest, run_farthest);
        run_start = key;
      }
      run_nearest = nearest;
      run_farthest = farthest;
    }
    f(run_start, first + count - run_start, run_nearest, run_farthest);
  }

  /// Calls f(begin, end) for each interval of keys whose range is at most `range` for the query in
  /// `row`. begin and end are relative to `key`.
  template <class F>
  void visit_intervals(int range, int row, int key, int count, F&& f) const {
    const double min_position = first_key_position(range, row);
    const auto keys_begin = positions_.begin() + key;
    if (keys_are_sorted_) {
      const auto first = std::lower_bound(keys_begin, keys_begin + count, min_position);
      return f(static_cast<int>(first - keys_begin), count);
    }
    for (int c = 0; c < count; ++c) {
      if (position(key + c) >= min_position) f(c, c + 1);
    }
  }

 private:
  struct RangeBounds {
    int nearest, farthest;
  };

  double first_key_position(int range, int row) const {
    return first_key_positions_[range][static_cast<std::size_t>(row)];
  }

  int find_range(double position, int row) const {
    int range = 0;
    while (position < first_key_position(range, row)) ++range;
    return range;
  }

  RangeBounds find_range_bounds(int row, int rows, int key, int end) const {
    double low = position(key), high = position(end - 1);
    for (int j = key; !keys_are_sorted_ && j < end; ++j) {
      low = std::min(low, position(j));
      high = std::max(high, position(j));
    }
    // If query positions ascend, the first query has the nearest range and the last the farthest.
    if (queries_are_sorted_) return {find_range(high, row), find_range(low, row + rows - 1)};
    RangeBounds out{remap_.ranges() - 1, 0};
    for (int r = row; r < row + rows; ++r)
      out = {std::min(out.nearest, find_range(high, r)),
             std::max(out.farthest, find_range(low, r))};
    return out;
  }

  const Remap& remap_;
  bool keys_are_sorted_ = true;
  bool queries_are_sorted_ = true;
  std::vector<double> positions_;
  std::vector<double> first_key_positions_[Remap::kRanges];  // per query
};

}  // namespace phasor
