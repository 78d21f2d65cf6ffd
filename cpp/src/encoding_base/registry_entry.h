#pragma once
// The header that each file of encodings/ includes: the declaration of the file's entry in the
// registry.

#include "core/format_error.h"
#include "phasor/registry.h"

namespace phasor {

/// The return type of the create() of an encoding.
using EncodingResult = Result<std::unique_ptr<Encoding>>;

}  // namespace phasor

/// Defines the entry of encoding `id`, the name of the file. It is in phasor::encoding::id, like
/// the whole file; the generated list of the registry names it there, so a file whose id differs
/// from its name does not link.
#define PHASOR_ENCODING(id)             \
  extern const EncodingInfo entry_##id; \
  constinit const EncodingInfo entry_##id
