#pragma once
// The heads of a batch: views of the rows that a product has made, and queries and keys in memory
// of their own, normalised where the layer does that.

#include "nn/batched_attention.h"

namespace phasor::nn {

/// The rows of one item of what has the rows of all.
template <class T>
MatrixView<T> item_of(MatrixView<T> m, const AttentionJob& job, int item) {
  return rows_of(m, item * job.size.tokens, job.size.tokens);
}

/// Queries, keys (part 0 and 1) or values (2) of one head: (rows, head width).
template <class T>
MatrixView<T> head_of(const AttentionJob& job, MatrixView<T> qkv, int part, int head) {
  return kernels::columns_of(qkv, part * job.width() + head * job.head_width, job.head_width);
}

/// to (heads, rows, head width): queries or keys (part 0 or 1) of qkv, normalised.
void take(const AttentionJob& job, const ConstMatrixRef& qkv, int part, SavedAttention& saved,
          Tensor& to);
/// Backward: d is dL/d(what take() has made); adds to the weights of the norm. Where there
/// is one, d_qkv is 0 before.
void give_back(const AttentionJob& job, const ConstMatrixRef& qkv, int part, SavedAttention& saved,
               const Tensor& d, const MatrixRef& d_qkv);

}  // namespace phasor::nn
