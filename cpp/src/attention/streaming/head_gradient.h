#pragma once
// The backward pass of one head: recomputes the tiles of scores and their gradients with respect
// to queries, keys, values and encoding.

#include "attention/streaming/head_pass.h"
#include "attention/streaming/score_ops.h"
#include "attention/streaming/scores_float64.h"
#include "attention/streaming/tile_inputs.h"
#include "kernels/gemm.h"
#include "kernels/vector_ops.h"

namespace phasor {

// Sets the gradient of a score to 0 where its weight is 0. Otherwise, an infinite value from the
// encoding would make the gradient NaN.
inline void zero_masked_grad(const ConstMatrixRef& weights, const MatrixRef& d_scores) {
  for (int r = 0; r < weights.rows; ++r) {
    for (int c = 0; c < weights.columns; ++c) {
      if (weights.row(r)[c] == 0) d_scores.row(r)[c] = 0;
    }
  }
}

class HeadGradient {
 public:
  HeadGradient(const AttentionParams& params, Encoding& encoding, const Tiling& tiling,
               bool use_float64, DecayGradient* decay)
      : params_(params),
        encoding_(encoding),
        decay_(decay),
        uses_float64_(use_float64),
        weights_(static_cast<std::size_t>(tiling.rows) * static_cast<std::size_t>(tiling.keys)),
        products_(weights_),
        d_scores_(weights_),
        transposed_(weights_) {}

  struct HeadTensors {
    int head = 0;
    ConstMatrixRef q, k, v, output, d_output;
    MatrixRef d_q, d_k, d_v;
    DotProductState* products = nullptr;
    ConstMatrixRef sink_q;  // queries at their sink positions, if these differ
    MatrixRef d_sink_q;
  };

  /// Propagates gradients through the tiles of a block of keys. `pass` must have completed or
  /// restored its forward pass.
  void backprop_block(const HeadTensors& h, HeadPass& pass, const KeyBlock& keys) {
    begin_block(h, keys);
    pass.for_each_tile(keys.first, keys.keys.columns, [&](int row, int rows, int key, int columns) {
      backprop_tile(h, pass, row, key, score_grad(h, pass, row, rows, key, columns, {}));
    });
  }

  // The steps of backprop_block(). mixed_backward.cpp calls them for all heads, tile by tile.

  void begin_block(const HeadTensors& h, const KeyBlock& keys) {
    const int count = keys.keys.columns;
    key_block_ = keys;
    key_rows_ = keys_.pack(kernels::Transpose::no, keys.key_rows);
    value_columns_ = values_.pack(kernels::Transpose::yes, rows_of(h.v, keys.first, count));
  }

  /// Returns the gradient of a tile's scores (rows, columns), valid until the next tile. Also
  /// writes the gradient of the terms added to the scores to `d_terms`, unless its data is null.
  MatrixRef score_grad(const HeadTensors& h, HeadPass& pass, int row, int rows, int key,
                       int columns, const MatrixRef& d_terms) {
    const int column = key - key_block_.first;
    const KeyBlock keys{key,
                        key_block_.keys.slice_columns(column, columns),
                        {},
                        rows_of(key_block_.key_rows, column, columns)};
    // (v_head_dim, columns)
    const kernels::Panels values = value_columns_.slice_columns(column, columns);
    const auto tile_matrix = [&](std::vector<float>& data) {
      return MatrixRef{data.data(), rows, columns, columns};
    };
    const MatrixRef weights = tile_matrix(weights_), products = tile_matrix(products_),
                    d_scores = tile_matrix(d_scores_);
    const ConstMatrixRef d_output = rows_of(h.d_output, row, rows);
    const ContentTile content = pass.make_content_tile(row, rows, keys.first, keys.key_rows);

    // transposed_ holds the capped scores until the weights are transposed into it.
    const float softcap = static_cast<float>(params_.softcap());
    const MatrixRef capped_scores = softcap != 0 ? tile_matrix(transposed_) : MatrixRef{};
    pass.compute_scores(content, keys.keys, row, keys.first,
                        {.scores = weights, .products = products, .capped_scores = capped_scores});
    pass.compute_weights(row, keys.first, weights);

    if (uses_float64_) {
      kernels::fill(d_scores.data, 0, rows * columns);
    } else {
      kernels::active::product(d_output, values, 1, d_scores);  // dP
    }
    if (KeyValueEncoding* value_bias = encoding_.as_value_bias()) {
      value_bias->values_backward(h.head, content.queries, content.keys, weights, d_output,
                                  d_scores);
      zero_masked_grad(weights, d_scores);
    }
    if (uses_float64_) {
      score_grad_float64(weights, d_output, values, rows_of(h.output, row, rows), d_scores);
    } else {
      for (int r = 0; r < rows; ++r) {
        const float mean = kernels::dot(d_output.row(r), h.output.row(row + r), d_output.columns);
        kernels::add_constant(d_scores.row(r), -mean, columns);
        kernels::multiply_rows(d_scores.row(r), weights.row(r), columns);
      }
    }
    const auto backprop_softcap = [&](bool is_capped) {
      for (int r = 0; is_capped && softcap != 0 && r < rows; ++r)
        kernels::softcap_backward(d_scores.row(r), capped_scores.row(r), columns, softcap);
    };
    backprop_softcap(params_.caps_bias());
    if (params_.caps_bias()) zero_masked_grad(weights, d_scores);
    const int sink_key_count = pass.count_sink_keys(keys.first, columns);
    bias_backward(h.head, content, row, sink_key_count, d_scores);
    for (int r = 0; !params_.d_attn_bias.empty() && r < rows; ++r) {
      for (int c = 0; c < columns; ++c)
        *params_.d_attn_bias.at(h.head, row + r, keys.first + c) +=
            static_cast<double>(d_scores.row(r)[c]);
    }
    if (decay_ != nullptr) decay_->gather(h.head, params_.first_token + row, keys.first, d_scores);
    if (ContentBias* content_bias = encoding_.as_content_bias()) {
      content_bias->content_backward(content, products, d_scores, rows_of(h.d_q, row, rows),
                                     rows_of(h.d_k, keys.first, columns));
    }
    if (d_terms.data != nullptr) copy_rows(d_scores, d_terms);
    backprop_softcap(!params_.caps_bias());

    const MatrixRef transposed{transposed_.data(), columns, rows, rows};
    kernels::transpose(weights, transposed);
    kernels::active::accumulate(transposed, d_outputs_.pack(kernels::Transpose::no, d_output),
                                rows_of(h.d_v, keys.first, columns));
    return d_scores;
  }

  void backprop_tile(const HeadTensors& h, HeadPass& pass, int row, int key,
                     const MatrixRef& d_scores) {
    const int rows = d_scores.rows, columns = d_scores.columns,
              sink_key_count = pass.count_sink_keys(key, columns);
    // (columns, head_dim)
    const kernels::Panels key_rows = key_rows_.slice_rows(key - key_block_.first, columns);
    for (int r = 0; r < rows; ++r) scale(d_scores.row(r), columns);
    if (h.products != nullptr) return h.products->scores_backward(row, key, d_scores);
    // Propagates `grads` (queries, keys) to the queries from `first` on and to the first keys of
    // the tile.
    const auto backprop_rows = [&](int first, const ConstMatrixRef& grads,
                                   const ConstMatrixRef& queries, const MatrixRef& d_queries) {
      const MatrixRef transposed_grad{transposed_.data(), grads.columns, grads.rows, grads.rows};
      kernels::accumulate_in_chunks(grads, key_rows.slice_rows(0, grads.columns),
                                    rows_of(d_queries, first, grads.rows));
      kernels::transpose(grads, transposed_grad);
      kernels::active::accumulate(
          transposed_grad,
          queries_.pack(kernels::Transpose::no, rows_of(queries, first, grads.rows)),
          rows_of(h.d_k, key, grads.columns));
    };
    // Propagates the gradients of sink keys to h.d_sink_q, then clears them so that they are not
    // also added to h.d_q.
    const auto backprop_sink_rows = [&](int first, int count, bool uses_sink_position) {
      if (!uses_sink_position) return;
      const MatrixRef grads =
          kernels::columns_of(rows_of(d_scores, first - row, count), 0, sink_key_count);
      backprop_rows(first, grads, h.sink_q, h.d_sink_q);
      for (int r = 0; r < count; ++r) kernels::fill(grads.row(r), 0, sink_key_count);
    };
    if (sink_key_count > 0 && params_.sink_queries->has_queries())
      params_.sink_queries->for_each_run(row, rows, backprop_sink_rows);
    backprop_rows(row, d_scores, h.q, h.d_q);
  }

 private:
  // Propagates the gradient of a tile's scores to the bias. Relative to the first `sink_key_count`
  // keys, rows with uses_sink_position() are at their sink positions.
  void bias_backward(int head, const ContentTile& content, int row, int sink_key_count,
                     const ConstMatrixRef& d_scores) {
    ScoreEncoding* const bias = encoding_.as_score_bias();
    if (bias == nullptr) return;
    const auto add_bias_grad = [&](int row_offset, int key_offset, const ConstMatrixRef& d_tile) {
      if (d_tile.columns > 0)
        bias->bias_backward(head, content.queries.part(row_offset, d_tile.rows),
                            content.keys.part(key_offset, d_tile.columns), d_tile);
    };
    add_bias_grad(0, sink_key_count,
                  kernels::columns_of(d_scores, sink_key_count, d_scores.columns - sink_key_count));
    if (sink_key_count == 0) return;
    params_.sink_queries->for_each_run(
        row, d_scores.rows, [&](int first, int count, bool uses_sink_position) {
          const ConstMatrixRef d_sink_scores =
              kernels::columns_of(rows_of(d_scores, first - row, count), 0, sink_key_count);
          if (!uses_sink_position) return add_bias_grad(first - row, 0, d_sink_scores);
          bias->bias_backward(head, params_.sink_queries->positions(count),
                              content.keys.part(0, sink_key_count), d_sink_scores);
        });
  }

  // Multiplies a row by the scale. With use_float64, it multiplies in double: a scale of 1e300
  // would be infinite as a float, and 0 times infinity is NaN.
  void scale(float* row, int count) const {
    if (!params_.use_float64)
      return kernels::multiply(row, static_cast<float>(params_.scale), count);
    for (int i = 0; i < count; ++i)
      row[i] = static_cast<float>(static_cast<double>(row[i]) * params_.scale);
  }

  const AttentionParams& params_;
  Encoding& encoding_;
  DecayGradient* decay_;  // or nullptr
  bool uses_float64_;     // d_output . v may exceed float32
  std::vector<float> weights_, products_, d_scores_, transposed_;
  kernels::PackedMatrix keys_, values_, queries_, d_outputs_;
  KeyBlock key_block_;
  kernels::Panels key_rows_, value_columns_;
};

}  // namespace phasor
