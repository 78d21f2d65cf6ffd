#include "attention/cache/attend_cached.h"

#include "attention/streaming/memory_estimate.h"
#include "attention/streaming/multi_head_pass.h"
#include "attention/streaming/tile_inputs.h"

namespace phasor {

namespace {

// Attention of all heads together, one block of keys at a time, for encodings that mix the scores
// of heads.
Status attend_all_heads(const Tensor& q, const AttentionParams& job, const Tiling& tiles,
                        std::vector<HeadCache>& stores, AttentionResult& out) {
  MultiHeadPass heads(job, tiles, q, static_cast<int>(stores.size()));
  heads.start(out.output, out, {0, q.shape[1]});
  std::vector<SingleBlock> single_blocks(tiles.whole ? stores.size() : 0);
  std::vector<KeyBlock> blocks(stores.size());
  for (int b = 0; b < (tiles.whole ? 1 : stores.front().blocks()); ++b) {
    for (std::size_t h = 0; h < stores.size(); ++h)
      blocks[h] = tiles.whole ? single_blocks[h].pack(stores[h], !needs_full_rows(*job.encoding))
                              : stores[h].block(b);
    heads.block(blocks);
  }
  return heads.finish();
}

}  // namespace

Status attend_cached(const Tensor& q, const AttentionParams& job, std::vector<HeadCache>& stores,
                     const CachedDotProducts& products, AttentionResult& out) {
  Tiling tiles = tiling(job);
  if (!tiles.whole) tiles.block = kBlockKeys;
  if (job.encoding->as_mixing() != nullptr) {
    PHASOR_TRY(attend_all_heads(q, job, tiles, stores, out));
    return check_added(job, out);
  }
  const int kv_heads = static_cast<int>(stores.size());
  PHASOR_TRY(HeadParts(job, tiles, kv_heads).run([&](const auto& take) {
    GroupPass pass(job, tiles, q.shape[0] / kv_heads);
    take([&](int kv_head, RowRange rows) {
      HeadCache& store = stores[static_cast<std::size_t>(kv_head)];
      const auto each_block = [&](const auto& f) {
        if (tiles.whole) return f(SingleBlock().pack(store, !needs_full_rows(*job.encoding)));
        for (int b = 0; b < store.blocks(); ++b) f(store.block(b));
      };
      return pass.run(kv_head, rows, q, products.of_head(kv_head), out, each_block);
    });
  }));
  return check_added(job, out);
}

double stored_pass_bytes(const AttentionParams& job, int heads,
                         const std::vector<HeadCache>& stores) {
  const int head_dim = stores.front().head_dim(), v_head_dim = stores.front().v_head_dim();
  const int kv_heads = static_cast<int>(stores.size());
  const int threads =
      job.encoding->as_mixing() != nullptr ? 1 : HeadParts(job, tiling(job), kv_heads).threads();
  double bytes = threads * pass_bytes(job, heads, head_dim, v_head_dim) + softmax_bytes(job, heads);
  // Passes over whole rows unpack keys and values, and pack them again as a single block.
  if (tiling(job).whole && !needs_full_rows(*job.encoding))
    bytes += sizeof(float) * static_cast<double>(job.keys.count()) * (head_dim + v_head_dim) *
             (job.encoding->as_mixing() != nullptr ? kv_heads : threads);
  return bytes;
}

}  // namespace phasor
