#pragma once
// Tensor views in any layout. Projections (tokens, heads * head_dim), or queries, keys and values
// in one array, can be viewed as (heads, tokens, head_dim) without a copy.

#include <cstddef>
#include <span>
#include <vector>

#include "phasor/result.h"
#include "phasor/tensor.h"

namespace phasor {

/// A non-owning tensor view: element (i, j, ..) is data[offset + i * strides[0] + j * strides[1] +
/// ..], as in PyTorch's as_strided.
struct TensorView {
  std::vector<int> shape;
  /// One stride per axis, in elements. A stride of 0 repeats the same elements; an empty list means
  /// row-major
  std::vector<std::size_t> strides;
  std::size_t offset = 0;  ///< index of the first element
  std::span<const float> data;
};

TensorView view(const Tensor& x);
TensorView view(Tensor&&) = delete;  // a view of a temporary would dangle

/// Copies a view to a row-major tensor. Rejects a view with elements outside `data`.
Result<Tensor> contiguous(const TensorView& x);

/// Views x (tokens, heads * head_dim) as (heads, tokens, head_dim), without a copy. Leading axes
/// are preserved: (batch, tokens, heads * head_dim) -> (batch, heads, tokens, head_dim).
Result<TensorView> split_heads(const TensorView& x, int heads);

/// The order of the axes in a fused projection of queries, keys and values.
enum class QkvLayout {
  /// All queries, then all keys, then all values: GPT-2, Phi-3, torch.nn.MultiheadAttention
  qkv_heads_dim,
  heads_qkv_dim,  ///< query, key and value of each head in turn: GPT-NeoX, BLOOM
};

struct QkvConfig {
  int heads = 1;
  /// Number of key/value heads, which must divide `heads`; 0: same as `heads`. heads_qkv_dim
  /// requires kv_heads = heads
  int kv_heads = 0;
  QkvLayout layout = QkvLayout::qkv_heads_dim;
};

struct QkvViews {
  TensorView q, k, v;
};

/// Splits qkv (tokens, (heads + 2 * kv_heads) * head_dim) into queries (heads, tokens, head_dim),
/// and keys and values (kv_heads, tokens, head_dim), without a copy. Leading axes are preserved.
Result<QkvViews> split_qkv(const TensorView& qkv, const QkvConfig& config);

}  // namespace phasor
