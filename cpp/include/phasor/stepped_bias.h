#pragma once
// For figures: an encoding that can say how its term comes about for one query and one key.

#include <initializer_list>
#include <string_view>
#include <vector>

#include "phasor/content_bias.h"

namespace phasor {

/// One step on the way to a bias: what it is called ("bucket", "slope"), and its value in double.
struct Step {
  std::string_view name;
  double value;
};

/// Puts steps behind those that are there.
void append(const std::initializer_list<Step>& more, std::vector<Step>& steps);

/// An encoding that can say how its term comes about for one pair.
class SteppedBias {
 public:
  /// Appends the steps after the distance, the term in double last. `pair` has one query and one key.
  virtual void steps(const ContentTile& pair, std::vector<Step>& out) const = 0;

 protected:
  ~SteppedBias() = default;
};

}  // namespace phasor
