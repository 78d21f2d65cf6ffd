#pragma once
// Packs a head's keys and values block by block.

#include <memory>

#include "attention/streaming/head_pass.h"
#include "core/buffer.h"

namespace phasor {

class KeyBlocks {
 public:
  KeyBlocks(int block, int width, int value_width)
      : keys_(kernels::packed_size(width, block)),
        values_(kernels::packed_size(block, value_width)) {}

  /// Keys [first, first + count) of k (keys, width) and v (keys, value width), until the next call.
  KeyBlock pack(const ConstMatrixRef& k, const ConstMatrixRef& v, int first, int count) {
    const ConstMatrixRef key_rows = rows_of(k, first, count);
    kernels::pack_transposed(key_rows, 0, keys_.data());
    kernels::pack(rows_of(v, first, count), 0, count, values_.data());
    return {first, kernels::panels(keys_.data(), k.columns, count),
            kernels::panels(values_.data(), count, v.columns), key_rows};
  }

 private:
  Buffer keys_, values_;
};

/// The same of all heads of keys beside each other.
class BlocksOfHeads {
 public:
  BlocksOfHeads(int kv_heads, int block, int width, int value_width)
      : heads_(static_cast<std::size_t>(kv_heads)) {
    for (auto& head : heads_) head = std::make_unique<KeyBlocks>(block, width, value_width);
  }

  /// k (kv_heads, keys, width), v (kv_heads, keys, value width)
  std::vector<KeyBlock> pack(const Tensor& k, const Tensor& v, int first, int count) {
    std::vector<KeyBlock> blocks(heads_.size());
    for (std::size_t h = 0; h < heads_.size(); ++h) {
      const int head = static_cast<int>(h);
      blocks[h] = heads_[h]->pack(matrix(k, head), matrix(v, head), first, count);
    }
    return blocks;
  }

 private:
  std::vector<std::unique_ptr<KeyBlocks>> heads_;
};

}  // namespace phasor
