#pragma once
// Checks that an encoding was created for the sizes of a call.

#include "phasor/encoding.h"

namespace phasor {

/// Rejects an encoding whose heads, channels or coordinates differ from those of the call, or that
/// has fewer positions. Errors call channels and positions by `channels_name` and `tokens_name`.
/// User-defined encodings check their own sizes.
Status check_dims(const Encoding& encoding, const EncodingDims& call_dims,
                  const char* channels_name, const char* tokens_name);

/// Rejects parameters whose shape is not Parameter::initial_shape. Values are not checked for
/// finiteness, because that takes time proportional to their number.
Status check_parameter_shapes(const Encoding& encoding);

/// The error "encoding: alibi was created for heads: 4, but the call has 2".
Status dims_mismatch(const Encoding& encoding, const char* size_name, int got, int expected);

}  // namespace phasor
