#include "attention/head_pass.h"

#include <cmath>

#include "kernels/rows.h"
#include "math/eigen_map.h"
#include "math/power.h"

namespace phasor {

namespace {

// A tile of scores stays in the first cache.
constexpr int kTileKeys = 256;
constexpr int kTileRows = 32;
constexpr int kTileNumbers = 32768;  // whole rows of long texts: fewer at a time

int round_up(int n, int step) { return (n + step - 1) / step * step; }

void copy_rows(ConstMatrixRef from, MatrixRef to) {
  for (int r = 0; r < from.rows; ++r) std::copy_n(from.row(r), from.columns, to.row(r));
}

}  // namespace

Tiling tiling(const AttendJob& job) {
  const int keys = job.keys.count();
  const bool whole = job.want.weights || job.want.scores || job.want.bias || job.encoding->whole_rows();
  // Rows of a map are finished one after the other, so they meet all keys in one block.
  if (!whole) return {job.want.map ? keys : std::min(keys, kBlockKeys), std::min(keys, kTileKeys), kTileRows, false};
  return {keys, keys, std::clamp(kTileNumbers / keys, 4, kTileRows), true};
}

HeadPass::HeadPass(const AttendJob& job, const Tiling& tiling)
    : job_(job),
      tiling_(tiling),
      bias_rows_(job),
      map_(job, tiling.rows),
      ranges_(visible(job)),
      hidden_(hidden_keys(job)),
      tile_(static_cast<std::size_t>(tiling.rows) * static_cast<std::size_t>(tiling.keys)) {}

void HeadPass::start(int head, ConstMatrixRef q, MatrixRef output, AttentionResult& out) {
  head_ = head;
  q_ = q;
  output_ = output;
  out_ = &out;
  bias_rows_.start(head);
  states_.assign(static_cast<std::size_t>(q.rows), {-std::numeric_limits<float>::infinity(), 0.0});
}

// From the start of a tile to the end of a panel: cut finer, the sums of a row would be grouped differently with other rows
// beside it.
KeyRange HeadPass::seen(int row, int rows, int first, int last) const {
  if (tiling_.whole) return {first, last};
  const int from = ranges_[static_cast<std::size_t>(row)].first, to = ranges_[static_cast<std::size_t>(row + rows - 1)].last;
  return {first + std::max(0, from - first) / tiling_.keys * tiling_.keys, std::min(last, first + round_up(to - first, kernels::kPanel))};
}

void HeadPass::block(const KeyBlock& keys) {
  for (int row = 0; row < q_.rows; row += tiling_.rows) {
    const int rows = std::min(tiling_.rows, q_.rows - row);
    if (job_.want.map) map_.start(row, rows);
    each_tile_of(row, rows, keys.first, keys.keys.columns, [&](int key, int count) { tile(keys, row, rows, key, count); });
    for (int r = 0; job_.want.map && r < rows; ++r) map_.finish(r, states_[static_cast<std::size_t>(row + r)].total, head_, *out_);
  }
}

ContentTile HeadPass::content(int row, int rows, int first_key, ConstMatrixRef keys) const {
  return {.head = head_,
          .queries = job_.queries.part(row, rows),
          .keys = job_.keys.part(first_key, keys.rows),
          .q = rows_of(q_, row, rows),
          .k = keys,
          .scale = job_.scale,
          .key_mask = tiling_.whole ? job_.key_mask : nullptr};
}

void HeadPass::tile(const KeyBlock& keys, int row, int rows, int first_key, int count) {
  const int from = first_key - keys.first;
  const MatrixRef scores{tile_.data(), rows, count, count};  // (rows, count)
  const ConstMatrixRef q = rows_of(q_, row, rows);
  kernels::active::product(q, keys.keys.columns_from(from, count), job_.scale, scores);
  MatrixRef bias;
  if (keeps(job_.want.bias)) bias = kept(out_->bias, row, rows);
  add_position(content(row, rows, first_key, rows_of(keys.key_rows, from, count)), row, first_key, scores, bias);
  hide(ranges_.data() + row, hidden_, first_key, scores);
  if (keeps(job_.want.scores)) copy_rows(scores, kept(out_->scores, row, rows));

  const MatrixRef output = rows_of(output_, row, rows);
  weigh(row, first_key, scores, output);
  kernels::active::accumulate(scores, keys.values.rows_from(from, count), output);
  if (job_.injection == Injection::key_value) {
    job_.encoding->add_values(head_, job_.queries.part(row, rows), job_.keys.part(first_key, count), scores, output);
  }
  if (keeps(job_.want.weights)) keep_weights(row, scores);
}

void HeadPass::add_position(const ContentTile& content, int row, int first_key, MatrixRef scores, MatrixRef bias) const {
  const bool wanted = bias.data != nullptr;
  if (wanted) eigen(bias) = eigen(scores);
  // A score encoding may override this too; the default does nothing.
  if (job_.injection != Injection::none) job_.encoding->add_content(content, scores);
  // What came in is the difference, because it may have depended on the scores under it. A bias is added to its own zeros,
  // so that it is returned without the rounding of the sum.
  if (wanted) eigen(bias) = eigen(scores) - eigen(bias);
  if (job_.injection != Injection::score) return;
  const auto add_bias = [&](MatrixRef tile) {
    if (bias_rows_.known()) return bias_rows_.add(row, first_key, tile);
    job_.encoding->add_bias(content.head, content.queries, content.keys, tile);
  };
  add_bias(scores);
  if (wanted) add_bias(bias);
}

// Scores become e^(score - top). Where a row's top rises, what it has summed up so far shrinks.
void HeadPass::weigh(int row, int first_key, MatrixRef scores, MatrixRef output) {
  constexpr float kNothing = -std::numeric_limits<float>::infinity();
  for (int r = 0; r < scores.rows; ++r) {
    RowState& state = states_[static_cast<std::size_t>(row + r)];
    float* weights = scores.row(r);
    const float top = std::max(state.top, kernels::active::largest(weights, scores.columns));
    if (top == kNothing) {  // nothing is visible yet
      kernels::fill(weights, 0, scores.columns);
      continue;
    }
    if (top != state.top && state.total > 0) {
      const float shrink = static_cast<float>(exponential(static_cast<double>(state.top - top)));
      state.total *= static_cast<double>(shrink);
      kernels::multiply(output.row(r), shrink, output.columns);
      if (job_.want.map) map_.shrink(r, shrink);
    }
    state.top = top;
    state.total += kernels::active::exponentials(weights, scores.columns, top);
    if (job_.want.map) map_.add(r, weights, first_key, scores.columns);
  }
}

// What a row has summed up becomes a mean. A row that sees nothing stays 0.
void HeadPass::divide(int row, float* numbers, int count) const {
  const double total = states_[static_cast<std::size_t>(row)].total;
  if (total > 0) kernels::multiply(numbers, static_cast<float>(1 / total), count);
}

void HeadPass::weights(int row, int first_key, MatrixRef scores) const {
  hide(ranges_.data() + row, hidden_, first_key, scores);
  for (int r = 0; r < scores.rows; ++r) {
    const RowState& state = states_[static_cast<std::size_t>(row + r)];
    if (state.total > 0)
      kernels::active::exponentials(scores.row(r), scores.columns, state.top);
    else
      kernels::fill(scores.row(r), 0, scores.columns);
    divide(row + r, scores.row(r), scores.columns);
  }
}

void HeadPass::keep_weights(int row, ConstMatrixRef weights) {
  const MatrixRef to = kept(out_->weights, row, weights.rows);
  copy_rows(weights, to);
  for (int r = 0; r < to.rows; ++r) divide(row + r, to.row(r), to.columns);
}

void HeadPass::finish() {
  for (int r = 0; r < q_.rows; ++r) divide(r, output_.row(r), output_.columns);
}

}  // namespace phasor
