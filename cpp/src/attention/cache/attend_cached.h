#pragma once
// Attention of new queries to a cache.

#include <vector>

#include "attention/cache/cached_tokens.h"
#include "attention/cache/head_cache.h"
#include "attention/streaming/attend.h"
#include "attention/streaming/group_pass.h"

namespace phasor {

/// Attention of q (heads, new, head_dim) to all cached keys, with one HeadCache per kv head.
/// out.output (heads, new, v_head_dim) is 0 on entry.
Status attend_cached(const Tensor& q, const AttentionParams& params,
                     std::vector<HeadCache>& head_caches, const CachedDotProducts& products,
                     AttentionResult& out);
/// Bytes of working memory of attend_cached for this many query heads.
double cache_pass_bytes(const AttentionParams& params, int heads,
                        const std::vector<HeadCache>& head_caches);

}  // namespace phasor
