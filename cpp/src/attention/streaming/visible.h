#pragma once
// Determines the keys that each query sees, from the mask, window, segments, key mask, attn_mask
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
  explicit VisibleKeys(const AttentionParams& params);

  /// Selects the head whose attn_mask and attn_bias are used. The ranges are the same for all
  /// heads.
  void use_head(int head) { head_ = head; }

  /// The smallest range that contains all keys that segments, causal mask and window allow this
  /// query to see, except the sink tokens before sink_end().
  const KeyRange& range(int row) const { return ranges_[static_cast<std::size_t>(row)]; }
  KeyRange range(int row, int rows) const;
  /// One past the last sink token that this query, or any of several queries, sees in addition to
  /// range(); 0 if there is none.
  int sink_end(int row) const {
    return is_causal_ ? std::min(sink_key_end_, range(row).end) : sink_key_end_;
  }
  int sink_end(int row, int rows) const;
  bool is_visible(int row, int key) const;
  /// True if segments and masks allow the pair. The causal mask and the window are not checked.
  bool is_unmasked(int row, int key) const;
  bool has_visible_key(int row) const;

  /// Sets the scores of hidden keys in a tile (rows, keys) to -infinity; the first column is key
  /// `first_key`.
  void apply_mask(int row, int first_key, const MatrixRef& tile) const;

 private:
  bool is_in_window(int row, int key) const;
  bool is_same_segment(int row, int key) const {
    return query_segments_.empty() || query_segments_[static_cast<std::size_t>(row)] ==
                                          key_segments_[static_cast<std::size_t>(key)];
  }
  bool has_contiguous_ranges() const;
  /// The keys of a query's segment, if segments are contiguous. `previous_range` is that of the
  /// previous query.
  KeyRange segment_range(int row, KeyRange previous_range) const;

  Positions queries_, keys_;  // positions for mask and window
  std::span<const int> query_segments_, key_segments_;
  bool is_causal_;
  double window_;             // 0: none
  double sink_position_end_;  // sink tokens are at positions below this
  bool is_contiguous_;        // every key in range() is allowed by segments, causal mask and window
  int sink_key_end_ = 0;      // one past the last sink token
  std::vector<KeyRange> ranges_;
  PairView<const std::uint8_t> attn_mask_;
  PairView<const float> attn_bias_;
  int head_ = 0;
  std::vector<float> key_mask_scores_;  // (keys): 0 or -infinity; empty without a key mask
};

}  // namespace phasor
