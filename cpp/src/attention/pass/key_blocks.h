#pragma once
// Packs a head's keys and values block by block.

#include "attention/pass/head_pass.h"
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

}  // namespace phasor
