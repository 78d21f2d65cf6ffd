#pragma once
// The entry of bytes, such as those of a checkpoint, which are copied as they are.

#include <cstdint>
#include <vector>

#include "request.h"

namespace phasor_js {

// The bytes of a typed array of bytes; empty if the request has none or no room for it.
std::vector<std::uint8_t> bytes_of(Request& request, const char* name);

}  // namespace phasor_js
