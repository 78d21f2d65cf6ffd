#pragma once
// Macro for the registry entry of an encoding, used by each file in encodings/.

#include "core/format_error.h"
#include "phasor/registry.h"

namespace phasor {

/// The return type of an encoding's create().
using EncodingResult = Result<std::unique_ptr<Encoding>>;

}  // namespace phasor

/// Defines the registry entry of encoding `id`. The generated list of encodings uses file names, so
/// an id that differs from its file's name does not link.
#define PHASOR_ENCODING(id)             \
  extern const EncodingInfo entry_##id; \
  constinit const EncodingInfo entry_##id
