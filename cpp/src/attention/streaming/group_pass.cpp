#include "attention/streaming/group_pass.h"

namespace phasor {

int heads_per_pass(const AttentionParams& params, int heads, int kv_heads) {
  const int group_size = heads / kv_heads, queries = params.queries.count();
  const bool is_supported = !params.use_float64 && params.compute_output &&
                            params.encoding->as_mixing() == nullptr &&
                            params.encoding->as_custom_dot_product() == nullptr;
  const bool has_contiguous_outputs =
      params.output_layout == OutputLayout::head_major || queries == 1;
  return is_supported && has_contiguous_outputs &&
                 group_size <= choose_tiling(params).rows / std::max(queries, 1)
             ? group_size
             : 1;
}

GroupPass::GroupPass(const AttentionParams& params, const Tiling& tiling, int group_size)
    : params_(params), group_size_(group_size) {
  for (int h = 0; h < params.group_size; ++h)
    passes_.push_back(std::make_unique<HeadPass>(params, tiling));
  if (params.group_size > 1)
    scores_ = Buffer(static_cast<std::size_t>(group_size * params.queries.count()) *
                     static_cast<std::size_t>(tiling.keys));
}

void GroupPass::start(int pass, int head, RowRange rows, const Tensor& q, AttentionResult& out) {
  passes_[static_cast<std::size_t>(pass)]->start(
      head, matrix(q, head), head_rows(out.output, head, q.shape[0]), out, rows);
}

void GroupPass::process_block(const KeyBlock& keys, int first_head, const Tensor& q,
                              AttentionResult& out) {
  const int queries = q.shape[1], rows = group_size_ * queries;
  const ConstMatrixRef first_q = matrix(q, first_head);
  const MatrixRef output = head_rows(out.output, first_head, q.shape[0]);
  const ConstMatrixRef group_q{first_q.data, rows, first_q.columns, first_q.stride};
  const MatrixRef group_output{output.data, rows, output.columns, output.columns};
  for (const auto& pass : passes_) pass->begin_rows(0, queries);
  passes_.front()->for_each_tile_of(
      0, queries, keys.first, keys.keys.columns, [&](int first_key, int count) {
        const int column = first_key - keys.first;
        const MatrixRef scores{scores_.data(), rows, count, count};
        const auto head_scores = [&](std::size_t h) {
          return rows_of(scores, static_cast<int>(h) * queries, queries);
        };
        params_.kernels->product(group_q, keys.keys.slice_columns(column, count),
                                 static_cast<float>(params_.scale), scores);
        for (std::size_t h = 0; h < passes_.size(); ++h)
          passes_[h]->update_weights(keys, 0, first_key, head_scores(h), true);
        params_.kernels->accumulate_in_chunks(scores, keys.values.slice_rows(column, count),
                                              group_output);
        for (std::size_t h = 0; h < passes_.size(); ++h)
          passes_[h]->finish_tile(0, first_key, head_scores(h));
      });
  for (const auto& pass : passes_) pass->end_rows(0, queries);
}

HeadParts::HeadParts(const AttentionParams& params, const Tiling& tiling, int kv_heads)
    : threads_(params.threads()),
      kv_heads_(kv_heads),
      queries_(params.queries.count()),
      rows_per_part_(queries_) {
  // Rows are not divided for a custom dot product, whose state holds one head, or for pooled
  // weights, whose cells span rows.
  if (threads_ == 1 || queries_ == 0 || params.encoding->as_custom_dot_product() != nullptr ||
      params.outputs.pooled_weights)
    return;
  // Parts take different amounts of time, so each thread gets several parts to balance the load.
  constexpr int kPartsPerThread = 4;
  const int target_parts = (kPartsPerThread * threads_ + kv_heads - 1) / kv_heads;
  const int tile_count = (queries_ + tiling.rows - 1) / tiling.rows;
  rows_per_part_ = std::max(tile_count / target_parts, 1) * tiling.rows;
  parts_per_head_ = (queries_ + rows_per_part_ - 1) / rows_per_part_;
}

}  // namespace phasor
