#include <cmath>

#include "attention/streaming/head_pass.h"
#include "core/finite.h"
#include "core/format_error.h"

namespace phasor {

// Copies scores to the result. A visible score that is not finite is an error, because -infinity
// marks hidden keys.
void HeadPass::store_scores(int row, const ConstMatrixRef& scores) {
  const MatrixRef stored_scores = output_rows(out_->scores, row, scores.rows);
  if (scores.data != stored_scores.data) {
    copy_rows(scores, stored_scores);
  } else {
    visible_.apply_mask(row, 0, stored_scores);
  }
  for (int r = 0; r < stored_scores.rows; ++r) {
    KeyRange range = visible_.range(row + r);
    if (visible_.sink_end(row + r) > 0) range.begin = 0;
    const float* score_row = stored_scores.row(r);
    if (std::isfinite(
            max_abs({score_row + range.begin, static_cast<std::size_t>(range.end - range.begin)})))
      continue;
    for (int key = range.begin; key < range.end; ++key) {
      if (!std::isfinite(score_row[key]) && visible_.is_visible(row + r, key))
        fail(out_of_range("outputs", "a score"));
    }
  }
}

void HeadPass::store_weights(int row, const ConstMatrixRef& weights) {
  const MatrixRef stored_weights = output_rows(out_->weights, row, weights.rows);
  copy_rows(weights, stored_weights);
  for (int r = 0; !params_.use_float64 && r < stored_weights.rows; ++r)
    divide_by_row_sum(row + r, stored_weights.row(r), stored_weights.columns);
}

Status HeadPass::finish() {
  for (int r = rows_.begin; r < rows_.end; ++r) {
    // If row_sum is not finite, or if a row with visible keys has no score above -infinity, a term
    // added to the scores has overflowed.
    const RowState& state = states_[static_cast<std::size_t>(r)];
    if (!std::isfinite(state.row_sum) || (!state.has_score && visible_.has_visible_key(r))) {
      fail(params_.attn_bias.empty()
               ? out_of_range("encoding", format_error("the contribution of {} to the scores",
                                                       params_.encoding->id))
               : out_of_range(spell_argument(argument("attn_bias")).c_str(),
                              "a score with this bias"));
    }
    if (!params_.use_float64) divide_by_row_sum(r, output_.row(r), output_.columns);
    if (should_store(params_.outputs.sink_weights))
      matrix(out_->sink_weights).row(params_.outputs.head ? 0 : head_)[r] =
          static_cast<float>(sink_weight(r));
  }
  // If only one head is computed, row_max and row_sum contain only the rows of that head.
  const std::size_t first_row = static_cast<std::size_t>(params_.computes_one_head() ? 0 : head_) *
                                static_cast<std::size_t>(q_.rows);
  for (int r = rows_.begin; params_.outputs.softmax_stats && r < rows_.end; ++r) {
    const RowState& state = states_[static_cast<std::size_t>(r)];
    out_->row_max[first_row + static_cast<std::size_t>(r)] = state.row_max;
    out_->row_sum[first_row + static_cast<std::size_t>(r)] = state.row_sum;
  }
  return status_;
}

}  // namespace phasor
