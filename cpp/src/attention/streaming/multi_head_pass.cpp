#include "attention/streaming/multi_head_pass.h"

#include "attention/streaming/scores_float64.h"
#include "kernels/vector_ops.h"

namespace phasor {

HeadMixingTile::HeadMixingTile(const AttentionParams& params, const Tiling& tiling, int heads)
    : params_(params),
      heads_(heads),
      products_(static_cast<std::size_t>(heads * tiling.rows) *
                static_cast<std::size_t>(tiling.keys)),
      terms_(products_.size()) {}

void HeadMixingTile::compute(const Tensor& q, std::span<const kernels::Panels> keys, int row,
                             int rows, int first_key) {
  const int columns = keys.front().columns;
  queries_ = params_.queries.part(row, rows);
  keys_ = params_.keys.part(first_key, columns);
  const int group_size = heads_ / static_cast<int>(keys.size());
  const MatrixRef products = all_heads(products_), terms = all_heads(terms_);
  for (int head = 0; head < heads_; ++head) {
    const MatrixRef head_products{products.row(head), rows, columns, columns};
    const ConstMatrixRef q_rows = rows_of(matrix(q, head), row, rows);
    const kernels::Panels& key_panels = keys[static_cast<std::size_t>(head / group_size)];
    if (params_.use_float64) {
      compute_products_float64(params_.scale, q_rows, key_panels, head_products);
    } else {
      params_.kernels->product(q_rows, key_panels, static_cast<float>(params_.scale),
                               head_products);
    }
    kernels::fill(terms.row(head), 0, terms.columns);
  }
  params_.encoding->as_mixing()->mix(tile(), terms);
}

// Masked pairs have a gradient of 0, but their products may be infinite, and 0 times infinity is
// NaN.
void HeadMixingTile::zero_unused_grad(const ConstMatrixRef& d_terms) {
  const MatrixRef products = all_heads(products_);
  for (int pair = 0; pair < d_terms.columns; ++pair) {
    bool has_gradient = false;
    for (int head = 0; head < heads_; ++head) has_gradient |= d_terms.row(head)[pair] != 0;
    for (int head = 0; !has_gradient && head < heads_; ++head) products.row(head)[pair] = 0;
  }
}

MultiHeadPass::MultiHeadPass(const AttentionParams& params, const Tiling& tiling, const Tensor& q,
                             int kv_heads)
    : params_(params),
      q_(q),
      heads_(q.shape[0]),
      group_size_(heads_ / kv_heads),
      mixing_tile_(params, tiling, heads_),
      passes_(static_cast<std::size_t>(heads_)) {
  for (auto& pass : passes_) {
    pass = std::make_unique<HeadPass>(params, tiling);
    pass->set_mixing_tile(&mixing_tile_);
  }
}

void MultiHeadPass::start(Tensor& output, AttentionResult& out, RowRange rows) {
  for (int head = 0; head < heads_; ++head)
    pass(head).start(head, matrix(q_, head), head_rows(output, head, heads_), out, rows);
}

void MultiHeadPass::restore(const AttentionResult& forward) {
  for (int head = 0; head < heads_; ++head) pass(head).restore(head, matrix(q_, head), forward);
}

bool MultiHeadPass::matches_forward() const {
  return std::all_of(passes_.begin(), passes_.end(),
                     [](const auto& pass) { return pass->matches_forward(); });
}

Status MultiHeadPass::finish() {
  for (int head = 0; head < heads_; ++head) {
    if (params_.computes_head(head)) PHASOR_TRY(pass(head).finish());
  }
  return {};
}

void MultiHeadPass::compute_tile(std::span<const KeyBlock> keys, int row, int rows, int first_key,
                                 int count) {
  std::vector<kernels::Panels> panels(keys.size());
  for (std::size_t h = 0; h < keys.size(); ++h)
    panels[h] = keys[h].keys.slice_columns(first_key - keys[h].first, count);
  mixing_tile_.compute(q_, panels, row, rows, first_key);
}

void MultiHeadPass::process_block(std::span<const KeyBlock> keys) {
  const KeyBlock& first_block = keys.front();
  passes_.front()->for_each_row([&](int row, int rows) {
    for (auto& pass : passes_) pass->begin_rows(row, rows);
    passes_.front()->for_each_tile_of(
        row, rows, first_block.first, first_block.keys.columns, [&](int key, int count) {
          compute_tile(keys, row, rows, key, count);
          for (int head = 0; head < heads_; ++head) {
            if (params_.computes_head(head))
              pass(head).process_tile(keys[kv_head(head)], row, rows, key, count);
          }
        });
    for (auto& pass : passes_) pass->end_rows(row, rows);
  });
}

}  // namespace phasor
