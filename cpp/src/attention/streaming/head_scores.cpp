#include <cmath>
#include <vector>

#include "attention/streaming/head_pass.h"
#include "attention/streaming/multi_head_pass.h"
#include "attention/streaming/score_ops.h"
#include "attention/streaming/scores_float64.h"
#include "core/finite.h"
#include "core/format_error.h"
#include "kernels/gemm.h"
#include "kernels/vector_ops.h"
#include "math/eigen_map.h"

namespace phasor {

void HeadPass::compute_scores(const ContentTile& content, const kernels::Panels& keys, int row,
                              int first_key, const ScoreTile& tile, bool has_products) {
  const MatrixRef scores = tile.scores;
  const int sink_key_count = count_sink_keys(first_key, scores.columns);
  const bool needs_products = params_.encoding->is_content_dependent() || products_ != nullptr;
  if (params_.use_float64 && !needs_products) {
    kernels::fill(scores.data, 0, scores.rows * scores.columns);
    std::vector<float> bias_data(static_cast<std::size_t>(scores.rows) *
                                 static_cast<std::size_t>(scores.columns));
    const MatrixRef bias{bias_data.data(), scores.rows, scores.columns, scores.columns};
    add_encoding_terms(content, row, first_key, bias, tile.bias);
    visible_.apply_mask(row, first_key, scores);
    std::vector<float> sinks(static_cast<std::size_t>(scores.rows), params_.sink(head_));
    compute_scores_float64(
        {.scale = params_.scale,
         .softcap = params_.softcap(),
         .cap_includes_bias = params_.caps_bias(),
         .q = content.q,
         .keys = keys,
         .bias = bias,
         .sink_queries = sink_key_count > 0 && params_.sink_queries->has_queries()
                             ? params_.sink_queries
                             : nullptr,
         .sink_q = sink_key_count > 0 && params_.sink_queries->has_queries()
                       ? params_.sink_queries->q(head_)
                       : content.q,
         .first_row = row,
         .sink_keys = sink_key_count},
        scores, sinks, {.exact_scores = tile.exact_scores, .capped_scores = tile.capped_scores});
    // Stores the sink's score relative to the row's largest score, like the other scores.
    for (int r = 0; r < scores.rows && params_.has_sinks(); ++r) {
      RowState& state = states_[static_cast<std::size_t>(row + r)];
      state.sink = sinks[static_cast<std::size_t>(r)];
    }
    return;
  }
  const bool has_computed_products = products_ != nullptr || mixing_tile_ != nullptr;
  if (mixing_tile_ != nullptr) copy_rows(mixing_tile_->products(head_), scores);
  if (products_ != nullptr)
    products_->scores(row, first_key, params_.scale, params_.use_float64, scores);
  if (params_.use_float64) {
    if (!has_computed_products) compute_products_float64(params_.scale, content.q, keys, scores);
    check_products(row, first_key, scores);
  } else if (!has_computed_products) {
    if (!has_products) params_.kernels->product(content.q, keys, content.scale, scores);
    const auto use_sink_queries = [&](int first, int count, bool uses_sink_position) {
      if (!uses_sink_position) return;
      params_.kernels->product(
          rows_of(params_.sink_queries->q(head_), first, count),
          keys.slice_columns(0, sink_key_count), content.scale,
          kernels::columns_of(rows_of(scores, first - row, count), 0, sink_key_count));
    };
    if (sink_key_count > 0 && params_.sink_queries->has_queries())
      params_.sink_queries->for_each_run(row, scores.rows, use_sink_queries);
  }
  const bool caps_bias = params_.caps_bias();
  std::vector<float> softcap_change;
  if (!caps_bias && params_.softcap() != 0 && params_.encoding->is_content_dependent()) {
    // The encoding's terms depend on the uncapped scale * q.k, so the difference between capped and
    // uncapped scores is added after them.
    softcap_change.assign(scores.data, scores.data + scores.rows * scores.columns);
    const MatrixRef capped_scores{softcap_change.data(), scores.rows, scores.columns,
                                  scores.columns};
    apply_softcap(capped_scores, tile.capped_scores);
    for (std::size_t i = 0; i < softcap_change.size(); ++i) softcap_change[i] -= scores.data[i];
  } else if (!caps_bias) {
    apply_softcap(scores, tile.capped_scores);
  }
  if (tile.products.data != nullptr) copy_rows(scores, tile.products);
  add_encoding_terms(content, row, first_key, scores, tile.bias);
  if (caps_bias) apply_softcap(scores, tile.capped_scores);
  if (!softcap_change.empty())
    kernels::add_row(scores.data, softcap_change.data(), static_cast<int>(softcap_change.size()));
}

// Rejects products that exceed float32, because terms of the encoding depend on them. With head
// mixing, products of hidden keys may exceed float32, because each term depends only on its own
// query-key pair.
void HeadPass::check_products(int row, int first_key, const ConstMatrixRef& products) {
  const auto overflows = [&](int r, int key) {
    return !std::isfinite(products.row(r)[key]) &&
           (mixing_tile_ == nullptr || visible_.is_visible(row + r, first_key + key));
  };
  for (int r = 0; r < products.rows; ++r) {
    if (std::isfinite(max_abs({products.row(r), static_cast<std::size_t>(products.columns)})))
      continue;
    for (int key = 0; key < products.columns; ++key) {
      if (overflows(r, key)) {
        return fail(out_of_range(
            "q", format_error("scale * q k^T, an input of {},", params_.encoding->id)));
      }
    }
  }
}

void HeadPass::apply_softcap(const MatrixRef& scores, const MatrixRef& capped_scores) const {
  const float softcap = static_cast<float>(params_.softcap());
  if (softcap == 0) return;
  for (int r = 0; r < scores.rows; ++r)
    params_.kernels->softcap(scores.row(r), scores.columns, softcap);
  if (capped_scores.data != nullptr) copy_rows(scores, capped_scores);
}

// Adds the terms of the encoding, then attn_bias. On entry, scores (rows, keys) contains scale *
// q.k, which may already be capped. The encoding's terms are also written to bias (rows, keys),
// unless its data is null.
void HeadPass::add_encoding_terms(const ContentTile& content, int row, int first_key,
                                  const MatrixRef& scores, const MatrixRef& bias) const {
  const bool returns_bias = bias.data != nullptr;
  if (returns_bias) eigen(bias) = eigen(scores);
  if (const ContentBias* content_bias = params_.encoding->as_content_bias())
    content_bias->add_content(content, scores);
  // `bias` contains the scores before add_content(), so the difference is the content terms. A
  // score bias is added to `bias` directly, which avoids rounding.
  if (returns_bias) eigen(bias) = eigen(scores) - eigen(bias);
  const auto add_mixing_terms = [&](const MatrixRef& tile) {
    for (int r = 0; mixing_tile_ != nullptr && r < tile.rows; ++r)
      kernels::add_row(tile.row(r), mixing_tile_->terms(head_).row(r), tile.columns);
  };
  const ScoreEncoding* score_bias = params_.encoding->as_score_bias();
  const auto add_score_bias = [&](int row_offset, int key_offset, const MatrixRef& tile) {
    if (tile.columns == 0 || score_bias == nullptr) return;
    if (distance_bias_.can_add())
      return distance_bias_.add(row + row_offset, first_key + key_offset, tile);
    score_bias->add_bias(content.head, content.queries.part(row_offset, tile.rows),
                         content.keys.part(key_offset, tile.columns), tile);
  };
  const int sink_key_count = count_sink_keys(first_key, scores.columns);
  const auto add_bias = [&](const MatrixRef& tile) {
    add_mixing_terms(tile);
    if (params_.decay != nullptr)
      params_.decay->add(content.head, params_.first_token + row, first_key, tile);
    add_score_bias(0, sink_key_count,
                   kernels::columns_of(tile, sink_key_count, tile.columns - sink_key_count));
    if (sink_key_count == 0 || score_bias == nullptr) return;
    params_.sink_queries->for_each_run(
        row, tile.rows, [&](int first, int count, bool uses_sink_position) {
          const MatrixRef sink_tile =
              kernels::columns_of(rows_of(tile, first - row, count), 0, sink_key_count);
          if (!uses_sink_position) return add_score_bias(first - row, 0, sink_tile);
          score_bias->add_bias(content.head, params_.sink_queries->positions(count),
                               content.keys.part(0, sink_key_count), sink_tile);
        });
  };
  add_bias(scores);
  if (returns_bias) add_bias(bias);
  for (int r = 0; !params_.attn_bias.empty() && r < scores.rows; ++r) {
    const float* pair_bias = params_.attn_bias.at(head_, row + r, first_key);
    if (params_.attn_bias.key_stride != 0) {
      kernels::add_row(scores.row(r), pair_bias, scores.columns);
    } else {
      kernels::add_constant(scores.row(r), *pair_bias, scores.columns);
    }
  }
}

}  // namespace phasor
