#pragma once
// An encoding at other positions, for a subset of heads, or with pairs of channels that do not
// rotate.

#include <memory>
#include <vector>

#include "phasor/encoding.h"

namespace phasor::model {

/// Maps token index t to position order[t] + shift, or t + shift beyond the end of `order`.
struct PositionMap {
  std::vector<double> order{};
  double shift = 0;

  bool is_identity() const { return order.empty() && shift == 0; }
  std::vector<double> at(Positions indices) const;
};

struct EncodingChange {
  PositionMap positions{};
  /// Channels of queries and keys that stay unrotated, and channels of queries that become 0
  std::vector<int> unrotated{}, zeroed{};
  /// For each head of the call, the head of the encoding; empty: the identity
  std::vector<int> heads{};
};

/// `base` with this change, for calls whose tokens are at positions 0, 1, 2 ... Supports encodings
/// that rotate or add a bias. Returns `base` if nothing changes.
std::shared_ptr<const Encoding> changed_encoding(std::shared_ptr<Encoding> base,
                                                 EncodingChange change);

}  // namespace phasor::model
