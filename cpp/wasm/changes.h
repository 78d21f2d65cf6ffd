#pragma once
// Changes of positions as JavaScript writes them (web/engine/model/changes.ts).

#include <vector>

#include "phasor/model.h"
#include "request.h"

namespace phasor_js {

// The field `changes`: JSON {"changes": {"0": {"kind": "shift", "layers": [0], "shift": 1000}}},
// because requests have no lists of objects. Empty if the field is missing.
std::vector<phasor::PositionChange> read_changes(Request& request);

}  // namespace phasor_js
