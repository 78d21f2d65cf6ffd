#pragma once
// Wraps an encoding to change its positions, to use it for a subset of its heads, or to leave some
// channel pairs unrotated.

#include <memory>
#include <vector>

#include "phasor/encoding.h"

namespace phasor::model {

/// Maps the token at index t to position order[t] + shift. For t beyond the end of `order`, the
/// position is t + shift.
struct PositionMap {
  std::vector<double> order{};
  double shift = 0;

  bool is_identity() const { return order.empty() && shift == 0; }
  std::vector<double> map_positions(Positions indices) const;
};

struct EncodingChange {
  PositionMap positions{};
  /// Channels of queries and keys that are not rotated, and channels of queries that are set to 0
  std::vector<int> unrotated_channels{}, zeroed_channels{};
  /// heads[h] is the encoding's head index for head h of a call; empty means h itself
  std::vector<int> heads{};
};

/// Applies a change to an encoding that rotates or adds a bias. Returns `base` itself if there is
/// nothing to change. Positions passed to the result are token indices.
std::shared_ptr<const Encoding> create_changed_encoding(std::shared_ptr<Encoding> base,
                                                        EncodingChange change);

}  // namespace phasor::model
