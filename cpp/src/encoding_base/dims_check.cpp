#include "encoding_base/dims_check.h"

#include "core/format_error.h"

namespace phasor {

Status dims_mismatch(const Encoding& encoding, const char* size_name, int got, int expected) {
  return invalid("encoding: {} was created for {} {}, but the call has {}", encoding.id, size_name,
                 expected, got);
}

Status check_parameter_shapes(const Encoding& encoding) {
  for (const Parameter* parameter : encoding.parameters()) {
    const Tensor& value = parameter->value;
    PHASOR_TRY(check_data(std::string(parameter->name).c_str(), value));
    if (!parameter->initial_shape.empty() && value.shape != parameter->initial_shape) {
      return invalid("{}: has shape {}, but {} was created with {}", parameter->name, value.shape,
                     encoding.id, parameter->initial_shape);
    }
  }
  return {};
}

Status check_dims(const Encoding& encoding, const EncodingDims& call, const char* channels,
                  const char* tokens) {
  if (!encoding.dims) return {};
  const EncodingDims& encoding_dims = *encoding.dims;
  if (call.heads != encoding_dims.heads)
    return dims_mismatch(encoding, "heads:", call.heads, encoding_dims.heads);
  if (call.dim != encoding_dims.dim)
    return dims_mismatch(encoding, channels, call.dim, encoding_dims.dim);
  if (call.axes != encoding_dims.axes)
    return dims_mismatch(encoding, "coordinates of a position:", call.axes, encoding_dims.axes);
  if (call.length > encoding_dims.length)
    return dims_mismatch(encoding, tokens, call.length, encoding_dims.length);
  return {};
}

}  // namespace phasor
