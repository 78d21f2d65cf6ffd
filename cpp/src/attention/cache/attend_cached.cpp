#include "attention/cache/attend_cached.h"

#include "attention/streaming/memory_estimate.h"
#include "attention/streaming/multi_head_pass.h"
#include "attention/streaming/tile_inputs.h"

namespace phasor {

namespace {

// Computes all heads together, one block of keys at a time, for encodings that mix heads.
Status attend_all_heads(const Tensor& q, const AttentionParams& params, const Tiling& tiling,
                        std::vector<HeadCache>& head_caches, AttentionResult& out) {
  MultiHeadPass heads(params, tiling, q, static_cast<int>(head_caches.size()));
  heads.start(out.output, out, {0, q.shape[1]});
  std::vector<WholeHeadPacker> packers(tiling.has_whole_rows ? head_caches.size() : 0);
  std::vector<KeyBlock> blocks(head_caches.size());
  for (int b = 0; b < (tiling.has_whole_rows ? 1 : head_caches.front().block_count()); ++b) {
    for (std::size_t h = 0; h < head_caches.size(); ++h)
      blocks[h] = tiling.has_whole_rows
                      ? packers[h].pack(head_caches[h], !needs_full_rows(*params.encoding))
                      : head_caches[h].block(b);
    heads.process_block(blocks);
  }
  return heads.finish();
}

}  // namespace

Status attend_cached(const Tensor& q, const AttentionParams& params,
                     std::vector<HeadCache>& head_caches, const CachedDotProducts& products,
                     AttentionResult& out) {
  Tiling tiling = choose_tiling(params);
  if (!tiling.has_whole_rows) tiling.block_keys = kBlockKeys;
  if (params.encoding->as_mixing() != nullptr) {
    PHASOR_TRY(attend_all_heads(q, params, tiling, head_caches, out));
    return check_encoding_terms(params, out);
  }
  const int kv_heads = static_cast<int>(head_caches.size());
  PHASOR_TRY(HeadParts(params, tiling, kv_heads).run([&](const auto& for_each_part) {
    GroupPass pass(params, tiling, q.shape[0] / kv_heads);
    for_each_part([&](int kv_head, RowRange rows) {
      HeadCache& head_cache = head_caches[static_cast<std::size_t>(kv_head)];
      const auto for_each_block = [&](const auto& f) {
        if (tiling.has_whole_rows)
          return f(WholeHeadPacker().pack(head_cache, !needs_full_rows(*params.encoding)));
        for (int b = 0; b < head_cache.block_count(); ++b) f(head_cache.block(b));
      };
      return pass.run(kv_head, rows, q, products.head_state(kv_head), out, for_each_block);
    });
  }));
  return check_encoding_terms(params, out);
}

double cache_pass_bytes(const AttentionParams& params, int heads,
                        const std::vector<HeadCache>& head_caches) {
  const int head_dim = head_caches.front().head_dim(),
            v_head_dim = head_caches.front().v_head_dim();
  const int kv_heads = static_cast<int>(head_caches.size());
  const int threads = params.encoding->as_mixing() != nullptr
                          ? 1
                          : HeadParts(params, choose_tiling(params), kv_heads).threads();
  double bytes =
      threads * pass_bytes(params, heads, head_dim, v_head_dim) + softmax_bytes(params, heads);
  // Passes over whole rows unpack the keys and values and repack them into one block.
  if (choose_tiling(params).has_whole_rows && !needs_full_rows(*params.encoding))
    bytes += sizeof(float) * static_cast<double>(params.keys.count()) * (head_dim + v_head_dim) *
             (params.encoding->as_mixing() != nullptr ? kv_heads : threads);
  return bytes;
}

}  // namespace phasor
