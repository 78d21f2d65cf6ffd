#pragma once

#include "phasor/encoding.h"

namespace phasor {

/// Rejects a call whose number of heads, channels or coordinates differs from those that the
/// encoding was created for, or that has more positions. Error messages use `channels_name` for the
/// channels and `tokens_name` for the positions. User-defined encodings check their own sizes.
Status check_dims(const Encoding& encoding, const EncodingDims& call_dims,
                  const char* channels_name, const char* tokens_name);

/// Rejects parameters whose shape is not Parameter::initial_shape. Values are not checked for NaN,
/// because reading all of them on every call would be too slow.
Status check_parameter_shapes(const Encoding& encoding);

/// Returns an error such as "encoding: alibi was created for heads: 4, but the call has 2".
Status reject_dims(const Encoding& encoding, const char* size_name, int actual, int expected);

}  // namespace phasor
