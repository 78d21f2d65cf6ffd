#pragma once
// New queries meet what a cache has stored.

#include <vector>

#include "attention/cache/cached_tokens.h"
#include "attention/cache/head_cache.h"
#include "attention/streaming/attend.h"

namespace phasor {

/// q (heads, new, width) attends to all that is stored, one store per key-value head; out.output
/// (heads, new, value width) is 0 on entry.
Status attend_stored(const Tensor& q, const AttendJob& job, std::vector<CacheStore>& stores,
                     const KeptProducts& products, AttentionResult& out);
/// Bytes that this works in, for so many heads of queries.
double stored_pass_bytes(const AttendJob& job, int heads, const std::vector<CacheStore>& stores);

}  // namespace phasor
