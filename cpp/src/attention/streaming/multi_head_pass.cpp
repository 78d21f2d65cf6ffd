#include "attention/streaming/multi_head_pass.h"

#include "attention/streaming/scores_float64.h"
#include "kernels/vector_ops.h"

namespace phasor {

HeadMixingTile::HeadMixingTile(const AttentionParams& job, const Tiling& tiling, int heads)
    : job_(job),
      heads_(heads),
      products_(static_cast<std::size_t>(heads * tiling.rows) *
                static_cast<std::size_t>(tiling.keys)),
      added_(products_.size()) {}

void HeadMixingTile::form(const Tensor& q, std::span<const kernels::Panels> keys, int row, int rows,
                          int first_key) {
  const int columns = keys.front().columns;
  queries_ = job_.queries.part(row, rows);
  keys_ = job_.keys.part(first_key, columns);
  const int group = heads_ / static_cast<int>(keys.size());
  const MatrixRef products = all(products_), added = all(added_);
  for (int head = 0; head < heads_; ++head) {
    const MatrixRef head_products{products.row(head), rows, columns, columns};
    const ConstMatrixRef q_rows = rows_of(matrix(q, head), row, rows);
    const kernels::Panels& key_panels = keys[static_cast<std::size_t>(head / group)];
    if (job_.use_float64) {
      double_products(job_.scale, q_rows, key_panels, head_products);
    } else {
      job_.kernels->product(q_rows, key_panels, static_cast<float>(job_.scale), head_products);
    }
    kernels::fill(added.row(head), 0, added.columns);
  }
  job_.encoding->as_mixing()->mix(tile(), added);
}

// Masked pairs have no gradient, but their products may be infinite: 0 times infinity is NaN.
void HeadMixingTile::zero_unused_grad(const ConstMatrixRef& d_added) {
  const MatrixRef products = all(products_);
  for (int pair = 0; pair < d_added.columns; ++pair) {
    bool has_gradient = false;
    for (int head = 0; head < heads_; ++head) has_gradient |= d_added.row(head)[pair] != 0;
    for (int head = 0; !has_gradient && head < heads_; ++head) products.row(head)[pair] = 0;
  }
}

MultiHeadPass::MultiHeadPass(const AttentionParams& job, const Tiling& tiling, const Tensor& q,
                             int kv_heads)
    : job_(job),
      q_(q),
      heads_(q.shape[0]),
      group_(heads_ / kv_heads),
      mix_(job, tiling, heads_),
      passes_(static_cast<std::size_t>(heads_)) {
  for (auto& pass : passes_) {
    pass = std::make_unique<HeadPass>(job, tiling);
    pass->use(&mix_);
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
    if (job_.computes_head(head)) PHASOR_TRY(pass(head).finish());
  }
  return {};
}

void MultiHeadPass::form(std::span<const KeyBlock> keys, int row, int rows, int first_key,
                         int count) {
  std::vector<kernels::Panels> panels(keys.size());
  for (std::size_t h = 0; h < keys.size(); ++h)
    panels[h] = keys[h].keys.columns_from(first_key - keys[h].first, count);
  mix_.form(q_, panels, row, rows, first_key);
}

void MultiHeadPass::block(std::span<const KeyBlock> keys) {
  const KeyBlock& first = keys.front();
  passes_.front()->each_row([&](int row, int rows) {
    for (auto& pass : passes_) pass->open_rows(row, rows);
    passes_.front()->each_tile_of(row, rows, first.first, first.keys.columns,
                                  [&](int key, int count) {
                                    form(keys, row, rows, key, count);
                                    for (int head = 0; head < heads_; ++head) {
                                      if (job_.computes_head(head))
                                        pass(head).tile(keys[kv_head(head)], row, rows, key, count);
                                    }
                                  });
    for (auto& pass : passes_) pass->close_rows(row, rows);
  });
}

}  // namespace phasor
