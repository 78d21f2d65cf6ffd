#pragma once
// Copies byte arrays, such as checkpoints, from JavaScript.

#include <cstdint>
#include <vector>

#include "request.h"

namespace phasor_js {

// The bytes of a typed array. Empty if the request does not have the field, or if there is not
// enough memory.
std::vector<std::uint8_t> read_bytes(Request& request, const char* name);

}  // namespace phasor_js
