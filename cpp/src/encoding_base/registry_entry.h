#pragma once

#include "core/format_error.h"
#include "phasor/registry.h"

namespace phasor {

using EncodingResult = Result<std::unique_ptr<Encoding>>;

}  // namespace phasor

/// Defines the registry entry of encoding `id`. `id` must be the name of the source file, because
/// the generated list of encodings refers to entries by file name.
#define PHASOR_ENCODING(id)             \
  extern const EncodingInfo entry_##id; \
  constinit const EncodingInfo entry_##id
