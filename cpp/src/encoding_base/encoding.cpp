#include "phasor/encoding.h"

#include "core/format_error.h"
#include "encoding_base/dims_check.h"
#include "sinusoid/rotate_tokens.h"

namespace phasor {

Status Encoding::parameters_changed() {
  PHASOR_TRY(check_parameter_shapes(*this));
  return recompute();
}

double QueryKeyEncoding::transform_bytes(const Tensor& x) const {
  const int dim = x.shape.back(), result_dim = transformed_dim(dim);
  const std::vector<int> result_shape = {x.shape[0], x.shape[1], result_dim};
  return rotation_bytes(dim) +
         working_bytes(
             {.queries = 0, .keys = 0, .distances = 0, .head_dim = dim, .v_head_dim = dim}) +
         (result_dim == dim ? 0 : array_bytes(result_shape));
}

const char* to_string(Injection injection) {
  switch (injection) {
    case Injection::none: return "none";
    case Injection::input: return "input";
    case Injection::query_key: return "query_key";
    case Injection::score: return "score";
    case Injection::score_content: return "score_content";
    case Injection::key_value: return "key_value";
  }
  return "unknown";
}

}  // namespace phasor
