#include <algorithm>
#include <vector>

#include "calls.h"
#include "core/format_error.h"

namespace {

using namespace phasor_js;

// Reads the range [begin, end] of rows or columns for pooled weights.
void read_axis(Request& request, const char* name, phasor::PoolingAxis& axis) {
  if (!request.has(name)) return;
  const std::vector<int> range = request.whole_numbers(name);
  if (range.size() != 2 || range[1] < 1) return request.reject("{}: expected [begin, end]", name);
  axis.begin = range[0];
  axis.end = range[1];
}

// Checks the shape of a field {shape, data} against the tokens of x (..., heads, tokens, head_dim).
// `element_count` is the number of elements in its data. The shape must be [tokens] or, in a batch,
// [batch, tokens]. If may_have_axes is true, an axis of coordinates may follow. Returns the number
// of coordinates per token.
int read_axes(Request& request, const char* name, const Tensor& x, std::size_t element_count,
              bool may_have_axes) {
  const std::vector<int> shape = request.whole_numbers(name, ".shape");
  if (x.rank() < 3) return 1;  // the library rejects x later
  std::vector<int> token_shape = {x.shape[x.shape.size() - 2]};
  if (x.rank() == 4 && shape.size() > 1) token_shape = phasor::prepend_dim(x.shape[0], token_shape);
  std::vector<int> expected_shape = token_shape;
  if (may_have_axes && shape.size() == token_shape.size() + 1)
    expected_shape.push_back(std::max(1, shape.back()));
  // If batch size and number of tokens are equal, [batch, tokens] cannot be distinguished from
  // [tokens, axes].
  if (may_have_axes && x.rank() == 4 && shape == token_shape && shape.size() == 2 &&
      shape[0] == shape[1] && shape[1] > 1 && shape[1] <= 3) {
    request.reject(
        "{}.shape: {} could be [batch, tokens] or [tokens, axes]; expected [batch, tokens, 1] or "
        "[batch, tokens, axes]",
        name, shape);
  } else if (shape != expected_shape) {
    const char* const axes = may_have_axes ? ", with or without axes" : "";
    request.reject("{}.shape: {} does not match the tokens, {}{}", name, shape, token_shape, axes);
  } else if (element_count != phasor::numel(shape)) {
    request.reject("{}.data: {} values do not match its shape", name,
                   phasor::detail(element_count));
  }
  return expected_shape.size() > token_shape.size() ? expected_shape.back() : 1;
}

// Reads the positions of the tokens of x (..., heads, tokens, head_dim), from a list or a tensor.
phasor::TokenPositions read_token_positions(Request& request, const char* name, const Tensor& x) {
  phasor::TokenPositions positions;
  if (!request.has(name)) return positions;
  const bool is_tensor = request.has(name, ".shape");
  positions.values = request.numbers(name, is_tensor ? ".data" : "");
  if (positions.empty()) request.reject("{}: is empty; expected at least one position", name);
  if (is_tensor) positions.axes = read_axes(request, name, x, positions.values.size(), true);
  return positions;
}

}  // namespace

namespace phasor_js {

phasor::PoolingConfig read_pooling_config(Request& request) {
  phasor::PoolingConfig pooling;
  if (!request.has("pooling")) return pooling;
  request.object("pooling");
  pooling.size = request.integer_or("pooling.size", pooling.size);
  if (request.has("pooling.cellSize")) {
    request.reject_combination("pooling.cellSize", "pooling.size");
    const std::vector<int> cell_size = request.whole_numbers("pooling.cellSize");
    if (cell_size.size() == 2 && cell_size[0] > 0 && cell_size[1] > 0) {
      pooling.rows.cell_size = cell_size[0];
      pooling.columns.cell_size = cell_size[1];
    } else {
      request.reject("pooling.cellSize: expected [rows, columns] of at least 1");
    }
  }
  read_axis(request, "pooling.rows", pooling.rows);
  read_axis(request, "pooling.columns", pooling.columns);
  return pooling;
}

std::vector<std::uint8_t> read_key_mask(Request& request, const Tensor& k) {
  if (!request.has("keyMask")) return {};
  const bool is_tensor = request.has("keyMask", ".shape");
  std::vector<std::uint8_t> mask = request.flags(is_tensor ? "keyMask.data" : "keyMask");
  if (mask.empty()) request.reject("keyMask: is empty; expected one entry per key");
  if (is_tensor) read_axes(request, "keyMask", k, mask.size(), false);
  return mask;
}

std::vector<int> read_segments(Request& request, const char* name, const Tensor* x) {
  if (!request.has(name)) return {};
  const bool is_tensor = request.has(name, ".shape");
  std::vector<int> ids = request.whole_numbers(name, is_tensor ? ".data" : "");
  if (ids.empty()) request.reject("{}: is empty; expected one entry per token", name);
  if (is_tensor && x) read_axes(request, name, *x, ids.size(), false);
  return ids;
}

// Reads a mask in the form {shape, data}. The library checks its shape.
phasor::MaskTensor read_attn_mask(Request& request) {
  if (!request.has("attnMask")) return {};
  if (!request.has("attnMask", ".shape")) {
    request.reject("attnMask: expected a tensor {shape, data} of queries x keys");
    return {};
  }
  phasor::MaskTensor mask{request.whole_numbers("attnMask", ".shape"),
                          request.flags("attnMask.data")};
  if (mask.data.empty()) request.reject("attnMask: is empty; expected queries x keys");
  return mask;
}

phasor::OutputLayout read_output_layout(Request& request) {
  return request.choice<phasor::OutputLayout>("outputLayout", "head_major, token_major");
}

// Returns the scale of the request. The default is the scale of the prepared encoding.
std::optional<double> read_scale(Request& request, const phasor::Encoding* prepared_encoding) {
  if (request.has("scale") || !prepared_encoding) return request.optional_number("scale");
  return prepared_encoding->dims->scale;
}

phasor::AttentionConfig read_attention_config(Request& request, const Tensor& q, const Tensor& k,
                                              const phasor::Encoding* prepared_encoding) {
  phasor::AttentionConfig config;
  if (!prepared_encoding) config.encoding = request.encoding_or_none();
  config.mask = request.choice<phasor::Mask>("mask", "none, causal");
  if (request.has("window")) config.window = request.integer("window");
  config.key_mask = read_key_mask(request, k);
  config.attn_mask = read_attn_mask(request);
  if (request.has("attnBias")) config.attn_bias = request.take_tensor("attnBias");
  config.query_positions = read_token_positions(request, "queryPositions", q);
  config.key_positions = read_token_positions(request, "keyPositions", k);
  config.query_segment_ids = read_segments(request, "querySegmentIds", &q);
  config.key_segment_ids = read_segments(request, "keySegmentIds", &k);
  config.position_offset = request.optional_number("positionOffset");
  config.scale = read_scale(request, prepared_encoding);
  config.options = read_attention_options(request);
  config.token_tensors = request.token_tensors();
  return config;
}

}  // namespace phasor_js
