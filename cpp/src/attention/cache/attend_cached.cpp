#include "attention/cache/attend_cached.h"

#include "attention/streaming/memory_estimate.h"
#include "attention/streaming/multi_head_pass.h"
#include "attention/streaming/tile_inputs.h"

namespace phasor {

namespace {

// Attention for encodings that mix heads: all heads together, one block of keys at a time.
Status attend_all_heads(const Tensor& q, const AttentionParams& job, const Tiling& tiles,
                        std::vector<HeadCache>& head_caches, AttentionResult& out) {
  MultiHeadPass heads(job, tiles, q, static_cast<int>(head_caches.size()));
  heads.start(out.output, out, {0, q.shape[1]});
  std::vector<SingleBlock> single_blocks(tiles.has_whole_rows ? head_caches.size() : 0);
  std::vector<KeyBlock> blocks(head_caches.size());
  for (int b = 0; b < (tiles.has_whole_rows ? 1 : head_caches.front().blocks()); ++b) {
    for (std::size_t h = 0; h < head_caches.size(); ++h)
      blocks[h] = tiles.has_whole_rows
                      ? single_blocks[h].pack(head_caches[h], !needs_full_rows(*job.encoding))
                      : head_caches[h].block(b);
    heads.block(blocks);
  }
  return heads.finish();
}

}  // namespace

Status attend_cached(const Tensor& q, const AttentionParams& job,
                     std::vector<HeadCache>& head_caches, const CachedDotProducts& products,
                     AttentionResult& out) {
  Tiling tiles = tiling(job);
  if (!tiles.has_whole_rows) tiles.block = kBlockKeys;
  if (job.encoding->as_mixing() != nullptr) {
    PHASOR_TRY(attend_all_heads(q, job, tiles, head_caches, out));
    return check_added(job, out);
  }
  const int kv_heads = static_cast<int>(head_caches.size());
  PHASOR_TRY(HeadParts(job, tiles, kv_heads).run([&](const auto& each_part) {
    GroupPass pass(job, tiles, q.shape[0] / kv_heads);
    each_part([&](int kv_head, RowRange rows) {
      HeadCache& head_cache = head_caches[static_cast<std::size_t>(kv_head)];
      const auto each_block = [&](const auto& f) {
        if (tiles.has_whole_rows)
          return f(SingleBlock().pack(head_cache, !needs_full_rows(*job.encoding)));
        for (int b = 0; b < head_cache.blocks(); ++b) f(head_cache.block(b));
      };
      return pass.run(kv_head, rows, q, products.of_head(kv_head), out, each_block);
    });
  }));
  return check_added(job, out);
}

double cache_pass_bytes(const AttentionParams& job, int heads,
                        const std::vector<HeadCache>& head_caches) {
  const int head_dim = head_caches.front().head_dim(),
            v_head_dim = head_caches.front().v_head_dim();
  const int kv_heads = static_cast<int>(head_caches.size());
  const int threads =
      job.encoding->as_mixing() != nullptr ? 1 : HeadParts(job, tiling(job), kv_heads).threads();
  double bytes = threads * pass_bytes(job, heads, head_dim, v_head_dim) + softmax_bytes(job, heads);
  // Passes over whole rows unpack keys and values, and pack them again into one block.
  if (tiling(job).has_whole_rows && !needs_full_rows(*job.encoding))
    bytes += sizeof(float) * static_cast<double>(job.keys.count()) * (head_dim + v_head_dim) *
             (job.encoding->as_mixing() != nullptr ? kv_heads : threads);
  return bytes;
}

}  // namespace phasor
