#pragma once
// The keys that a query sees by the mask, the window and the key mask.

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

  /// The shortest stretch of keys with all that this query may see.
  const KeyRange& range(int row) const { return ranges_[static_cast<std::size_t>(row)]; }
  /// The same for some queries together.
  KeyRange range(int row, int rows) const;
  /// Of the keys that stay visible outside the window, which are the first ones: the one after the
  /// last that this query, or one of these, may see. 0 where they are part of the stretch.
  int sink_end(int row) const {
    return causal_ ? std::min(sink_keys_, range(row).end) : sink_keys_;
  }
  int sink_end(int row, int rows) const;
  bool is_visible(int row, int key) const;
  bool has_visible_key(int row) const;

  /// Sets to -infinity what the rows of a tile do not see; its first column is key `first_key`.
  /// tile (rows, keys)
  void apply_mask(int row, int first_key, const MatrixRef& tile) const;

 private:
  bool in_window(int row, int key) const;

  Positions queries_, keys_;  // what the mask and the window compare
  bool causal_;
  double window_;       // 0: none
  double sinks_;        // keys below this position stay visible
  bool is_contiguous_;  // all of a range is seen but what the key mask hides
  int sink_keys_ = 0;   // where stretches are seen: how many keys those are
  std::vector<KeyRange> ranges_;
  std::vector<float> hidden_;  // what the key mask adds to scores: (keys), or empty without one
};

}  // namespace phasor
