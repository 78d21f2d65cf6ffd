#include "phasor/tensor_view.h"

#include <algorithm>
#include <limits>

#include "core/finite.h"
#include "core/format_error.h"
#include "core/strided.h"

namespace phasor {

namespace {

std::vector<std::size_t> row_major_strides(const std::vector<int>& shape) {
  std::vector<std::size_t> strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * static_cast<std::size_t>(shape[axis]);
  return strides;
}

}  // namespace

Status check_strides(const std::string& name, const TensorView& x, TensorView& out) {
  const std::string prefix = name.empty() ? "" : name + ".";
  for (std::size_t axis = 0; axis < x.shape.size(); ++axis) {
    if (x.shape[axis] < 0)
      return invalid("{}shape[{}]: {} is not a whole number from {}", prefix, axis, x.shape[axis],
                     Range{0, std::numeric_limits<int>::max()});
  }
  out = x;
  if (x.strides.empty()) out.strides = row_major_strides(x.shape);
  if (out.strides.size() != x.shape.size()) {
    return invalid("{}strides: has {} entries, but shape has {}", prefix, x.strides.size(),
                   x.shape.size());
  }
  double last_index = static_cast<double>(x.offset);  // a double, because a size_t could overflow
  for (std::size_t axis = 0; axis < x.shape.size(); ++axis) {
    if (x.shape[axis] == 0) return {};
    last_index += static_cast<double>(x.shape[axis] - 1) * static_cast<double>(out.strides[axis]);
  }
  if (last_index < static_cast<double>(x.data.size())) return {};
  return invalid("{}data: has {} values, but shape, strides and offset reach index {}", prefix,
                 x.data.size(), last_index);
}

namespace {

// Copies the elements of axis `axis` and later axes, starting at `from`. Returns the next output
// position.
float* copy_elements(const TensorView& x, std::size_t axis, const float* from, float* to) {
  if (axis == x.shape.size()) {
    *to = *from;
    return to + 1;
  }
  const std::size_t extent = static_cast<std::size_t>(x.shape[axis]), stride = x.strides[axis];
  if (axis + 1 == x.shape.size() && stride == 1) return std::copy_n(from, extent, to);
  for (std::size_t i = 0; i < extent; ++i) to = copy_elements(x, axis + 1, from + i * stride, to);
  return to;
}

// A view of x (.., tokens, channels) as (.., heads, tokens, head_dim). Head h starts at channel
// first_channel + h * head_step.
TensorView view_heads(const TensorView& x, int heads, int head_dim, std::size_t head_step,
                      std::size_t first_channel) {
  TensorView out = x;
  const std::size_t channel_stride = x.strides.back();
  out.shape.back() = head_dim;
  out.shape.insert(out.shape.end() - 2, heads);
  out.strides.insert(out.strides.end() - 2, head_step * channel_stride);
  out.offset += first_channel * channel_stride;
  return out;
}

// Rejects x unless its shape is (.., tokens, channels) and channels is a multiple of `head_count`.
Status check_channels(const char* name, const TensorView& x, double head_count, TensorView& out) {
  if (x.shape.size() < 2)
    return invalid("{}: has shape {}; expected tokens x channels", name, x.shape);
  PHASOR_TRY(check_strides(name, x, out));
  if (const int channels = x.shape.back();
      channels == 0 || head_count > channels || channels % static_cast<int>(head_count) != 0) {
    return invalid("{}: has {} channels, which cannot be split into {} heads", name, channels,
                   head_count);
  }
  return {};
}

}  // namespace

TensorView view(const Tensor& x) {
  return {.shape = x.shape, .strides = {}, .offset = 0, .data = x.data};
}

namespace {

// Calls f for each row of a matrix, or once for all rows if the matrix is contiguous.
template <class F>
void for_each_row(std::span<const ConstMatrixRef> matrices, F&& f) {
  for (const ConstMatrixRef& m : matrices) {
    const bool is_contiguous = m.stride == m.columns;
    const std::size_t columns = static_cast<std::size_t>(m.columns),
                      span_size =
                          is_contiguous ? static_cast<std::size_t>(m.rows) * columns : columns;
    for (int r = 0; r < (is_contiguous ? 1 : m.rows); ++r)
      f(std::span<const float>(m.row(r), span_size));
  }
}

}  // namespace

Status check_finite(const char* name, std::span<const ConstMatrixRef> matrices) {
  Status status;
  std::size_t offset = 0;
  for_each_row(matrices, [&](std::span<const float> row) {
    const std::size_t i = status.ok() ? find_first_nonfinite(row) : row.size();
    if (i < row.size())
      status = invalid("{}[{}]: {} is not a finite number", name, offset + i,
                       static_cast<double>(row[i]));
    offset += row.size();
  });
  return status;
}

float max_abs(std::span<const ConstMatrixRef> matrices) {
  float maximum = 0;
  for_each_row(matrices,
               [&](std::span<const float> row) { maximum = std::max(maximum, max_abs(row)); });
  return maximum;
}

Status gather(const std::string& name, const TensorView& x, Tensor& out) {
  TensorView strided_x;
  PHASOR_TRY(check_strides(name, x, strided_x));
  PHASOR_TRY(check_size(name.empty() ? "shape" : name.c_str(), "a tensor", x.shape));
  out = Tensor(x.shape);
  if (!out.empty())
    copy_elements(strided_x, 0, strided_x.data.data() + strided_x.offset, out.data.data());
  return {};
}

bool has_contiguous_rows(const TensorView& x) {
  const std::size_t rank = x.shape.size();
  return rank < 2 || x.strides.empty() ||
         (x.strides[rank - 1] == 1 &&
          x.strides[rank - 2] <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
}

std::vector<ConstMatrixRef> matrices(const TensorView& x) {
  const std::size_t outer_axes = x.shape.size() - 2;
  const std::vector<std::size_t> strides =
      x.strides.empty() ? row_major_strides(x.shape) : x.strides;
  std::vector<const float*> matrix_starts = {x.data.data() + x.offset};
  for (std::size_t axis = 0; axis < outer_axes; ++axis) {
    std::vector<const float*> next_matrix_starts;
    for (const float* start : matrix_starts) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(x.shape[axis]); ++i)
        next_matrix_starts.push_back(start + i * strides[axis]);
    }
    matrix_starts = std::move(next_matrix_starts);
  }
  std::vector<ConstMatrixRef> out;
  for (const float* start : matrix_starts)
    out.push_back({start, x.shape[outer_axes], x.shape[outer_axes + 1],
                   static_cast<int>(strides[outer_axes])});
  return out;
}

Result<Tensor> contiguous(const TensorView& x) {
  return Result<Tensor>::from([&](Tensor& out) { return gather("", x, out); });
}

Result<TensorView> split_heads(const TensorView& x, int heads) {
  return Result<TensorView>::from([&](TensorView& out) -> Status {
    PHASOR_TRY(check_extent("heads", heads));
    TensorView strided_x;
    PHASOR_TRY(check_channels("x", x, heads, strided_x));
    const int head_dim = strided_x.shape.back() / heads;
    out = view_heads(strided_x, heads, head_dim, static_cast<std::size_t>(head_dim), 0);
    return {};
  });
}

Result<QkvViews> split_qkv(const TensorView& qkv, const QkvConfig& config) {
  return Result<QkvViews>::from([&](QkvViews& out) -> Status {
    PHASOR_TRY(check_extent("heads", config.heads));
    const int heads = config.heads, kv_heads = config.kv_heads == 0 ? heads : config.kv_heads;
    PHASOR_TRY(check_range(argument("kv_heads"), kv_heads, 1, heads));
    if (heads % kv_heads != 0)
      return invalid("{}: {} does not divide heads; expected a divisor of {}", argument("kv_heads"),
                     kv_heads, heads);
    const bool is_per_head = config.layout == QkvLayout::heads_qkv_dim;
    if (is_per_head && kv_heads != heads) {
      return invalid("{}: {} differs from heads; expected {} for the layout heads_qkv_dim",
                     argument("kv_heads"), kv_heads, heads);
    }
    TensorView strided_x;
    PHASOR_TRY(check_channels("qkv", qkv, heads + 2.0 * kv_heads, strided_x));
    const int head_dim = strided_x.shape.back() / (heads + 2 * kv_heads);
    const std::size_t head_channels = static_cast<std::size_t>(head_dim),
                      head_step = is_per_head ? 3 * head_channels : head_channels;
    const std::size_t first_k =
        is_per_head ? head_channels : head_channels * static_cast<std::size_t>(heads);
    out.q = view_heads(strided_x, heads, head_dim, head_step, 0);
    out.k = view_heads(strided_x, kv_heads, head_dim, head_step, first_k);
    out.v =
        view_heads(strided_x, kv_heads, head_dim, head_step,
                   first_k + (is_per_head ? head_channels
                                          : head_channels * static_cast<std::size_t>(kv_heads)));
    return {};
  });
}

}  // namespace phasor
