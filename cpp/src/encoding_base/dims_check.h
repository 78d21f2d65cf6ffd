#pragma once

#include "phasor/encoding.h"

namespace phasor {

/// Rejects an encoding whose number of heads, channels or coordinates differs from that of the
/// call, or that has fewer positions. Errors call the channels `channels_name` and the positions
/// `tokens_name`. User-defined encodings check their sizes themselves.
Status check_dims(const Encoding& encoding, const EncodingDims& call_dims,
                  const char* channels_name, const char* tokens_name);

/// Rejects parameters whose shape is not Parameter::initial_shape. A check for NaN would read every
/// value, which is too slow for each call.
Status check_parameter_shapes(const Encoding& encoding);

/// An error such as "encoding: alibi was created for heads: 4, but the call has 2".
Status reject_dims(const Encoding& encoding, const char* size_name, int actual, int expected);

}  // namespace phasor
