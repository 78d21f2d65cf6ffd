#include "attention/streaming/head_pass.h"

#include <cmath>

#include "attention/streaming/score_ops.h"
#include "attention/streaming/scores_float64.h"
#include "core/finite.h"
#include "core/format_error.h"
#include "kernels/gemm.h"
#include "kernels/vector_ops.h"
#include "math/scalar_math.h"

namespace phasor {

namespace {

// Maximum number of scores per tile if tiles have whole rows; longer texts have fewer rows per
// tile.
constexpr int kMaxTileScores = 32768;

// Keys per tile with a window or segments. Small, because tiles include hidden keys before the
// first visible one.
constexpr int kWindowTileKeys = 512;

}  // namespace

Tiling tiling(const AttentionParams& job) {
  const int keys = job.keys.count();
  const bool needs_whole_rows = job.use_float64 || job.outputs.weights || job.outputs.scores ||
                                job.outputs.bias || needs_full_rows(*job.encoding);
  const bool hides_first_keys = job.window > 0 || !job.key_segments.empty();
  // Pooled weights need all keys in one block, because each row is completed before the next.
  const CustomDotProduct* products = job.encoding->as_custom_dot_product();
  if (!needs_whole_rows)
    return {job.outputs.pooled_weights || (products != nullptr && products->by_rows())
                ? keys
                : std::min(keys, kBlockKeys),
            std::min({keys, job.kernels->tile_keys, hides_first_keys ? kWindowTileKeys : keys}),
            job.kernels->tile_rows, false};
  return {keys, keys, std::clamp(kMaxTileScores / keys, 4, job.kernels->tile_rows), true};
}

HeadPass::HeadPass(const AttentionParams& job, const Tiling& tiling)
    : job_(job),
      tiling_(tiling),
      bias_rows_(job),
      pooling_(job, tiling.rows),
      visible_(job),
      tile_(static_cast<std::size_t>(tiling.rows) * static_cast<std::size_t>(tiling.keys)) {}

void HeadPass::start(int head, const ConstMatrixRef& q, const MatrixRef& output,
                     AttentionResult& out, RowRange rows) {
  head_ = head;
  rows_ = rows;
  visible_.use_head(head);
  q_ = q;
  output_ = output;
  out_ = &out;
  bias_rows_.start(head);
  if (products_ != nullptr) products_->set_queries(q, job_.queries, job_.first_token);
  states_.assign(static_cast<std::size_t>(q.rows), initial_state(job_.sink(head)));
}

// The initial state of a row, which includes its sink.
HeadPass::RowState HeadPass::initial_state(float sink) {
  return {.row_max = sink, .sink = sink, .row_sum = sink == kMinusInfinity ? 0.0 : 1.0};
}

double HeadPass::RowState::sink_part() const {
  return sink == kMinusInfinity
             ? 0
             : exponential(static_cast<double>(sink) - static_cast<double>(row_max));
}

double HeadPass::sink_weight(int row) const {
  const RowState& state = states_[static_cast<std::size_t>(row)];
  return state.row_sum > 0 ? state.sink_part() / state.row_sum : 0;
}

void HeadPass::restore(int head, const ConstMatrixRef& q, const AttentionResult& forward) {
  head_ = head;
  rows_ = {0, q.rows};
  visible_.use_head(head);
  q_ = q;
  bias_rows_.start(head);
  if (products_ != nullptr) products_->set_queries(q, job_.queries, job_.first_token);
  states_.resize(static_cast<std::size_t>(q.rows));
  const std::size_t first = static_cast<std::size_t>(head) * states_.size();
  for (std::size_t r = 0; r < states_.size(); ++r)
    states_[r] = {.row_max = forward.row_max[first + r],
                  .sink = job_.sink(head),
                  .row_sum = forward.row_sum[first + r]};
}

bool HeadPass::matches_forward() const {
  constexpr double kRelativeTolerance = 1e-4;
  for (int r = 0; r < q_.rows; ++r) {
    const RowState& state = states_[static_cast<std::size_t>(r)];
    const double recomputed_sum = state.recomputed_row_sum + state.sink_part();
    const bool is_equal = state.row_sum > 0 ? std::fabs(recomputed_sum - state.row_sum) <=
                                                  kRelativeTolerance * state.row_sum
                                            : !visible_.has_visible_key(r);
    if (!is_equal) return false;
  }
  return true;
}

// The visible keys of these rows, extended to the start of a tile and the end of a panel, so that
// the summation order of a row does not depend on other rows.
KeyRange HeadPass::visible_range(int row, int rows, int first, int last) const {
  if (tiling_.has_whole_rows) return {first, last};
  const KeyRange range = visible_.range(row, rows);
  return {first + std::max(0, range.begin - first) / tiling_.keys * tiling_.keys,
          std::min(last, panel_end(first, range.end))};
}

void HeadPass::open_rows(int row, int rows) {
  if (job_.outputs.pooled_weights) pooling_.start(row, rows);
}

void HeadPass::close_rows(int row, int rows) {
  for (int r = 0; job_.outputs.pooled_weights && r < rows; ++r)
    pooling_.finish(r, states_[static_cast<std::size_t>(row + r)].row_sum, head_, *out_);
}

void HeadPass::block(const KeyBlock& keys) {
  each_row([&](int row, int rows) {
    open_rows(row, rows);
    each_tile_of(row, rows, keys.first, keys.keys.columns,
                 [&](int key, int count) { tile(keys, row, rows, key, count); });
    close_rows(row, rows);
  });
}

ContentTile HeadPass::content(int row, int rows, int first_key, const ConstMatrixRef& keys) {
  pair_mask_.clear();
  if (job_.has_pair_masks() && needs_full_rows(*job_.encoding)) {
    pair_mask_.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(keys.rows));
    for (int r = row; r < row + rows; ++r) {
      for (int key = first_key; key < first_key + keys.rows; ++key)
        pair_mask_.push_back(visible_.is_unmasked(r, key) ? 1 : 0);
    }
  }
  return {.head = head_,
          .queries = job_.queries.part(row, rows),
          .keys = job_.keys.part(first_key, keys.rows),
          .q = rows_of(q_, row, rows),
          .k = keys,
          .scale = static_cast<float>(job_.scale),
          .key_mask = tiling_.has_whole_rows ? job_.key_mask : nullptr,
          .pair_mask = pair_mask_};
}

void HeadPass::tile(const KeyBlock& keys, int row, int rows, int first_key, int count) {
  const MatrixRef scores{tile_.data(), rows, count, count};  // (rows, count)
  const MatrixRef output = rows_of(output_, row, rows);
  const kernels::Panels values = keys.values.rows_from(first_key - keys.first, count);
  update_weights(keys, row, first_key, scores, false);
  if (job_.use_float64) {
    std::vector<double> sinks(static_cast<std::size_t>(rows));
    for (int r = 0; r < rows; ++r)
      sinks[static_cast<std::size_t>(r)] = states_[static_cast<std::size_t>(row + r)].sink_part();
    double_means(scores, values, sinks, output);
    for (int r = 0; r < rows; ++r) divide(row + r, scores.row(r), count);
  } else if (job_.compute_output) {
    job_.kernels->accumulate_in_chunks(scores, values, output);
  }
  finish_tile(row, first_key, scores);
}

void HeadPass::update_weights(const KeyBlock& keys, int row, int first_key, const MatrixRef& scores,
                              bool has_products) {
  const int column = first_key - keys.first, rows = scores.rows, count = scores.columns;
  ScoreTile requested{.scores = scores};
  if (includes_head(job_.outputs.bias)) requested.bias = output_rows(out_->bias, row, rows);
  if (includes_head(job_.outputs.scores) && job_.use_float64 && products_ == nullptr &&
      !job_.encoding->is_content_dependent())
    requested.exact = output_rows(out_->scores, row, rows);
  score(content(row, rows, first_key, rows_of(keys.key_rows, column, count)),
        keys.keys.columns_from(column, count), row, first_key, requested, has_products);
  // With use_float64, score() has also made the sink relative to the row's largest score.
  for (int r = 0; job_.use_float64 && r < rows; ++r) {
    RowState& state = states_[static_cast<std::size_t>(row + r)];
    state = initial_state(state.sink);
  }
  visible_.apply_mask(row, first_key, scores);
  if (includes_head(job_.outputs.scores))
    keep_scores(row, requested.exact.data != nullptr ? requested.exact : scores);

  online_softmax_update(row, first_key, scores, rows_of(output_, row, rows));
}

void HeadPass::finish_tile(int row, int first_key, const MatrixRef& weights) {
  if (const KeyValueEncoding* values = job_.encoding->as_value_bias()) {
    values->add_values(head_, job_.queries.part(row, weights.rows),
                       job_.keys.part(first_key, weights.columns), weights,
                       rows_of(output_, row, weights.rows));
  }
  if (includes_head(job_.outputs.weights)) keep_weights(row, weights);
}

// Replaces scores by e^(score - row_max). If the largest score of a row increases, the accumulated
// sums of the row are rescaled.
void HeadPass::online_softmax_update(int row, int first_key, const MatrixRef& scores,
                                     const MatrixRef& output) {
  const auto max_of = [&](int r) { return job_.kernels->row_max(scores.row(r), scores.columns); };
  // Computes the next row's maximum early, so that it overlaps with this row's weights.
  float next_max = max_of(0);
  for (int r = 0; r < scores.rows; ++r) {
    RowState& state = states_[static_cast<std::size_t>(row + r)];
    float* weights = scores.row(r);
    const float tile_max = next_max;
    if (r + 1 < scores.rows) next_max = max_of(r + 1);
    const float row_max = std::max(state.row_max, tile_max);
    if (row_max == kMinusInfinity) {  // no key is visible yet
      kernels::fill(weights, 0, scores.columns);
      continue;
    }
    state.has_score |= tile_max != kMinusInfinity;
    if (row_max != state.row_max && state.row_sum > 0) {
      const float factor =
          static_cast<float>(exponential(static_cast<double>(state.row_max - row_max)));
      state.row_sum *= static_cast<double>(factor);
      kernels::multiply(output.row(r), factor, output.columns);
      if (job_.outputs.pooled_weights) pooling_.rescale(r, factor);
    }
    state.row_max = row_max;
    state.row_sum += job_.kernels->exp_and_sum(weights, scores.columns, row_max);
    if (job_.outputs.pooled_weights) pooling_.add(r, weights, first_key, scores.columns);
  }
}

// Divides values of a row by its row_sum. A row without visible keys stays 0.
void HeadPass::divide(int row, float* numbers, int count) const {
  const double row_sum = states_[static_cast<std::size_t>(row)].row_sum;
  if (row_sum > 0) kernels::multiply(numbers, static_cast<float>(1 / row_sum), count);
}

void HeadPass::weights(int row, int first_key, const MatrixRef& scores) {
  visible_.apply_mask(row, first_key, scores);
  for (int r = 0; r < scores.rows; ++r) {
    RowState& state = states_[static_cast<std::size_t>(row + r)];
    if (state.row_sum > 0)
      state.recomputed_row_sum +=
          job_.kernels->exp_and_sum(scores.row(r), scores.columns, state.row_max);
    else
      kernels::fill(scores.row(r), 0, scores.columns);
    divide(row + r, scores.row(r), scores.columns);
  }
}

}  // namespace phasor
