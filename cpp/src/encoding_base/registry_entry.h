#pragma once
// Defines the registry entry of an encoding; each file of encodings/ includes this header.

#include "core/format_error.h"
#include "phasor/registry.h"

namespace phasor {

/// The return type of an encoding's create().
using EncodingResult = Result<std::unique_ptr<Encoding>>;

}  // namespace phasor

/// Defines the entry of encoding `id`, the name of the file, in namespace phasor::encoding::id. The
/// registry's generated list refers to that name, so a file whose id differs from its name does not
/// link.
#define PHASOR_ENCODING(id)             \
  extern const EncodingInfo entry_##id; \
  constinit const EncodingInfo entry_##id
