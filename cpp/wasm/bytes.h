#pragma once
// Copies byte arrays, such as checkpoints, from JavaScript.

#include <cstdint>
#include <vector>

#include "request.h"

namespace phasor_js {

// Returns the bytes of a typed array; empty if the request has no such field, or memory is
// insufficient.
std::vector<std::uint8_t> read_bytes(Request& request, const char* name);

}  // namespace phasor_js
