#pragma once
// Checks of the functions in encoding_ops.h.

#include "phasor/encoding.h"

namespace phasor {

/// Rejects positions that are invalid or that this encoding does not support.
Status check_positions(const Encoding& encoding, const Positions& positions);
/// Rejects a function of another injection point, and names the right one: "alibi has no table; its
/// injection is score, so call attention_bias".
Status check_injection(Injection got, Injection requested, std::string_view id,
                       const char* function);
/// Rejects an existing encoding whose injection point or sizes differ from those of the call.
Status check_existing(const Encoding& encoding, Injection requested, const char* function,
                      const EncodingDims& call);
/// The heads of the encoding, for functions without this argument; 1 for user-defined encodings.
int heads_of(const Encoding& encoding);

}  // namespace phasor
