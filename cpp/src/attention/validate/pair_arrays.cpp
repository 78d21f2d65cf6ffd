#include "attention/validate/pair_arrays.h"

#include <cmath>
#include <limits>

#include "core/format_error.h"

namespace phasor {

namespace {

Status check_shape(const char* name, const std::vector<int>& shape, std::size_t count,
                   const CallSizes& sizes) {
  std::vector<int> full_shape = {sizes.heads, sizes.queries, sizes.keys};
  if (sizes.batch_size > 0) full_shape = prepend_dim(sizes.batch_size, full_shape);
  bool is_broadcastable = shape.size() >= 2 && shape.size() <= full_shape.size();
  for (std::size_t axis_from_end = 1; is_broadcastable && axis_from_end <= shape.size();
       ++axis_from_end) {
    const int extent = shape[shape.size() - axis_from_end];
    is_broadcastable = extent == 1 || extent == full_shape[full_shape.size() - axis_from_end];
  }
  if (!is_broadcastable)
    return invalid("{}: has shape {}; expected a shape that broadcasts to {}", argument(name),
                   shape, full_shape);
  if (count == numel(shape)) return {};
  return invalid("{}: has shape {}, but {} values", argument(name), shape, count);
}

}  // namespace

Status check_pair_arrays(const AttentionConfig& config, const CallSizes& sizes) {
  const MaskTensor& mask = config.attn_mask;
  const Tensor& bias = config.attn_bias;
  if (!mask.empty()) PHASOR_TRY(check_shape("attn_mask", mask.shape, mask.data.size(), sizes));
  if (bias.empty() && bias.shape.empty()) return {};
  PHASOR_TRY(check_shape("attn_bias", bias.shape, bias.data.size(), sizes));
  for (std::size_t i = 0; i < bias.data.size(); ++i) {
    const float x = bias.data[i];
    if (std::isfinite(x) || x == -std::numeric_limits<float>::infinity()) continue;
    return invalid("{}: {} is neither finite nor -Infinity",
                   Subject{format_error("{}[{}]", argument("attn_bias"), i)},
                   static_cast<double>(x));
  }
  return {};
}

}  // namespace phasor
