#pragma once
// Reads position changes from a request (web/engine/model/changes.ts).

#include <vector>

#include "phasor/model.h"
#include "request.h"

namespace phasor_js {

// Reads the changes in the field `changes`, or none if it is missing. The field is JSON text with
// one entry per change, because requests cannot contain lists of objects: {"changes": {"0":
// {"kind": "shift", "layers": [0], "shift": 1000}}}.
std::vector<phasor::PositionChange> read_changes(Request& request);

}  // namespace phasor_js
