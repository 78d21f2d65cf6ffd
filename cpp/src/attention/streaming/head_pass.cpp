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

// Maximum number of scores in a tile of whole rows; longer sequences get fewer rows per tile.
constexpr int kMaxTileScores = 32768;

// Keys per tile with a window or segments. These tiles are small, because they also include hidden
// keys before the first visible one.
constexpr int kWindowTileKeys = 512;

}  // namespace

Tiling choose_tiling(const AttentionParams& params) {
  const int keys = params.keys.count();
  const bool needs_whole_rows = params.use_float64 || params.outputs.weights ||
                                params.outputs.scores || params.outputs.bias ||
                                needs_full_rows(*params.encoding);
  const bool hides_first_keys = params.window > 0 || !params.key_segments.empty();
  // Pooled weights need all keys in one block, because they are accumulated for one tile of rows at
  // a time.
  const CustomDotProduct* products = params.encoding->as_custom_dot_product();
  if (!needs_whole_rows)
    return {params.outputs.pooled_weights || (products != nullptr && products->by_rows())
                ? keys
                : std::min(keys, kBlockKeys),
            std::min({keys, params.kernels->tile_keys, hides_first_keys ? kWindowTileKeys : keys}),
            params.kernels->tile_rows, false};
  return {keys, keys, std::clamp(kMaxTileScores / keys, 4, params.kernels->tile_rows), true};
}

HeadPass::HeadPass(const AttentionParams& params, const Tiling& tiling)
    : params_(params),
      tiling_(tiling),
      distance_bias_(params),
      pooling_(params, tiling.rows),
      visible_(params),
      scores_(static_cast<std::size_t>(tiling.rows) * static_cast<std::size_t>(tiling.keys)) {}

void HeadPass::start(int head, const ConstMatrixRef& q, const MatrixRef& output,
                     AttentionResult& out, RowRange rows) {
  head_ = head;
  rows_ = rows;
  visible_.use_head(head);
  q_ = q;
  output_ = output;
  out_ = &out;
  distance_bias_.start(head);
  if (products_ != nullptr) products_->set_queries(q, params_.queries, params_.first_token);
  states_.assign(static_cast<std::size_t>(q.rows), initial_state(params_.sink(head)));
}

HeadPass::RowState HeadPass::initial_state(float sink) {
  return {.row_max = sink, .sink = sink, .row_sum = sink == kMinusInfinity ? 0.0 : 1.0};
}

double HeadPass::RowState::sink_term() const {
  return sink == kMinusInfinity
             ? 0
             : exponential(static_cast<double>(sink) - static_cast<double>(row_max));
}

double HeadPass::sink_weight(int row) const {
  const RowState& state = states_[static_cast<std::size_t>(row)];
  return state.row_sum > 0 ? state.sink_term() / state.row_sum : 0;
}

void HeadPass::restore(int head, const ConstMatrixRef& q, const AttentionResult& forward) {
  head_ = head;
  rows_ = {0, q.rows};
  visible_.use_head(head);
  q_ = q;
  distance_bias_.start(head);
  if (products_ != nullptr) products_->set_queries(q, params_.queries, params_.first_token);
  states_.resize(static_cast<std::size_t>(q.rows));
  const std::size_t first = static_cast<std::size_t>(head) * states_.size();
  for (std::size_t r = 0; r < states_.size(); ++r)
    states_[r] = {.row_max = forward.row_max[first + r],
                  .sink = params_.sink(head),
                  .row_sum = forward.row_sum[first + r]};
}

bool HeadPass::matches_forward() const {
  constexpr double kRelativeTolerance = 1e-4;
  for (int r = 0; r < q_.rows; ++r) {
    const RowState& state = states_[static_cast<std::size_t>(r)];
    const double recomputed_sum = state.recomputed_row_sum + state.sink_term();
    const bool is_close = state.row_sum > 0 ? std::fabs(recomputed_sum - state.row_sum) <=
                                                  kRelativeTolerance * state.row_sum
                                            : !visible_.has_visible_key(r);
    if (!is_close) return false;
  }
  return true;
}

// The visible keys of these rows, extended to the start of a tile and the end of a panel, so that
// the summation order of a row does not depend on other rows.
KeyRange HeadPass::visible_range(int row, int rows, int first_key, int end_key) const {
  if (tiling_.has_whole_rows) return {first_key, end_key};
  const KeyRange range = visible_.range(row, rows);
  return {first_key + std::max(0, range.begin - first_key) / tiling_.keys * tiling_.keys,
          std::min(end_key, panel_end(first_key, range.end))};
}

void HeadPass::begin_rows(int row, int rows) {
  if (params_.outputs.pooled_weights) pooling_.start(row, rows);
}

void HeadPass::end_rows(int row, int rows) {
  for (int r = 0; params_.outputs.pooled_weights && r < rows; ++r)
    pooling_.finish(r, states_[static_cast<std::size_t>(row + r)].row_sum, head_, *out_);
}

void HeadPass::process_block(const KeyBlock& keys) {
  for_each_row([&](int row, int rows) {
    begin_rows(row, rows);
    for_each_tile_of(row, rows, keys.first, keys.keys.columns,
                     [&](int key, int count) { process_tile(keys, row, rows, key, count); });
    end_rows(row, rows);
  });
}

ContentTile HeadPass::make_content_tile(int row, int rows, int first_key,
                                        const ConstMatrixRef& keys) {
  pair_mask_.clear();
  if (params_.has_pair_masks() && needs_full_rows(*params_.encoding)) {
    pair_mask_.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(keys.rows));
    for (int r = row; r < row + rows; ++r) {
      for (int key = first_key; key < first_key + keys.rows; ++key)
        pair_mask_.push_back(visible_.is_unmasked(r, key) ? 1 : 0);
    }
  }
  return {.head = head_,
          .queries = params_.queries.part(row, rows),
          .keys = params_.keys.part(first_key, keys.rows),
          .q = rows_of(q_, row, rows),
          .k = keys,
          .scale = static_cast<float>(params_.scale),
          .key_mask = tiling_.has_whole_rows ? params_.key_mask : nullptr,
          .pair_mask = pair_mask_};
}

void HeadPass::process_tile(const KeyBlock& keys, int row, int rows, int first_key, int count) {
  const MatrixRef scores{scores_.data(), rows, count, count};  // (rows, count)
  const MatrixRef output = rows_of(output_, row, rows);
  const kernels::Panels values = keys.values.slice_rows(first_key - keys.first, count);
  update_weights(keys, row, first_key, scores, false);
  if (params_.use_float64) {
    std::vector<double> sinks(static_cast<std::size_t>(rows));
    for (int r = 0; r < rows; ++r)
      sinks[static_cast<std::size_t>(r)] = states_[static_cast<std::size_t>(row + r)].sink_term();
    compute_means_float64(scores, values, sinks, output);
    for (int r = 0; r < rows; ++r) divide_by_row_sum(row + r, scores.row(r), count);
  } else if (params_.compute_output) {
    params_.kernels->accumulate_in_chunks(scores, values, output);
  }
  finish_tile(row, first_key, scores);
}

void HeadPass::update_weights(const KeyBlock& keys, int row, int first_key, const MatrixRef& scores,
                              bool has_products) {
  const int column = first_key - keys.first, rows = scores.rows, count = scores.columns;
  ScoreTile score_tile{.scores = scores};
  if (should_store(params_.outputs.bias)) score_tile.bias = output_rows(out_->bias, row, rows);
  if (should_store(params_.outputs.scores) && params_.use_float64 && products_ == nullptr &&
      !params_.encoding->is_content_dependent())
    score_tile.exact_scores = output_rows(out_->scores, row, rows);
  compute_scores(make_content_tile(row, rows, first_key, rows_of(keys.key_rows, column, count)),
                 keys.keys.slice_columns(column, count), row, first_key, score_tile, has_products);
  // With use_float64, compute_scores() may have subtracted the row's largest score from the sink's
  // score.
  for (int r = 0; params_.use_float64 && r < rows; ++r) {
    RowState& state = states_[static_cast<std::size_t>(row + r)];
    state = initial_state(state.sink);
  }
  visible_.apply_mask(row, first_key, scores);
  if (should_store(params_.outputs.scores))
    store_scores(row, score_tile.exact_scores.data != nullptr ? score_tile.exact_scores : scores);

  online_softmax_update(row, first_key, scores, rows_of(output_, row, rows));
}

void HeadPass::finish_tile(int row, int first_key, const MatrixRef& weights) {
  if (const KeyValueEncoding* value_bias = params_.encoding->as_value_bias()) {
    value_bias->add_values(head_, params_.queries.part(row, weights.rows),
                           params_.keys.part(first_key, weights.columns), weights,
                           rows_of(output_, row, weights.rows));
  }
  if (should_store(params_.outputs.weights)) store_weights(row, weights);
}

// Replaces scores with e^(score - row_max). If a row's largest score increases, rescales the sums
// accumulated for that row.
void HeadPass::online_softmax_update(int row, int first_key, const MatrixRef& scores,
                                     const MatrixRef& output) {
  const auto tile_row_max = [&](int r) {
    return params_.kernels->row_max(scores.row(r), scores.columns);
  };
  // Computes the next row's maximum before this row's weights, so that the two computations can
  // overlap.
  float next_max = tile_row_max(0);
  for (int r = 0; r < scores.rows; ++r) {
    RowState& state = states_[static_cast<std::size_t>(row + r)];
    float* weights = scores.row(r);
    const float tile_max = next_max;
    if (r + 1 < scores.rows) next_max = tile_row_max(r + 1);
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
      if (params_.outputs.pooled_weights) pooling_.rescale(r, factor);
    }
    state.row_max = row_max;
    state.row_sum += params_.kernels->exp_and_sum(weights, scores.columns, row_max);
    if (params_.outputs.pooled_weights) pooling_.add(r, weights, first_key, scores.columns);
  }
}

// Divides values of a row by its row_sum. A row without visible keys stays 0.
void HeadPass::divide_by_row_sum(int row, float* values, int count) const {
  const double row_sum = states_[static_cast<std::size_t>(row)].row_sum;
  if (row_sum > 0) kernels::multiply(values, static_cast<float>(1 / row_sum), count);
}

void HeadPass::compute_weights(int row, int first_key, const MatrixRef& scores) {
  visible_.apply_mask(row, first_key, scores);
  for (int r = 0; r < scores.rows; ++r) {
    RowState& state = states_[static_cast<std::size_t>(row + r)];
    if (state.row_sum > 0)
      state.recomputed_row_sum +=
          params_.kernels->exp_and_sum(scores.row(r), scores.columns, state.row_max);
    else
      kernels::fill(scores.row(r), 0, scores.columns);
    divide_by_row_sum(row + r, scores.row(r), scores.columns);
  }
}

}  // namespace phasor
