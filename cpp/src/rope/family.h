#pragma once
// Families of models known to have rotary positions, and what their config classes take for granted.

#include <string_view>

#include "phasor/params.h"

namespace phasor {

/// What a config.json leaves out when it is the family's default.
struct RopeFamily {
  Words names{};             ///< model_type
  double base = 10000;       ///< rope_theta
  double rotary = 1;         ///< channels that turn: a share of them up to 1, above 1 their number
  bool interleaved = false;  ///< neighbouring channels form pairs
  double local_base = 0;     ///< rope_local_base_freq: layers with a window have a base of their own; 0: they have not
};

/// The family of this model_type; nullptr where it is not known.
const RopeFamily* find_rope_family(std::string_view model_type);

}  // namespace phasor
