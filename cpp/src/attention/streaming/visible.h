#pragma once
// Determines the keys that are visible to each query by mask, window, segments, key mask, attn_mask
// and attn_bias.

#include <algorithm>
#include <vector>

#include "attention/streaming/attend.h"

namespace phasor {

/// Keys [begin, end).
struct KeyRange {
  int begin = 0;
  int end = 0;
};

class VisibleKeys {
 public:
  explicit VisibleKeys(const AttentionParams& job);

  /// Selects the head of attn_mask and attn_bias, which may differ between heads, unlike the
  /// ranges.
  void use_head(int head) { head_ = head; }

  /// The smallest range that contains the visible keys of this query, except sink tokens.
  const KeyRange& range(int row) const { return ranges_[static_cast<std::size_t>(row)]; }
  /// The smallest range that contains the visible keys of several queries, except sink tokens.
  KeyRange range(int row, int rows) const;
  /// The end of the sink tokens that this query, or any of several, sees outside range(); 0 if
  /// there are none.
  int sink_end(int row) const {
    return causal_ ? std::min(sink_keys_, range(row).end) : sink_keys_;
  }
  int sink_end(int row, int rows) const;
  bool is_visible(int row, int key) const;
  /// Whether segments and masks allow the pair, regardless of positions.
  bool is_unmasked(int row, int key) const;
  bool has_visible_key(int row) const;

  /// Sets the scores of hidden keys in a tile (rows, keys) to -infinity; the first column is key
  /// `first_key`.
  void apply_mask(int row, int first_key, const MatrixRef& tile) const;

 private:
  /// Whether segments, the causal mask and the window allow the pair.
  bool in_window(int row, int key) const;
  bool same_segment(int row, int key) const {
    return query_segments_.empty() || query_segments_[static_cast<std::size_t>(row)] ==
                                          key_segments_[static_cast<std::size_t>(key)];
  }
  bool has_contiguous_ranges() const;
  /// The keys of a query's segment, if segments are contiguous. `previous` is the range of the
  /// previous query.
  KeyRange segment_range(int row, KeyRange previous) const;

  Positions queries_, keys_;  // positions for mask and window
  std::span<const int> query_segments_, key_segments_;
  bool causal_;
  double window_;             // 0: none
  double sink_position_end_;  // keys at positions below this are sink tokens
  bool is_contiguous_;        // ranges contain only visible keys, apart from masks
  int sink_keys_ = 0;         // index past the last sink token
  std::vector<KeyRange> ranges_;
  PairView<const std::uint8_t> attn_mask_;
  PairView<const float> attn_bias_;
  int head_ = 0;
  std::vector<float> hidden_;  // (keys), the key mask as 0 or -infinity; empty without one
};

}  // namespace phasor
