#pragma once

#include <vector>

#include "attention/cache/cached_tokens.h"
#include "attention/cache/head_cache.h"
#include "attention/streaming/attend.h"
#include "attention/streaming/group_pass.h"

namespace phasor {

/// Computes the attention of q (heads, new, head_dim) to all cached keys. `head_caches` has one
/// entry per kv head, and out.output (heads, new, v_head_dim) must be 0 on entry.
Status attend_cached(const Tensor& q, const AttentionParams& params,
                     std::vector<HeadCache>& head_caches, const CachedDotProducts& products,
                     AttentionResult& out);
/// Bytes of working memory that attend_cached needs for this many query heads.
double cache_pass_bytes(const AttentionParams& params, int heads,
                        const std::vector<HeadCache>& head_caches);

}  // namespace phasor
