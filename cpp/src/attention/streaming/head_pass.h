#pragma once
// The forward pass of one head with an online softmax (Milakov and Gimelshein 2018, arXiv
// 1805.02867; Dao et al. 2022, arXiv 2205.14135). It processes blocks of keys and needs memory for
// one tile of scores and a few values per query.

#include <algorithm>

#include "attention/streaming/pooled_weights.h"
#include "attention/streaming/sink_queries.h"
#include "attention/streaming/tile_inputs.h"
#include "attention/streaming/visible.h"
#include "core/buffer.h"
#include "kernels/kernels.h"

namespace phasor {

class HeadMixingTile;

/// Sizes of the tiles of the score matrix. Rows are independent, so results are bitwise equal for
/// any division of the queries.
struct Tiling {
  int block_keys = 0;           ///< number of keys packed at a time
  int keys = 0;                 ///< keys per tile
  int rows = 0;                 ///< queries per tile
  bool has_whole_rows = false;  ///< each tile spans all keys, including hidden ones
};

/// Number of keys packed at a time. This many keys and values fit in the L2 cache.
inline constexpr int kBlockKeys = 1024;

/// Chooses tiles of whole rows if an output or the encoding needs them; otherwise tiles that fit in
/// the caches.
Tiling choose_tiling(const AttentionParams& params);

/// Queries [begin, end) of a call.
struct RowRange {
  int begin = 0;
  int end = 0;
};

/// to = from
inline void copy_rows(const ConstMatrixRef& from, const MatrixRef& to) {
  for (int r = 0; r < from.rows; ++r) std::copy_n(from.row(r), from.columns, to.row(r));
}

class HeadPass {
 public:
  HeadPass(const AttentionParams& params, const Tiling& tiling);

  static constexpr double bytes_per_query() { return sizeof(RowState) + sizeof(KeyRange); }

  /// Sets the tile that all heads share if the encoding mixes heads. MultiHeadPass owns the tile.
  void set_mixing_tile(const HeadMixingTile* mixing_tile) { mixing_tile_ = mixing_tile; }
  /// Sets the dot-product state of the next head. Must be called before start() or restore().
  void set_products(DotProductState* products) { products_ = products; }
  /// Starts a head. q (queries, head_dim) must already be transformed by apply_position(), and
  /// output (queries, v_head_dim) must be 0. The requested arrays are written to `out`. Only the
  /// rows in `rows` are computed.
  void start(int head, const ConstMatrixRef& q, const MatrixRef& output, AttentionResult& out,
             RowRange rows);
  void process_block(const KeyBlock& keys);
  /// Divides the output by row sums, and writes softmax statistics if requested. Rejects results
  /// that exceed float32.
  Status finish();

  /// Calls f(first row, number of rows, first key, number of keys) for every tile with a visible
  /// key in [first, first + count).
  template <class F>
  void for_each_tile(int first, int count, F&& f) const {
    for_each_row([&](int row, int rows) {
      for_each_tile_of(row, rows, first, count,
                       [&](int key, int keys) { f(row, rows, key, keys); });
    });
  }
  template <class F>
  void for_each_row(F&& f) const {
    for (int row = rows_.begin; row < rows_.end; row += tiling_.rows)
      f(row, std::min(tiling_.rows, rows_.end - row));
  }

  /// Calls f(first key, number of keys) for each tile of these rows within keys [first, first +
  /// count).
  template <class F>
  void for_each_tile_of(int row, int rows, int first, int count, F&& f) const {
    const KeyRange range = visible_range(row, rows, first, first + count);
    const int sink_end = tiling_.has_whole_rows ? 0 : visible_.sink_end(row, rows);
    if (sink_end <= first) {
      for (int key = range.begin; key < range.end; key += tiling_.keys)
        f(key, std::min(tiling_.keys, range.end - key));
      return;
    }
    const int sink_panel_end = panel_end(first, sink_end);
    for (int key = first; key < first + count; key += tiling_.keys) {
      int end = std::max(key, sink_panel_end);
      if (key >= range.begin) end = std::max(end, range.end);
      end = std::min({end, key + tiling_.keys, first + count});
      if (end > key) f(key, end - key);
    }
  }
  /// Must be called before the tiles of these rows in a block of keys; end_rows() must be called
  /// after them.
  void begin_rows(int row, int rows);
  void process_tile(const KeyBlock& keys, int row, int rows, int first_key, int count);
  /// The steps of process_tile(). update_weights() replaces scores (rows, count) with weights
  /// relative to row_max, and updates the state of each row. The caller then adds the weights times
  /// the values to the output. finish_tile() adds value terms and stores weights. If `has_products`
  /// is true, `scores` already contains scale * q.k, computed without sink queries.
  void update_weights(const KeyBlock& keys, int row, int first_key, const MatrixRef& scores,
                      bool has_products);
  void finish_tile(int row, int first_key, const MatrixRef& weights);
  void end_rows(int row, int rows);

  /// Restores a head's softmax statistics from a forward result, instead of start() and a forward
  /// pass.
  void restore(int head, const ConstMatrixRef& q, const AttentionResult& forward);
  /// True if the weights computed since restore() sum to the restored row sums.
  bool matches_forward() const;

  /// Number of leading keys in a tile that are sink tokens with separate queries (SinkQueries).
  int count_sink_keys(int first_key, int count) const {
    return params_.sink_queries == nullptr ? 0 : params_.sink_queries->count_keys(first_key, count);
  }
  /// The inputs of a content-dependent encoding for a tile, valid until the next call. `keys` is
  /// (count, head_dim).
  ContentTile make_content_tile(int row, int rows, int first_key, const ConstMatrixRef& keys);
  /// A tile of scores (rows, keys). The other arrays are written only if their data is not null.
  /// `products` is scale * q.k, `capped_scores` the scores after the soft cap, `bias` the terms of
  /// the encoding, and `exact_scores` (with use_float64) the scores before the row maximum is
  /// subtracted.
  struct ScoreTile {
    MatrixRef scores{}, products{}, capped_scores{}, bias{}, exact_scores{};
  };
  /// Computes scores of queries from `row` on and keys (head_dim, keys) from `first_key` on: scale
  /// * q.k plus the encoding's terms, with the soft cap. With use_float64, unless the encoding is
  /// content-dependent or has a custom dot product, also subtracts the largest score of each row,
  /// including the sink, and sets hidden scores to -infinity.
  void compute_scores(const ContentTile& content, const kernels::Panels& keys, int row,
                      int first_key, const ScoreTile& tile, bool has_products = false);
  /// Replaces a tile's scores with weights. Must be called after finish() or restore().
  void compute_weights(int row, int first_key, const MatrixRef& scores);
  /// The weight of the sink in a row, or 0 without a sink. Must be called after finish() or
  /// restore().
  double sink_weight(int row) const;

 private:
  struct RowState {
    // The largest score so far, including the sink; -infinity before the first visible key
    float row_max;
    float sink;                     // -infinity without one
    double row_sum;                 // sum of e^(score - row_max)
    double recomputed_row_sum = 0;  // row_sum of the tiles recomputed after restore()
    bool has_score = false;         // a score above -infinity was found
    double sink_term() const;       // the sink's contribution to row_sum
  };

  void check_products(int row, int first_key, const ConstMatrixRef& products);
  void apply_softcap(const MatrixRef& scores, const MatrixRef& capped_scores) const;
  void add_encoding_terms(const ContentTile& content, int row, int first_key,
                          const MatrixRef& scores, const MatrixRef& bias) const;
  void fail(Status error) {
    if (status_.ok()) status_ = std::move(error);
  }

  /// The end of the panel that contains key `end` - 1, in a block that starts at `first`.
  static int panel_end(int first, int end) {
    return first + (end - first + kernels::kPanelColumns - 1) / kernels::kPanelColumns *
                       kernels::kPanelColumns;
  }
  KeyRange visible_range(int row, int rows, int first_key, int end_key) const;
  void online_softmax_update(int row, int first_key, const MatrixRef& scores,
                             const MatrixRef& output);
  static RowState initial_state(float sink);
  void store_scores(int row, const ConstMatrixRef& scores);
  void store_weights(int row, const ConstMatrixRef& weights);
  bool should_store(bool is_requested) const { return is_requested && params_.returns_head(head_); }
  MatrixRef output_rows(Tensor& tensor, int row, int rows) const {
    return rows_of(matrix(tensor, params_.outputs.head ? 0 : head_), row, rows);
  }
  void divide_by_row_sum(int row, float* values, int count) const;

  const AttentionParams& params_;
  Tiling tiling_;
  DistanceBias distance_bias_;
  PoolingPass pooling_;
  VisibleKeys visible_;
  Buffer scores_;
  std::vector<std::uint8_t> pair_mask_;  // (rows, keys) of a tile
  std::vector<RowState> states_;
  int head_ = 0;
  RowRange rows_;
  ConstMatrixRef q_;
  DotProductState* products_ = nullptr;
  const HeadMixingTile* mixing_tile_ = nullptr;
  MatrixRef output_;
  AttentionResult* out_ = nullptr;
  Status status_;  // the first error
};

}  // namespace phasor
