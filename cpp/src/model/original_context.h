#pragma once
// The longest text for which rotary scaling that depends on the length is read.

#include "phasor/params.h"

namespace phasor::model {

/// The original context of scaling that has other frequencies for longer texts (dynamic, longrope);
/// 0: frequencies do not depend on the length.
int original_context(const Params& config);

}  // namespace phasor::model
