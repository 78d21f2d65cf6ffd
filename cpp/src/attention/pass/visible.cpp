#include "attention/pass/visible.h"

#include <algorithm>
#include <limits>

#include "kernels/rows.h"

namespace phasor {

namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

}  // namespace

VisibleKeys::VisibleKeys(const AttendJob& job)
    : queries_(job.mask_queries.count() > 0 ? job.mask_queries : job.queries),
      keys_(job.mask_keys.count() > 0 ? job.mask_keys : job.keys),
      causal_(job.mask == Mask::causal),
      window_(job.window),
      sink_tokens_(window_ > 0 ? job.sink_tokens : 0),
      is_stretch_((!causal_ && window_ == 0) ||
                  std::is_sorted(keys_.values().begin(), keys_.values().end())),
      ranges_(static_cast<std::size_t>(queries_.count())) {
  const int keys = keys_.count();
  if (is_stretch_ && sink_tokens_ > 0) {
    const auto values = keys_.values();
    sink_end_ = static_cast<int>(std::lower_bound(values.begin(), values.end(), sink_tokens_) -
                                 values.begin());
  }
  for (int row = 0; row < queries_.count(); ++row) {
    KeyRange& range = ranges_[static_cast<std::size_t>(row)];
    range.last = keys;
    if (!is_stretch_) {
      while (range.first < keys && !in_reach(row, range.first)) ++range.first;
      while (range.last > range.first && !in_reach(row, range.last - 1)) --range.last;
    } else if (causal_ || window_ > 0) {
      const auto values = keys_.values();
      const auto above = [&](double limit) {
        return static_cast<int>(std::upper_bound(values.begin(), values.end(), limit) -
                                values.begin());
      };
      const double query = queries_[row];
      if (window_ > 0) {
        range.first = above(query - window_);
        range.last = static_cast<int>(
            std::lower_bound(values.begin(), values.end(), query + window_) - values.begin());
      }
      if (causal_) range.last = std::min(range.last, above(query));
      range.last = std::max(range.first, range.last);
      if (sink_end_ > 0) {
        window_first_.push_back(range.first);
        range.first = 0;
        // nothing of the window is left before a query that stands before all keys
        if (causal_ && range.last == window_first_.back())
          range.last = std::min(sink_end_, above(query));
      }
    }
  }
  if (job.key_mask == nullptr) return;
  hidden_.reserve(job.key_mask->size());
  for (const std::uint8_t seen : *job.key_mask) hidden_.push_back(seen != 0 ? 0.0f : kHidden);
}

KeyRange VisibleKeys::range(int row, int rows) const {
  KeyRange all = range(row);
  for (int r = row + 1; r < row + rows; ++r) {
    const KeyRange& own = range(r);
    if (own.first == own.last) continue;
    all = all.first == all.last
              ? own
              : KeyRange{std::min(all.first, own.first), std::max(all.last, own.last)};
  }
  return all;
}

bool VisibleKeys::in_reach(int row, int key) const {
  const double i = queries_[row], j = keys_[key];
  return !(causal_ && j > i) &&
         (window_ == 0 || (j > i - window_ && j < i + window_) || j < sink_tokens_);
}

bool VisibleKeys::is_visible(int row, int key) const {
  const KeyRange& own = range(row);
  return key >= own.first && key < own.last && (is_stretch_ || in_reach(row, key)) &&
         !in_gap(row, 1, key, 1) &&
         (hidden_.empty() || hidden_[static_cast<std::size_t>(key)] == 0);
}

bool VisibleKeys::in_gap(int row, int rows, int key, int count) const {
  if (sink_end_ == 0 || key < sink_end_) return false;
  for (int r = row; r < row + rows; ++r) {
    if (key + count > window_first_[static_cast<std::size_t>(r)]) return false;
  }
  return true;
}

bool VisibleKeys::sees_any_key(int row) const {
  const KeyRange& own = range(row);
  for (int key = own.first; key < own.last; ++key) {
    if (is_visible(row, key)) return true;
  }
  return false;
}

void VisibleKeys::apply_mask(int row, int first_key, const MatrixRef& tile) const {
  for (int r = 0; r < tile.rows; ++r) {
    const KeyRange& own = range(row + r);
    const int first = std::clamp(own.first - first_key, 0, tile.columns),
              last = std::clamp(own.last - first_key, first, tile.columns);
    float* numbers = tile.row(r);
    kernels::fill(numbers, kHidden, first);
    kernels::fill(numbers + last, kHidden, tile.columns - last);
    if (sink_end_ > 0) {
      const int from = std::clamp(sink_end_ - first_key, first, last),
                to = std::clamp(window_first_[static_cast<std::size_t>(row + r)] - first_key, from,
                                last);
      kernels::fill(numbers + from, kHidden, to - from);
    }
    for (int c = first; !is_stretch_ && c < last; ++c) {
      if (!in_reach(row + r, first_key + c)) numbers[c] = kHidden;
    }
    if (!hidden_.empty()) kernels::add_row(numbers, hidden_.data() + first_key, tile.columns);
  }
}

}  // namespace phasor
