#include "phasor/encoding.h"

#include "encoding/made_for.h"

namespace phasor {

Status Encoding::parameters_changed() {
  PHASOR_TRY(check_parameter_shapes(*this));
  return recompute();
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
