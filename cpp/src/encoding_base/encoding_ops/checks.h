#pragma once

#include "phasor/encoding.h"

namespace phasor {

/// Rejects invalid positions, and positions that the encoding does not support.
Status check_positions(const Encoding& encoding, const Positions& positions);
/// Rejects an encoding whose injection point is not `requested`. The error names the function to
/// call instead: "alibi has no table; its injection is score, so call attention_bias".
Status check_injection(Injection actual, Injection requested, std::string_view id,
                       const char* function);
/// Rejects an encoding whose injection point or dims do not match the call.
Status check_existing_encoding(const Encoding& encoding, Injection requested, const char* function,
                               const EncodingDims& call_dims);
/// Returns the encoding's number of heads, or 1 if the encoding is user-defined.
int get_head_count(const Encoding& encoding);

}  // namespace phasor
