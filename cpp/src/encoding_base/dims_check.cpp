#include "encoding_base/dims_check.h"

#include "core/format_error.h"

namespace phasor {

Status reject_dims(const Encoding& encoding, const char* size_name, int actual, int expected) {
  return invalid("encoding: {} was created for {} {}, but the call has {}", encoding.id, size_name,
                 expected, actual);
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

Status check_dims(const Encoding& encoding, const EncodingDims& call_dims,
                  const char* channels_name, const char* tokens_name) {
  if (!encoding.dims) return {};
  const EncodingDims& encoding_dims = *encoding.dims;
  if (call_dims.heads != encoding_dims.heads)
    return reject_dims(encoding, "heads:", call_dims.heads, encoding_dims.heads);
  if (call_dims.dim != encoding_dims.dim)
    return reject_dims(encoding, channels_name, call_dims.dim, encoding_dims.dim);
  if (call_dims.axes != encoding_dims.axes)
    return reject_dims(encoding, "coordinates per position:", call_dims.axes, encoding_dims.axes);
  if (call_dims.length > encoding_dims.length)
    return reject_dims(encoding, tokens_name, call_dims.length, encoding_dims.length);
  return {};
}

}  // namespace phasor
