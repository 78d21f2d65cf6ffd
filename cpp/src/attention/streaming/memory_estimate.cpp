#include "attention/streaming/memory_estimate.h"

#include "attention/streaming/multi_head_pass.h"
#include "relative_position/relative_positions.h"

namespace phasor {

namespace {

int heads_at_once(const AttentionParams& job, int heads) {
  return job.encoding->as_mixing() != nullptr ? heads : job.group;
}

// The encoding's working memory for one tile, forward or backward.
double encoding_bytes(const AttentionParams& job, const Tiling& tiling, int head_dim,
                      int v_head_dim) {
  if (job.encoding->as_score_bias() == nullptr && !job.encoding->is_content_dependent()) return 0;
  const bool are_consecutive = both_consecutive(job.queries, job.keys);
  const double pairs = static_cast<double>(tiling.rows) * tiling.keys;
  const double distances = are_consecutive ? tiling.rows + tiling.keys - 1.0 : pairs;
  // A score bias uses at most a float32 and a double per distance.
  const double bias =
      job.encoding->as_score_bias() != nullptr ? (sizeof(double) + sizeof(float)) * distances : 0;
  return bias + job.encoding->working_bytes(
                    {tiling.rows, tiling.keys, static_cast<int>(distances), head_dim, v_head_dim});
}

}  // namespace

double packed_bytes(int keys, int head_dim, int v_head_dim) {
  return sizeof(float) * (static_cast<double>(kernels::packed_size(head_dim, keys)) +
                          static_cast<double>(kernels::packed_size(keys, v_head_dim)));
}

double pass_bytes(const AttentionParams& job, int heads, int head_dim, int v_head_dim) {
  const Tiling tiles = tiling(job);
  const double queries = job.queries.count(), keys = job.keys.count(),
               tile = static_cast<double>(tiles.rows) * tiles.keys;
  const double float64_bytes =
      job.use_float64 ? sizeof(float) * tile + sizeof(double) * static_cast<double>(tiles.keys) : 0;
  const double capped_bytes = job.softcap() != 0 ? sizeof(float) * tile : 0;
  const double pooled_bytes =
      job.outputs.pooled_weights
          ? 2 * sizeof(float) * static_cast<double>(tiles.rows) * PoolingPass::shape(job, 1)[2]
          : 0;
  const double pair_mask_bytes = needs_full_rows(*job.encoding) && job.has_pair_masks() ? tile : 0;
  const double mix_bytes =
      job.encoding->as_mixing() != nullptr ? HeadMixingTile::bytes(tiles, heads) : 0;
  return heads_at_once(job, heads) *
             (packed_bytes(tiles.block, head_dim, v_head_dim) + sizeof(float) * tile +
              pooled_bytes + HeadPass::bytes_of_query() * queries +
              sizeof(float) * keys) +  // the key mask as 0 and -infinity
         float64_bytes +
         capped_bytes + pair_mask_bytes + mix_bytes +
         BiasRows::kBytesPerDistance * (queries + keys) +
         encoding_bytes(job, tiles, head_dim, v_head_dim);
}

double gradient_pass_bytes(const AttentionParams& job, int heads, int head_dim, int v_head_dim) {
  const Tiling tiles = tiling(job);
  // Bytes of four tiles, packed keys and values, a tile's packed queries and d_output, and the
  // output. Heads computed together need one more tile each.
  const int heads_in_memory = heads_at_once(job, heads);
  const double tile = sizeof(float) * static_cast<double>(tiles.rows) * tiles.keys,
               output = sizeof(float) * static_cast<double>(job.queries.count()) * v_head_dim;
  return heads_in_memory * (4 * tile + packed_bytes(tiles.block, v_head_dim, head_dim) +
                            packed_bytes(tiles.rows, v_head_dim, head_dim) +
                            packed_bytes(tiles.rows, head_dim, v_head_dim) + output) +
         (heads_in_memory > 1 ? heads_in_memory * tile : 0);
}

double softmax_bytes(const AttentionParams& job, int heads) {
  return job.outputs.softmax_stats
             ? (sizeof(float) + sizeof(double)) * static_cast<double>(heads) * job.queries.count()
             : 0;
}

}  // namespace phasor
