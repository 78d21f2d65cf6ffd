#pragma once
// Argument checks for the functions in encoding_ops.h.

#include "phasor/encoding.h"

namespace phasor {

/// Rejects positions that are invalid or that this encoding does not support.
Status check_positions(const Encoding& encoding, const Positions& positions);
/// Rejects a call of `function` for an encoding with another injection point, and names the
/// function to call: "alibi has no table; its injection is score, so call attention_bias".
Status check_injection(Injection got, Injection requested, std::string_view id,
                       const char* function);
/// Rejects an encoding with another injection point than `requested`, or created for other sizes.
Status check_existing(const Encoding& encoding, Injection requested, const char* function,
                      const EncodingDims& call_dims);
/// Number of heads of the encoding, for functions without an argument `heads`; 1 for user-defined
/// encodings.
int heads_of(const Encoding& encoding);

}  // namespace phasor
