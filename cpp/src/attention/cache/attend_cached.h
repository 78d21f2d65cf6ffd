#pragma once
// New queries meet what a cache has stored.

#include <vector>

#include "attention/cache/cached_tokens.h"
#include "attention/cache/head_cache.h"
#include "attention/streaming/attend.h"

namespace phasor {

/// q (heads, new, head_dim) attends to all that is stored, one store per key-value head; out.output
/// (heads, new, v_head_dim) is 0 on entry.
Status attend_cached(const Tensor& q, const AttentionParams& job, std::vector<HeadCache>& stores,
                     const CachedDotProducts& products, AttentionResult& out);
/// Bytes that this works in, for so many heads of queries.
double stored_pass_bytes(const AttentionParams& job, int heads,
                         const std::vector<HeadCache>& stores);

}  // namespace phasor
