#pragma once

#include <memory>

#include "attention/streaming/attend.h"
#include "core/buffer.h"
#include "core/format_error.h"
#include "kernels/gemm.h"
#include "relative_position/relative_positions.h"

namespace phasor {

/// Packed keys and values. `key_rows` contains the unpacked keys, for content-dependent encodings.
struct KeyBlock {
  int first = 0;
  kernels::Panels keys;     ///< (head_dim, count)
  kernels::Panels values;   ///< (count, v_head_dim)
  ConstMatrixRef key_rows;  ///< (count, head_dim)
};

class KeyBlockPacker {
 public:
  KeyBlockPacker(int block_keys, int head_dim, int v_head_dim)
      : keys_(kernels::packed_size(head_dim, block_keys)),
        values_(kernels::packed_size(block_keys, v_head_dim)) {}

  /// Packs keys [first, first + count) of k (keys, head_dim) and v (keys, v_head_dim). The block is
  /// valid until the next call.
  KeyBlock pack(const ConstMatrixRef& k, const ConstMatrixRef& v, int first, int count) {
    const ConstMatrixRef key_rows = rows_of(k, first, count);
    kernels::pack_transposed(key_rows, 0, keys_.data());
    kernels::pack(rows_of(v, first, count), 0, count, values_.data());
    return {first, kernels::make_panels(keys_.data(), k.columns, count),
            kernels::make_panels(values_.data(), count, v.columns), key_rows};
  }

 private:
  Buffer keys_, values_;
};

class MultiHeadKeyBlockPacker {
 public:
  MultiHeadKeyBlockPacker(int kv_heads, int block_keys, int head_dim, int v_head_dim)
      : packers_(static_cast<std::size_t>(kv_heads)) {
    for (auto& packer : packers_)
      packer = std::make_unique<KeyBlockPacker>(block_keys, head_dim, v_head_dim);
  }

  /// Packs keys [first, first + count) of k (kv_heads, keys, head_dim) and of v, which has a matrix
  /// (keys, v_head_dim) for each kv head.
  std::vector<KeyBlock> pack(const Tensor& k, ValuesByHead v, int first, int count) {
    std::vector<KeyBlock> blocks(packers_.size());
    for (std::size_t h = 0; h < packers_.size(); ++h) {
      const int head = static_cast<int>(h);
      blocks[h] = packers_[h]->pack(matrix(k, head), v[h], first, count);
    }
    return blocks;
  }

 private:
  std::vector<std::unique_ptr<KeyBlockPacker>> packers_;
};

// The bias of one head, computed once per distance instead of once per tile.

class DistanceBias {
 public:
  explicit DistanceBias(const AttentionParams& params)
      : bias_(params.encoding->as_score_bias()),
        can_add_(bias_ != nullptr && bias_->is_toeplitz() &&
                 have_consecutive_positions(params.queries, params.keys)),
        distances_(can_add_ ? params.queries : Positions(), can_add_ ? params.keys : Positions()) {}

  /// Bytes per distance: the bias, the distance, and the encoding's working memory.
  static constexpr double kBytesPerDistance = 2 * sizeof(float) + 2 * sizeof(double);

  /// True if add() can be used. Otherwise, the encoding computes the bias for each tile.
  bool can_add() const { return can_add_; }

  void start(int head) {
    if (!can_add_) return;
    const std::size_t count = static_cast<std::size_t>(distances_.count());
    values_.assign(count, 0.0f);
    std::vector<double> distances(count);
    for (std::size_t n = 0; n < count; ++n)
      distances[n] = distances_.get_difference(static_cast<int>(n));
    // Computes the bias for keys at all distances from a query at position 0.
    const double query_position = 0;
    bias_->add_bias(head, Positions(std::span(&query_position, 1)), distances,
                    {values_.data(), 1, distances_.count(), distances_.count()});
  }

  void add(int first_query, int first_key, MatrixRef tile) const {
    distances_.add(values_, tile, first_query, first_key);
  }

 private:
  const ScoreEncoding* bias_;
  bool can_add_;
  RelativePositions distances_;
  std::vector<float> values_;
};

// Creates the DotProductState of one kv head at a time, for encodings with a custom dot product.

class HeadProducts {
 public:
  HeadProducts(const AttentionParams& params, int head_dim, bool requires_grad)
      : params_(params),
        encoding_(params.encoding->as_custom_dot_product()),
        head_dim_(head_dim),
        requires_grad_(requires_grad) {}

  double bytes(int queries, int keys) const {
    return encoding_ == nullptr
               ? 0
               : encoding_->product_bytes(queries, keys, head_dim_, requires_grad_);
  }

  /// The state for one head of k (kv_heads, keys, head_dim), valid until the next call. Returns
  /// nullptr for the standard dot product.
  DotProductState* head_state(int kv_head, const Tensor& k) {
    if (encoding_ == nullptr || kv_head == kv_head_) return products_.get();
    kv_head_ = kv_head;
    if (products_ == nullptr || !products_->next_head()) {
      products_ = encoding_->products(kv_head, head_dim_, requires_grad_);
      products_->next_head();
    }
    products_->append(matrix(k, kv_head), params_.keys, params_.tokens);
    return products_.get();
  }

 private:
  const AttentionParams& params_;
  const CustomDotProduct* encoding_;
  int head_dim_, kv_head_ = -1;
  bool requires_grad_;
  std::unique_ptr<DotProductState> products_;
};

}  // namespace phasor
