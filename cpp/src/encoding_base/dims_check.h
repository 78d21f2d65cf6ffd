#pragma once
// Checks that an existing encoding has the sizes of the call.

#include "phasor/encoding.h"

namespace phasor {

/// Rejects an encoding with other heads, channels or coordinates, or fewer positions than the call.
/// `channels` and `tokens` are the names in the call. A class of the caller checks sizes itself.
Status check_dims(const Encoding& encoding, const EncodingDims& call, const char* channels,
                  const char* tokens);

/// Rejects parameters without the shapes of create_encoding(). Values are not checked for
/// finiteness, which would take time proportional to their size.
Status check_parameter_shapes(const Encoding& encoding);

/// The error: "encoding: alibi was made for heads: 4, but the call has 2".
Status dims_mismatch(const Encoding& encoding, const char* what, int got, int expected);

}  // namespace phasor
