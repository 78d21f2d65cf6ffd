#include "attention/streaming/visible.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/vector_ops.h"

namespace phasor {

VisibleKeys::VisibleKeys(const AttentionParams& params)
    : queries_(params.mask_queries.count() > 0 ? params.mask_queries : params.queries),
      keys_(params.mask_keys.count() > 0 ? params.mask_keys : params.keys),
      query_segments_(params.query_segments),
      key_segments_(params.key_segments),
      is_causal_(params.mask == Mask::causal),
      window_(params.window),
      sink_position_end_(params.sink_tokens() > 0 ? params.sink_tokens()
                                                  : -std::numeric_limits<double>::infinity()),
      is_contiguous_(has_contiguous_ranges()),
      ranges_(static_cast<std::size_t>(queries_.count())),
      attn_mask_(params.attn_mask),
      attn_bias_(params.attn_bias) {
  const int keys = keys_.count();
  if (is_contiguous_ && window_ > 0 && query_segments_.empty()) {
    const auto values = keys_.values();
    sink_key_end_ = static_cast<int>(
        std::lower_bound(values.begin(), values.end(), sink_position_end_) - values.begin());
  }
  KeyRange segment{0, keys};
  for (int row = 0; row < queries_.count(); ++row) {
    KeyRange& range = ranges_[static_cast<std::size_t>(row)];
    if (!is_contiguous_) {
      range.end = keys;
      while (range.begin < keys && !is_in_window(row, range.begin)) ++range.begin;
      while (range.end > range.begin && !is_in_window(row, range.end - 1)) --range.end;
      continue;
    }
    if (!query_segments_.empty()) segment = segment_range(row, segment);
    range = segment;
    if (is_causal_ || window_ > 0) {
      const auto values = keys_.values().subspan(
          static_cast<std::size_t>(segment.begin),
          static_cast<std::size_t>(segment.end) - static_cast<std::size_t>(segment.begin));
      const auto find_first_key_above = [&](double limit) {
        return segment.begin +
               static_cast<int>(std::upper_bound(values.begin(), values.end(), limit) -
                                values.begin());
      };
      const double query = queries_[row];
      if (window_ > 0) {
        range.begin = find_first_key_above(query - window_);
        range.end = segment.begin + static_cast<int>(std::lower_bound(values.begin(), values.end(),
                                                                      query + window_) -
                                                     values.begin());
      }
      if (is_causal_) range.end = std::min(range.end, find_first_key_above(query));
      range.end = std::max(range.begin, range.end);
    }
  }
  if (params.key_mask == nullptr) return;
  key_mask_scores_.reserve(params.key_mask->size());
  for (const std::uint8_t is_key_visible : *params.key_mask)
    key_mask_scores_.push_back(is_key_visible != 0 ? 0.0f : kMinusInfinity);
}

// True if, for each query, the keys that mask, window and segments allow are contiguous. Segments
// must be contiguous, and the positions in them ascending if mask or window depend on positions.
// With segments, a window must not have sink tokens.
bool VisibleKeys::has_contiguous_ranges() const {
  const bool depends_on_positions = is_causal_ || window_ > 0;
  const auto values = keys_.values();
  if (key_segments_.empty())
    return !depends_on_positions || std::is_sorted(values.begin(), values.end());
  if (window_ > 0 && std::isfinite(sink_position_end_)) return false;
  std::vector<double> segment_starts;
  for (std::size_t key = 0; key < key_segments_.size(); ++key) {
    if (key == 0 || key_segments_[key] != key_segments_[key - 1]) {
      segment_starts.push_back(key_segments_[key]);
    } else if (depends_on_positions && values[key] < values[key - 1]) {
      return false;
    }
  }
  std::sort(segment_starts.begin(), segment_starts.end());
  return std::adjacent_find(segment_starts.begin(), segment_starts.end()) == segment_starts.end();
}

KeyRange VisibleKeys::segment_range(int row, KeyRange previous_range) const {
  const int keys = keys_.count();
  if (row > 0 && query_segments_[static_cast<std::size_t>(row)] ==
                     query_segments_[static_cast<std::size_t>(row) - 1])
    return previous_range;
  KeyRange range{0, 0};
  while (range.begin < keys && !is_same_segment(row, range.begin)) ++range.begin;
  range.end = range.begin;
  while (range.end < keys && is_same_segment(row, range.end)) ++range.end;
  return range;
}

KeyRange VisibleKeys::range(int row, int rows) const {
  KeyRange union_range = range(row);
  for (int r = row + 1; r < row + rows; ++r) {
    const KeyRange& visible_range = range(r);
    if (visible_range.begin == visible_range.end) continue;
    union_range = union_range.begin == union_range.end
                      ? visible_range
                      : KeyRange{std::min(union_range.begin, visible_range.begin),
                                 std::max(union_range.end, visible_range.end)};
  }
  return union_range;
}

int VisibleKeys::sink_end(int row, int rows) const {
  int end = 0;
  for (int r = row; r < row + rows && sink_key_end_ > 0; ++r) end = std::max(end, sink_end(r));
  return end;
}

bool VisibleKeys::is_in_window(int row, int key) const {
  if (!is_same_segment(row, key)) return false;
  if (!is_causal_ && window_ == 0) return true;
  const double i = queries_[row], j = keys_[key];
  return !(is_causal_ && j > i) &&
         (window_ == 0 || j < sink_position_end_ || (j > i - window_ && j < i + window_));
}

bool VisibleKeys::is_visible(int row, int key) const {
  const KeyRange& visible_range = range(row);
  const bool is_in_range = key >= visible_range.begin && key < visible_range.end &&
                           (is_contiguous_ || is_in_window(row, key));
  return (is_in_range || key < sink_end(row)) && is_unmasked(row, key);
}

bool VisibleKeys::is_unmasked(int row, int key) const {
  return is_same_segment(row, key) &&
         (key_mask_scores_.empty() || key_mask_scores_[static_cast<std::size_t>(key)] == 0) &&
         (attn_mask_.empty() || *attn_mask_.at(head_, row, key) != 0) &&
         (attn_bias_.empty() || *attn_bias_.at(head_, row, key) != kMinusInfinity);
}

bool VisibleKeys::has_visible_key(int row) const {
  const KeyRange& visible_range = range(row);
  for (int key = visible_range.begin; key < visible_range.end; ++key) {
    if (is_visible(row, key)) return true;
  }
  for (int key = 0; key < sink_end(row); ++key) {
    if (is_visible(row, key)) return true;
  }
  return false;
}

void VisibleKeys::apply_mask(int row, int first_key, const MatrixRef& tile) const {
  for (int r = 0; r < tile.rows; ++r) {
    const KeyRange& visible_range = range(row + r);
    const int first = std::clamp(visible_range.begin - first_key, 0, tile.columns),
              end = std::clamp(visible_range.end - first_key, first, tile.columns);
    const int sink_columns = std::clamp(sink_end(row + r) - first_key, 0, first);
    float* scores = tile.row(r);
    kernels::fill(scores + sink_columns, kMinusInfinity, first - sink_columns);
    kernels::fill(scores + end, kMinusInfinity, tile.columns - end);
    for (int c = first; !is_contiguous_ && c < end; ++c) {
      if (!is_in_window(row + r, first_key + c)) scores[c] = kMinusInfinity;
    }
    // Assigns -infinity instead of adding it, because the sum with an infinite term of the encoding
    // could be NaN.
    if (!key_mask_scores_.empty())
      kernels::copy_nonzero(scores, key_mask_scores_.data() + first_key, tile.columns);
    for (int c = 0; !attn_mask_.empty() && c < tile.columns; ++c) {
      if (*attn_mask_.at(head_, row + r, first_key + c) == 0) scores[c] = kMinusInfinity;
    }
    for (int c = 0; !attn_bias_.empty() && c < tile.columns; ++c) {
      if (*attn_bias_.at(head_, row + r, first_key + c) == kMinusInfinity)
        scores[c] = kMinusInfinity;
    }
  }
}

}  // namespace phasor
