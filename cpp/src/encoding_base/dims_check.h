#pragma once
// An encoding that is used again must have been made for the sizes of the call.

#include "phasor/encoding.h"

namespace phasor {

/// Rejects an encoding that was made for other heads, channels or coordinates, or for less than the
/// call has. `channels` and `tokens` are what the call names so. A caller's own class checks by
/// itself.
Status check_made_for(const Encoding& encoding, const EncodingDims& call, const char* channels,
                      const char* tokens);

/// Rejects parameters that do not have the shapes create_encoding() made. Whether they are finite
/// is not looked at, for that takes as long as they are large.
Status check_parameter_shapes(const Encoding& encoding);

/// Such a refusal: "encoding: alibi was made for heads: 4, but the call has 2".
Status dims_mismatch(const Encoding& encoding, const char* what, int got, int expected);

}  // namespace phasor
