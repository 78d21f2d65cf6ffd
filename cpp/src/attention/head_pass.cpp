#include "attention/head_pass.h"

#include <cmath>

#include "kernels/rows.h"
#include "math/eigen_map.h"

namespace phasor {

namespace {

// Packed keys and values of a block stay in the second cache for all queries, a tile of scores in the first.
constexpr int kBlockKeys = 1024;
constexpr int kTileKeys = 256;
constexpr int kTileRows = 32;
constexpr int kTileNumbers = 32768;  // whole rows of long texts: fewer at a time

int round_up(int n, int step) { return (n + step - 1) / step * step; }

MatrixRef rows_of(MatrixRef m, int first, int count) { return {m.row(first), count, m.columns, m.stride}; }
ConstMatrixRef rows_of(ConstMatrixRef m, int first, int count) { return {m.row(first), count, m.columns, m.stride}; }

void copy_rows(ConstMatrixRef from, MatrixRef to) {
  for (int r = 0; r < from.rows; ++r) std::copy_n(from.row(r), from.columns, to.row(r));
}

}  // namespace

Tiling tiling(const AttendJob& job) {
  const int keys = job.keys.count();
  const bool whole = job.want.weights || job.want.scores || job.want.bias || job.encoding->whole_rows();
  if (!whole) return {std::min(keys, kBlockKeys), std::min(keys, kTileKeys), kTileRows, false};
  return {keys, keys, std::clamp(kTileNumbers / keys, 4, kTileRows), true};
}

HeadPass::HeadPass(const AttendJob& job, const Tiling& tiling)
    : job_(job),
      tiling_(tiling),
      bias_rows_(job),
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

void HeadPass::block(const KeyBlock& keys) {
  const int end = keys.first + keys.keys.columns;
  for (int row = 0; row < q_.rows; row += tiling_.rows) {
    const int rows = std::min(tiling_.rows, q_.rows - row);
    // What these rows see, from the start of a tile to the end of a panel: cut finer, the sums of a row would be grouped
    // differently with other rows beside it.
    int first = keys.first, last = end;
    if (!tiling_.whole) {
      first += std::max(0, ranges_[static_cast<std::size_t>(row)].first - keys.first) / tiling_.keys * tiling_.keys;
      last = std::min(end, keys.first + round_up(ranges_[static_cast<std::size_t>(row + rows - 1)].last - keys.first, kernels::kPanel));
    }
    for (int key = first; key < last; key += tiling_.keys) tile(keys, row, rows, key, std::min(tiling_.keys, last - key));
  }
}

void HeadPass::tile(const KeyBlock& keys, int row, int rows, int first_key, int count) {
  const int from = first_key - keys.first;
  const MatrixRef scores{tile_.data(), rows, count, count};  // (rows, count)
  const ConstMatrixRef q = rows_of(q_, row, rows);
  kernels::active::product(q, keys.keys.columns_from(from, count), job_.scale, scores);
  MatrixRef bias;
  if (job_.want.bias) bias = rows_of(matrix(out_->bias, head_), row, rows);
  add_position({.head = head_,
                .queries = job_.queries.part(row, rows),
                .keys = job_.keys.part(first_key, count),
                .q = q,
                .k = rows_of(keys.key_rows, from, count),
                .scale = job_.scale,
                .key_mask = tiling_.whole ? job_.key_mask : nullptr},
               row, first_key, scores, bias);
  hide(ranges_.data() + row, hidden_, first_key, scores);
  if (job_.want.scores) copy_rows(scores, rows_of(matrix(out_->scores, head_), row, rows));

  const MatrixRef output = rows_of(output_, row, rows);
  weigh(row, scores, output);
  kernels::active::accumulate(scores, keys.values.rows_from(from, count), output);
  if (job_.injection == Injection::key_value) {
    job_.encoding->add_values(head_, job_.queries.part(row, rows), job_.keys.part(first_key, count), scores, output);
  }
  if (job_.want.weights) keep_weights(row, scores);
}

// The hooks that enter at the scores. scores (rows, keys) holds scale * q.k on entry; bias (rows, keys) gets what was added, if
// its data is not null.
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
void HeadPass::weigh(int row, MatrixRef scores, MatrixRef output) {
  constexpr float kNothing = -std::numeric_limits<float>::infinity();
  for (int r = 0; r < scores.rows; ++r) {
    RowState& state = states_[static_cast<std::size_t>(row + r)];
    float* weights = scores.row(r);
    const float top = std::max(state.top, kernels::active::largest(weights, scores.columns));
    if (top == kNothing) {  // nothing is visible yet
      std::fill_n(weights, scores.columns, 0.0f);
      continue;
    }
    if (top != state.top && state.total > 0) {
      const float shrink = std::exp(state.top - top);
      state.total *= static_cast<double>(shrink);
      kernels::multiply(output.row(r), shrink, output.columns);
    }
    state.top = top;
    state.total += kernels::active::exponentials(weights, scores.columns, top);
  }
}

void HeadPass::keep_weights(int row, ConstMatrixRef weights) {
  const MatrixRef kept = rows_of(matrix(out_->weights, head_), row, weights.rows);
  copy_rows(weights, kept);
  for (int r = 0; r < kept.rows; ++r) {
    const double total = states_[static_cast<std::size_t>(row + r)].total;
    if (total > 0) kernels::multiply(kept.row(r), static_cast<float>(1 / total), kept.columns);
  }
}

void HeadPass::finish() {
  for (int r = 0; r < q_.rows; ++r) {
    const double total = states_[static_cast<std::size_t>(r)].total;
    if (total > 0) kernels::multiply(output_.row(r), static_cast<float>(1 / total), output_.columns);
  }
}

}  // namespace phasor
