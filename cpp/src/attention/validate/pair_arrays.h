#pragma once
// Arrays with an entry per query and key: attn_mask and attn_bias.

#include "attention/streaming/attend.h"
#include "attention/validate/call.h"

namespace phasor {

/// Rejects shapes that do not broadcast to (batch, heads, queries, keys), and values that are
/// neither finite nor -infinity.
Status check_pair_arrays(const AttentionConfig& config, const CallSizes& sizes);

/// A view of one item of attn_mask or attn_bias, or of the whole array if there is no batch axis.
/// Broadcast axes have stride 0.
template <class T>
PairView<T> pair_view(const std::vector<int>& shape, T* data, int item) {
  if (shape.empty()) return {};
  std::ptrdiff_t strides[4] = {}, step = 1;  // batch, heads, queries, keys
  for (std::size_t axis_from_end = 1; axis_from_end <= shape.size(); ++axis_from_end) {
    const int extent = shape[shape.size() - axis_from_end];
    if (extent > 1) strides[4 - axis_from_end] = step;
    step *= extent;
  }
  return {data + strides[0] * item, strides[1], strides[2], strides[3]};
}

}  // namespace phasor
