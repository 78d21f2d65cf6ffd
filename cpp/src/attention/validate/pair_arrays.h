#pragma once
// Arrays per query and key: attn_mask and attn_bias.

#include "attention/streaming/attend.h"
#include "attention/validate/call.h"

namespace phasor {

/// Rejects shapes that do not broadcast to (batch, heads, queries, keys), and numbers that are
/// neither finite nor -infinity.
Status check_pair_arrays(const AttentionConfig& config, const CallSizes& sizes);

/// One item of such an array; the whole array if it has no batch axis. Extents of 1 get the stride
/// 0.
template <class T>
PairView<T> pair_view(const std::vector<int>& shape, T* data, int item) {
  if (shape.empty()) return {};
  std::ptrdiff_t strides[4] = {}, step = 1;  // batch, heads, queries, keys
  for (std::size_t from_behind = 1; from_behind <= shape.size(); ++from_behind) {
    const int extent = shape[shape.size() - from_behind];
    if (extent > 1) strides[4 - from_behind] = step;
    step *= extent;
  }
  return {data + strides[0] * item, strides[1], strides[2], strides[3]};
}

}  // namespace phasor
