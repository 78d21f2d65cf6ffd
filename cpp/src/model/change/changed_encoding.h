#pragma once
// An encoding with changed positions, for a subset of heads, or with some channel pairs not
// rotated.

#include <memory>
#include <vector>

#include "phasor/encoding.h"

namespace phasor::model {

/// Maps token index t to position order[t] + shift. Beyond the end of `order`, the position is t +
/// shift.
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
  /// The encoding's head index for each head of a call; empty if head h of a call is head h of the
  /// encoding
  std::vector<int> heads{};
};

/// Applies a change to an encoding that rotates or adds a bias, for tokens at positions 0, 1, 2 ...
/// Returns `base` itself if the change is empty.
std::shared_ptr<const Encoding> create_changed_encoding(std::shared_ptr<Encoding> base,
                                                        EncodingChange change);

}  // namespace phasor::model
