#pragma once
// Computes all heads of a call together, tile by tile, for encodings that mix heads (HeadMixing).
// Needs memory for one block of keys and one tile of scores per head.

#include <memory>
#include <span>

#include "attention/streaming/head_pass.h"

namespace phasor {

/// The products scale * q.k of all heads in one tile, and the terms that the encoding adds to them.
class HeadMixingTile {
 public:
  HeadMixingTile(const AttentionParams& params, const Tiling& tiling, int heads);
  static double bytes(const Tiling& tiling, int heads) {
    return 2.0 * sizeof(float) * heads * tiling.rows * tiling.keys;
  }

  /// Computes the tile that starts at this query and key. q is (heads, queries, head_dim); `keys`
  /// contains the packed keys of the tile for each kv head.
  void compute(const Tensor& q, std::span<const kernels::Panels> keys, int row, int rows,
               int first_key);

  /// scale * q.k of a head, (rows, keys).
  ConstMatrixRef products(int head) const { return head_matrix(products_, head); }
  ConstMatrixRef terms(int head) const { return head_matrix(terms_, head); }
  HeadsTile tile() { return {queries_, keys_, all_heads(products_)}; }
  /// Scratch memory (heads, rows * keys) for the backward pass, which does not read the terms.
  MatrixRef scratch() { return all_heads(terms_); }
  /// Sets the products of pairs without a gradient to 0. d_terms is (heads, rows * keys).
  void zero_unused_grad(const ConstMatrixRef& d_terms);

 private:
  MatrixRef all_heads(Buffer& buffer) const {
    const int pairs = queries_.count() * keys_.count();
    return {buffer.data(), heads_, pairs, pairs};
  }
  ConstMatrixRef head_matrix(const Buffer& buffer, int head) const {
    const int rows = queries_.count(), keys = keys_.count();
    return {buffer.data() + static_cast<std::ptrdiff_t>(head) * rows * keys, rows, keys, keys};
  }

  const AttentionParams& params_;
  int heads_;
  Positions queries_, keys_;  // of the tile
  Buffer products_, terms_;
};

class MultiHeadPass {
 public:
  /// q (heads, queries, head_dim) must already be transformed by apply_position().
  MultiHeadPass(const AttentionParams& params, const Tiling& tiling, const Tensor& q, int kv_heads);

  void start(Tensor& output, AttentionResult& out, RowRange rows);
  void restore(const AttentionResult& forward);
  bool matches_forward() const;
  Status finish();
  /// Processes one block of keys; `keys` has an entry for each kv head.
  void process_block(std::span<const KeyBlock> keys);

  /// Calls f(first row, number of rows, first key, number of keys) for every tile of a block with a
  /// visible key. mixing_tile() holds that tile during the call.
  template <class F>
  void for_each_tile(std::span<const KeyBlock> keys, F&& f) {
    passes_.front()->for_each_tile(keys.front().first, keys.front().keys.columns,
                                   [&](int row, int rows, int key, int count) {
                                     compute_tile(keys, row, rows, key, count);
                                     f(row, rows, key, count);
                                   });
  }
  HeadPass& pass(int head) { return *passes_[static_cast<std::size_t>(head)]; }
  HeadMixingTile& mixing_tile() { return mixing_tile_; }
  std::size_t kv_head(int head) const { return static_cast<std::size_t>(head / group_size_); }

 private:
  void compute_tile(std::span<const KeyBlock> keys, int row, int rows, int first_key, int count);

  const AttentionParams& params_;
  const Tensor& q_;
  int heads_, group_size_;
  HeadMixingTile mixing_tile_;
  std::vector<std::unique_ptr<HeadPass>> passes_;
};

}  // namespace phasor
