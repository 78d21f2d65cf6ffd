#include "attention/streaming/memory_estimate.h"

#include "attention/streaming/multi_head_pass.h"
#include "relative_position/relative_positions.h"

namespace phasor {

namespace {

int concurrent_heads(const AttentionParams& params, int heads) {
  return params.encoding->as_mixing() != nullptr ? heads : params.group_size;
}

double encoding_bytes(const AttentionParams& params, const Tiling& tiling, int head_dim,
                      int v_head_dim) {
  if (params.encoding->as_score_bias() == nullptr && !params.encoding->is_content_dependent())
    return 0;
  const bool are_consecutive = have_consecutive_positions(params.queries, params.keys);
  const double pair_count = static_cast<double>(tiling.rows) * tiling.keys;
  const double distance_count = are_consecutive ? tiling.rows + tiling.keys - 1.0 : pair_count;
  // A score bias uses at most a float32 and a double per distance.
  const double bias = params.encoding->as_score_bias() != nullptr
                          ? (sizeof(double) + sizeof(float)) * distance_count
                          : 0;
  return bias +
         params.encoding->working_bytes(
             {tiling.rows, tiling.keys, static_cast<int>(distance_count), head_dim, v_head_dim});
}

}  // namespace

double packed_bytes(int keys, int head_dim, int v_head_dim) {
  return sizeof(float) * (static_cast<double>(kernels::packed_size(head_dim, keys)) +
                          static_cast<double>(kernels::packed_size(keys, v_head_dim)));
}

double pass_bytes(const AttentionParams& params, int heads, int head_dim, int v_head_dim) {
  const Tiling tiling = choose_tiling(params);
  const double queries = params.queries.count(), keys = params.keys.count(),
               tile = static_cast<double>(tiling.rows) * tiling.keys;
  const double float64_bytes =
      params.use_float64 ? sizeof(float) * tile + sizeof(double) * static_cast<double>(tiling.keys)
                         : 0;
  const double capped_bytes = params.softcap() != 0 ? sizeof(float) * tile : 0;
  const double pooled_bytes =
      params.outputs.pooled_weights
          ? 2 * sizeof(float) * static_cast<double>(tiling.rows) * PoolingPass::shape(params, 1)[2]
          : 0;
  const double pair_mask_bytes =
      needs_full_rows(*params.encoding) && params.has_pair_masks() ? tile : 0;
  const double mixing_bytes =
      params.encoding->as_mixing() != nullptr ? HeadMixingTile::bytes(tiling, heads) : 0;
  return concurrent_heads(params, heads) *
             (packed_bytes(tiling.block_keys, head_dim, v_head_dim) + sizeof(float) * tile +
              pooled_bytes + HeadPass::bytes_per_query() * queries +
              sizeof(float) * keys) +  // the key mask, as 0 or -infinity
         float64_bytes +
         capped_bytes + pair_mask_bytes + mixing_bytes +
         DistanceBias::kBytesPerDistance * (queries + keys) +
         encoding_bytes(params, tiling, head_dim, v_head_dim);
}

double backward_pass_bytes(const AttentionParams& params, int heads, int head_dim, int v_head_dim) {
  const Tiling tiling = choose_tiling(params);
  // Four tiles, packed keys and values, a tile's packed queries and d_output, and the output. Heads
  // that are computed together need one more tile each.
  const int heads_in_memory = concurrent_heads(params, heads);
  const double tile = sizeof(float) * static_cast<double>(tiling.rows) * tiling.keys,
               output = sizeof(float) * static_cast<double>(params.queries.count()) * v_head_dim;
  return heads_in_memory * (4 * tile + packed_bytes(tiling.block_keys, v_head_dim, head_dim) +
                            packed_bytes(tiling.rows, v_head_dim, head_dim) +
                            packed_bytes(tiling.rows, head_dim, v_head_dim) + output) +
         (heads_in_memory > 1 ? heads_in_memory * tile : 0);
}

double softmax_bytes(const AttentionParams& params, int heads) {
  return params.outputs.softmax_stats ? (sizeof(float) + sizeof(double)) *
                                            static_cast<double>(heads) * params.queries.count()
                                      : 0;
}

}  // namespace phasor
