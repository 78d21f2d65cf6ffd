#include "attention/streaming/group_pass.h"

namespace phasor {

int heads_together(const AttentionParams& job, int heads, int kv_heads) {
  const int group = heads / kv_heads, queries = job.queries.count();
  const bool is_supported = !job.use_float64 && job.compute_output &&
                            job.encoding->as_mixing() == nullptr &&
                            job.encoding->as_custom_dot_product() == nullptr;
  const bool has_contiguous_outputs = job.output_layout == OutputLayout::head_major || queries == 1;
  return is_supported && has_contiguous_outputs && group <= tiling(job).rows / std::max(queries, 1)
             ? group
             : 1;
}

GroupPass::GroupPass(const AttentionParams& job, const Tiling& tiling, int group)
    : job_(job), group_(group) {
  for (int h = 0; h < job.group; ++h) passes_.push_back(std::make_unique<HeadPass>(job, tiling));
  if (job.group > 1)
    tile_ = Buffer(static_cast<std::size_t>(group * job.queries.count()) *
                   static_cast<std::size_t>(tiling.keys));
}

void GroupPass::start(int pass, int head, RowRange rows, const Tensor& q, AttentionResult& out) {
  passes_[static_cast<std::size_t>(pass)]->start(
      head, matrix(q, head), head_rows(out.output, head, q.shape[0]), out, rows);
}

void GroupPass::block(const KeyBlock& keys, int first_head, const Tensor& q, AttentionResult& out) {
  const int queries = q.shape[1], rows = group_ * queries;
  const ConstMatrixRef first_q = matrix(q, first_head);
  const MatrixRef output = head_rows(out.output, first_head, q.shape[0]);
  const ConstMatrixRef group_q{first_q.data, rows, first_q.columns, first_q.stride};
  const MatrixRef group_output{output.data, rows, output.columns, output.columns};
  for (const auto& pass : passes_) pass->open_rows(0, queries);
  passes_.front()->each_tile_of(
      0, queries, keys.first, keys.keys.columns, [&](int first_key, int count) {
        const int column = first_key - keys.first;
        const MatrixRef scores{tile_.data(), rows, count, count};
        const auto head_scores = [&](std::size_t h) {
          return rows_of(scores, static_cast<int>(h) * queries, queries);
        };
        job_.kernels->product(group_q, keys.keys.columns_from(column, count),
                              static_cast<float>(job_.scale), scores);
        for (std::size_t h = 0; h < passes_.size(); ++h)
          passes_[h]->update_weights(keys, 0, first_key, head_scores(h), true);
        job_.kernels->accumulate_in_chunks(scores, keys.values.rows_from(column, count),
                                           group_output);
        for (std::size_t h = 0; h < passes_.size(); ++h)
          passes_[h]->finish_tile(0, first_key, head_scores(h));
      });
  for (const auto& pass : passes_) pass->close_rows(0, queries);
}

HeadParts::HeadParts(const AttentionParams& job, const Tiling& tiling, int kv_heads)
    : threads_(job.threads()), kv_heads_(kv_heads), queries_(job.queries.count()), rows_(queries_) {
  // Rows are not divided for a custom dot product, whose state holds one head, or for pooled
  // weights, whose cells span rows.
  if (threads_ == 1 || queries_ == 0 || job.encoding->as_custom_dot_product() != nullptr ||
      job.outputs.pooled_weights)
    return;
  // Parts differ in cost; several per thread balance the load.
  constexpr int kPartsPerThread = 4;
  const int parts = (kPartsPerThread * threads_ + kv_heads - 1) / kv_heads;
  const int tiles = (queries_ + tiling.rows - 1) / tiling.rows;
  rows_ = std::max(tiles / parts, 1) * tiling.rows;
  parts_ = (queries_ + rows_ - 1) / rows_;
}

}  // namespace phasor
