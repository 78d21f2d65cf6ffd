#pragma once
// Checks of encodings without attention.

#include "phasor/encoding.h"

namespace phasor {

/// Rejects invalid positions, and those that this encoding does not support.
Status check_positions(const Encoding& encoding, const Positions& positions);
/// Rejects a function of another injection point, and names the right one: "alibi has no table; it
/// enters attention at score, so call attention_bias".
Status check_injection(Injection got, Injection requested, std::string_view id, const char* what);
/// Rejects an existing encoding with another injection point or other sizes than the call.
Status check_existing(const Encoding& encoding, Injection requested, const char* what,
                      const EncodingDims& call);
/// The number of heads for functions that take no heads.
int heads_of(const Encoding& encoding);

}  // namespace phasor
