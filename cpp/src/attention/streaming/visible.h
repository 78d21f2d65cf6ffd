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

  /// Selects the head of attn_mask and attn_bias, which may differ between heads; ranges do not.
  void use_head(int head) { head_ = head; }

  /// The smallest range that contains the visible keys of this query, except sink tokens.
  const KeyRange& range(int row) const { return ranges_[static_cast<std::size_t>(row)]; }
  /// The smallest range that contains the visible keys of several queries, except sink tokens.
  KeyRange range(int row, int rows) const;
  /// The end of the sink tokens that are visible outside range(), for this query or for any of
  /// several; 0 if there are none.
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
  /// Whether segments, mask and window allow the pair.
  bool in_window(int row, int key) const;
  bool same_segment(int row, int key) const {
    return query_segments_.empty() || query_segments_[static_cast<std::size_t>(row)] ==
                                          key_segments_[static_cast<std::size_t>(key)];
  }
  bool has_contiguous_ranges() const;
  /// The keys of a query's segment, if segments are contiguous. `before` is the result for the
  /// previous query.
  KeyRange segment_range(int row, KeyRange before) const;

  Positions queries_, keys_;  // positions for mask and window
  std::span<const int> query_segments_, key_segments_;
  bool causal_;
  double window_;       // 0: none
  double sinks_;        // keys below this position are sink tokens
  bool is_contiguous_;  // all keys of a range are visible, except for the key mask
  int sink_keys_ = 0;   // end of the keys that may be sink tokens
  std::vector<KeyRange> ranges_;
  PairView<const std::uint8_t> attn_mask_;
  PairView<const float> attn_bias_;
  int head_ = 0;
  std::vector<float> hidden_;  // (keys), the key mask as additive 0 or -infinity; or empty
};

}  // namespace phasor
