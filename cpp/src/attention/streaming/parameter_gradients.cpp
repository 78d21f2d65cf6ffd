#include "attention/streaming/parameter_gradients.h"

#include "core/format_error.h"

namespace phasor {

Status check_gradients(Encoding& encoding) {
  for (const Parameter* parameter : encoding.parameters()) {
    PHASOR_TRY(
        check_result("d_output", parameter->grad.data, "the gradient of {}", parameter->name));
  }
  return {};
}

Gradients take_gradients(Encoding& encoding) {
  Gradients out;
  for (Parameter* parameter : encoding.parameters())
    out[parameter->name] = std::move(parameter->gradient());
  return out;
}

}  // namespace phasor
