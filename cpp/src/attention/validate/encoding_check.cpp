#include "attention/validate/call.h"
#include "core/format_error.h"
#include "encoding_base/dims_check.h"
#include "phasor/registry.h"

namespace phasor {

namespace {

Status reject_input_encoding(Injection injection, std::string_view id) {
  if (injection != Injection::input) return {};
  return invalid(
      "encoding: {} is added to the embeddings before attention; use {}, or add its table "
      "yourself",
      id, argument("self_attention"));
}

Status check_dims(const Encoding& encoding, const EncodingDims& call_dims) {
  if (!encoding.dims) return {};
  PHASOR_TRY(check_dims(encoding, call_dims, "channels of a head:", "keys: at most"));
  const EncodingDims& encoding_dims = *encoding.dims;
  const int v_head_dim =
                encoding_dims.v_head_dim != 0 ? encoding_dims.v_head_dim : encoding_dims.dim,
            kv_heads = encoding_dims.kv_heads != 0 ? encoding_dims.kv_heads : encoding_dims.heads;
  if (call_dims.v_head_dim != v_head_dim)
    return reject_dims(encoding, "channels of a value:", call_dims.v_head_dim, v_head_dim);
  if (call_dims.kv_heads != kv_heads)
    return reject_dims(encoding, "heads of keys:", call_dims.kv_heads, kv_heads);
  if (call_dims.scale != encoding_dims.scale)
    return invalid("scale: {} was created {}", detail(encoding.id),
                   encoding_dims.scale ? "with a different scale" : "without a scale");
  return {};
}

// Rejects parameters whose shape has changed or whose values are not finite, because callers can
// modify parameters.
Status check_parameters(const Encoding& encoding) {
  PHASOR_TRY(check_parameter_shapes(encoding));
  for (const Parameter* parameter : encoding.parameters()) {
    PHASOR_TRY(check_finite(std::string(parameter->name).c_str(), parameter->value.data));
  }
  return {};
}

}  // namespace

Status check_attention_encoding(const EncodingConfig& config) {
  const EncodingInfo* encoding_info = find_encoding(config.id);
  return encoding_info == nullptr
             ? Status{}
             : reject_input_encoding(encoding_info->injection, encoding_info->id);
}

Status check_encoding_dims(const Encoding& encoding, const EncodingConfig& call_config,
                           const EncodingDims& call_dims) {
  if (call_config.id != EncodingConfig().id || !call_config.params.empty()) {
    return invalid("encoding: {} in the configuration cannot be combined with an existing encoding",
                   call_config.id);
  }
  PHASOR_TRY(reject_input_encoding(encoding.injection(), encoding.id));
  PHASOR_TRY(check_dims(encoding, call_dims));
  return check_parameters(encoding);
}

}  // namespace phasor
