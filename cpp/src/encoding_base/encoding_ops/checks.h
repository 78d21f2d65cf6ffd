#pragma once
// Checks of what an encoding does by itself.

#include "phasor/encoding.h"

namespace phasor {

/// Rejects positions that no text has, and those that this encoding has no answer for.
Status check_positions(const Encoding& encoding, const Positions& positions);
/// Rejects what an encoding of another place of entry does not have: "alibi has no table".
Status check_place(Injection got, Injection wanted, std::string_view id, const char* what);
/// An encoding that is already made: it enters attention where the caller asks, and was made for
/// the sizes of the call.
Status check_made(const Encoding& encoding, Injection wanted, const char* what,
                  const EncodingDims& call);
/// The heads of a call that does not go by heads.
int heads_of(const Encoding& encoding);

}  // namespace phasor
