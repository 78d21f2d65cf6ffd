#pragma once
// Checks of encodings without attention.

#include "phasor/encoding.h"

namespace phasor {

/// Rejects invalid positions, and those that this encoding does not support.
Status check_positions(const Encoding& encoding, const Positions& positions);
/// Rejects a function of another injection point, and names the right one: "alibi has no table; it
/// enters attention at score, so call attention_bias".
Status check_injection(Injection got, Injection requested, std::string_view id, const char* what);
/// An existing encoding: it has the requested injection point and the sizes of the call.
Status check_made(const Encoding& encoding, Injection requested, const char* what,
                  const EncodingDims& call);
/// The number of heads of a call that has no heads.
int heads_of(const Encoding& encoding);

}  // namespace phasor
