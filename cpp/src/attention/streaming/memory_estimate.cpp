#include "attention/streaming/memory_estimate.h"

#include "attention/streaming/multi_head_pass.h"
#include "relative_position/relative_positions.h"

namespace phasor {

namespace {

int heads_at_once(const AttentionParams& job, int heads) {
  return job.encoding->as_mixing() != nullptr ? heads : job.group;
}

// The working memory of the encoding for one tile, forward or backward.
double encoding_bytes(const AttentionParams& job, const Tiling& cut, int head_dim, int v_head_dim) {
  if (job.encoding->as_score_bias() == nullptr && !job.encoding->is_content_dependent()) return 0;
  const bool consecutive = both_consecutive(job.queries, job.keys);
  const double pairs = static_cast<double>(cut.rows) * cut.keys;
  const double distances = consecutive ? cut.rows + cut.keys - 1.0 : pairs;
  // A score bias uses up to a float32 and a double per distance.
  const double bias =
      job.encoding->as_score_bias() != nullptr ? (sizeof(double) + sizeof(float)) * distances : 0;
  return bias + job.encoding->working_bytes(
                    {cut.rows, cut.keys, static_cast<int>(distances), head_dim, v_head_dim});
}

}  // namespace

double packed_bytes(int keys, int head_dim, int v_head_dim) {
  return sizeof(float) * (static_cast<double>(kernels::packed_size(head_dim, keys)) +
                          static_cast<double>(kernels::packed_size(keys, v_head_dim)));
}

double pass_bytes(const AttentionParams& job, int heads, int head_dim, int v_head_dim) {
  const Tiling cut = tiling(job);
  const double queries = job.queries.count(), keys = job.keys.count(),
               tile = static_cast<double>(cut.rows) * cut.keys;
  const double use_float64 =
      job.use_float64 ? sizeof(float) * tile + sizeof(double) * static_cast<double>(cut.keys) : 0;
  const double capped = job.softcap() != 0 ? sizeof(float) * tile : 0;
  const double pooled =
      job.outputs.pooled_weights
          ? 2 * sizeof(float) * static_cast<double>(cut.rows) * PoolingPass::shape(job, 1)[2]
          : 0;
  const double pair_mask = needs_full_rows(*job.encoding) && job.has_pair_masks() ? tile : 0;
  const double mix = job.encoding->as_mixing() != nullptr ? HeadMixingTile::bytes(cut, heads) : 0;
  return heads_at_once(job, heads) *
             (packed_bytes(cut.block, head_dim, v_head_dim) + sizeof(float) * tile + pooled +
              HeadPass::bytes_of_query() * queries +
              sizeof(float) * keys) +  // the key mask as 0 and -infinity
         use_float64 +
         capped + pair_mask + mix + BiasRows::kBytesOfDistance * (queries + keys) +
         encoding_bytes(job, cut, head_dim, v_head_dim);
}

double gradient_pass_bytes(const AttentionParams& job, int heads, int head_dim, int v_head_dim) {
  const Tiling cut = tiling(job);
  // Memory of four tiles, of keys and values packed for the backward pass, of the packed queries
  // and d_output of a tile, and of the output. Heads that are computed together need one more tile
  // each.
  const int at_once = heads_at_once(job, heads);
  const double tile = sizeof(float) * static_cast<double>(cut.rows) * cut.keys,
               output = sizeof(float) * static_cast<double>(job.queries.count()) * v_head_dim;
  return at_once * (4 * tile + packed_bytes(cut.block, v_head_dim, head_dim) +
                    packed_bytes(cut.rows, v_head_dim, head_dim) +
                    packed_bytes(cut.rows, head_dim, v_head_dim) + output) +
         (at_once > 1 ? at_once * tile : 0);
}

double softmax_bytes(const AttentionParams& job, int heads) {
  return job.outputs.softmax_stats
             ? (sizeof(float) + sizeof(double)) * static_cast<double>(heads) * job.queries.count()
             : 0;
}

}  // namespace phasor
