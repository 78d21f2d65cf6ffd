#pragma once
// Which keys a query sees by the mask, the window and the key mask.

#include <vector>

#include "attention/pass/attend.h"

namespace phasor {

/// Keys [first, last).
struct KeyRange {
  int first = 0;
  int last = 0;
};

class VisibleKeys {
 public:
  explicit VisibleKeys(const AttendJob& job);

  /// The shortest stretch of keys with all that this query may see.
  const KeyRange& range(int row) const { return ranges_[static_cast<std::size_t>(row)]; }
  /// The same for some queries together.
  KeyRange range(int row, int rows) const;
  bool is_visible(int row, int key) const;
  bool sees_any_key(int row) const;
  /// Whether keys [key, key + count) stand between the first tokens that all of these queries see
  /// and the windows of the queries.
  bool in_gap(int row, int rows, int key, int count) const;

  /// Sets to -infinity what the rows of a tile do not see; its first column is key `first_key`.
  /// tile (rows, keys)
  void apply_mask(int row, int first_key, const MatrixRef& tile) const;

 private:
  bool in_reach(int row, int key) const;

  Positions queries_, keys_;  // what the mask and the window compare
  bool causal_;
  double window_;     // 0: none
  int sink_tokens_;   // keys before this position are seen although the window hides them
  int sink_end_ = 0;  // the first key that is not, where keys ascend
  std::vector<int> window_first_;  // of each query the first key in its window, where such are
  bool is_stretch_;                // all of a range is seen but what the key mask hides
  std::vector<KeyRange> ranges_;
  std::vector<float> hidden_;  // what the key mask adds to scores: (keys), or empty without one
};

}  // namespace phasor
