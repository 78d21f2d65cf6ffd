#pragma once
// An encoding at other positions, for some heads, or with pairs of channels that do not rotate.

#include <memory>
#include <vector>

#include "phasor/encoding.h"

namespace phasor::model {

/// The token at index t is at position order[t] + shift, beyond the order at t + shift.
struct PositionMap {
  std::vector<double> order{};
  double shift = 0;

  bool is_identity() const { return order.empty() && shift == 0; }
  std::vector<double> at(Positions indices) const;
};

struct EncodingChange {
  PositionMap positions{};
  /// Channels of queries and keys that stay as they are, and channels of queries that become 0
  std::vector<int> still{}, dropped{};
  /// The head of the encoding for each head of a call; empty: the same
  std::vector<int> heads{};
};

/// The encoding with this change, for calls whose tokens are at 0, 1, 2 ...; of an encoding that
/// rotates or adds a bias. `base` itself where nothing changes.
std::shared_ptr<const Encoding> changed_encoding(std::shared_ptr<Encoding> base,
                                                 EncodingChange change);

}  // namespace phasor::model
