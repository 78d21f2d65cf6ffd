#pragma once
// For figures: an encoding that can show how its term is computed for one query and one key.

#include <string_view>
#include <vector>

#include "phasor/content_bias.h"

namespace phasor {

/// One step on the way to a bias: what it is called ("bucket", "slope"), and its value in double.
struct Step {
  std::string_view name;
  double value;
};

/// An encoding that can show how its term is computed for one pair.
class SteppedBias {
 public:
  /// The steps after the distance, the term in double last. `pair` has one query and one key.
  virtual std::vector<Step> steps(const ContentTile& pair) const = 0;

 protected:
  ~SteppedBias() = default;
};

}  // namespace phasor
