#pragma once
// Which keys a query sees by the mask and the window. Positions ascend, so that it is always one stretch.

#include <algorithm>
#include <limits>

#include "attention/attend.h"
#include "kernels/rows.h"

namespace phasor {

/// Keys [first, last).
struct KeyRange {
  int first = 0;
  int last = 0;
};

inline KeyRange visible(const AttendJob& job, double query) {
  const auto keys = job.keys.values();
  const auto index = [&](auto found) { return static_cast<int>(found - keys.begin()); };
  const auto above = [&](double limit) { return index(std::upper_bound(keys.begin(), keys.end(), limit)); };
  const auto from = [&](double limit) { return index(std::lower_bound(keys.begin(), keys.end(), limit)); };
  KeyRange range{0, job.keys.count()};
  if (job.window > 0) range = {above(query - job.window), from(query + job.window)};
  if (job.mask == Mask::causal) range.last = std::min(range.last, above(query));
  return {range.first, std::max(range.first, range.last)};
}

/// Of every query.
inline std::vector<KeyRange> visible(const AttendJob& job) {
  std::vector<KeyRange> ranges;
  ranges.reserve(static_cast<std::size_t>(job.queries.count()));
  for (int i = 0; i < job.queries.count(); ++i) ranges.push_back(visible(job, job.queries[i]));
  return ranges;
}

/// Hides in a tile, whose first column is key `first_key`, what its rows do not see. hidden (keys) is 0 or -infinity, or empty.
inline void apply_mask(const KeyRange* ranges, const std::vector<float>& hidden, int first_key, MatrixRef tile) {
  constexpr float kHidden = -std::numeric_limits<float>::infinity();
  for (int r = 0; r < tile.rows; ++r) {
    const int first = std::clamp(ranges[r].first - first_key, 0, tile.columns),
              last = std::clamp(ranges[r].last - first_key, first, tile.columns);
    float* row = tile.row(r);
    kernels::fill(row, kHidden, first);
    kernels::fill(row + last, kHidden, tile.columns - last);
    if (!hidden.empty()) kernels::add_row(row, hidden.data() + first_key, tile.columns);
  }
}

/// What a key mask adds to scores: (keys), or empty without a mask.
inline std::vector<float> hidden_keys(const AttendJob& job) {
  std::vector<float> hidden;
  if (job.key_mask == nullptr) return hidden;
  for (const std::uint8_t seen : *job.key_mask) hidden.push_back(seen != 0 ? 0.0f : -std::numeric_limits<float>::infinity());
  return hidden;
}

}  // namespace phasor
