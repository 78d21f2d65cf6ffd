#pragma once
// Cached keys and values of one kv head, packed in blocks. Unpacked rows are also stored for
// encodings that read them.

#include <algorithm>
#include <optional>
#include <vector>

#include "attention/streaming/head_pass.h"
#include "attention/streaming/tile_inputs.h"
#include "core/buffer.h"

namespace phasor {

// Removes all values from index `count` on. Unlike resize(), this compiles no allocation code.
template <class T>
void erase_tail(std::vector<T>& values, std::ptrdiff_t count) {
  values.erase(values.begin() + count, values.end());
}

class HeadCache {
 public:
  /// `stores_key_rows` is set for encodings that read keys, and `stores_value_rows` for encodings
  /// that need whole rows.
  HeadCache(int head_dim, int v_head_dim, bool stores_key_rows, bool stores_value_rows)
      : head_dim_(head_dim),
        v_head_dim_(v_head_dim),
        stores_key_rows_(stores_key_rows),
        stores_value_rows_(stores_value_rows) {}

  /// k is (new, head_dim), and v is (new, v_head_dim).
  void append(const ConstMatrixRef& k, const ConstMatrixRef& v);
  /// Bytes that append() allocates for this many tokens: new blocks and reallocated rows.
  double growth_bytes(int new_tokens) const;
  double bytes() const;
  void truncate(int length);

  int length() const { return length_; }
  int head_dim() const { return head_dim_; }
  int v_head_dim() const { return v_head_dim_; }
  int block_count() const { return static_cast<int>(keys_.size()); }
  KeyBlock block(int b);

  /// Writes the unpacked keys (length, head_dim) and values (length, v_head_dim).
  void unpack(const MatrixRef& keys, const MatrixRef& values);

  ConstMatrixRef key_rows() const {
    return {key_rows_.data(), length_, head_dim_, stores_key_rows_ ? head_dim_ : 0};
  }
  ConstMatrixRef value_rows() const {
    return {value_rows_.data(), length_, v_head_dim_, v_head_dim_};
  }

 private:
  int head_dim_, v_head_dim_, length_ = 0;
  bool stores_key_rows_, stores_value_rows_;
  std::vector<Buffer> keys_, values_;
  std::vector<float> key_rows_, value_rows_;
};

/// All cached tokens of a head as a single block, for passes over whole rows.
class WholeHeadPacker {
 public:
  /// Set `should_unpack` if the cache stores no rows, so that its blocks must be unpacked.
  KeyBlock pack(HeadCache& head_cache, bool should_unpack);

 private:
  Tensor keys_, values_;
  std::optional<KeyBlockPacker> packer_;
};

}  // namespace phasor
