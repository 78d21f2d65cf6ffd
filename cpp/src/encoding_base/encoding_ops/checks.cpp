#include "encoding_base/encoding_ops/checks.h"

#include <cmath>

#include "core/format_error.h"
#include "encoding_base/dims_check.h"

namespace phasor {

Status check_positions(const Encoding& encoding, const Positions& positions) {
  const std::size_t numbers = positions.values().size();
  if (numbers % static_cast<std::size_t>(positions.axes()) != 0) {
    return invalid("positions: {} numbers are not positions of {} coordinates each", aside(numbers),
                   positions.axes());
  }
  for (std::size_t i = 0; i < positions.values().size(); ++i) {
    const double position = positions.values()[i];
    // Negated, so that NaN is rejected too.
    if (!(std::fabs(position) <= kMaxPosition)) {
      return check_range(format_error("positions[{}]", i).c_str(), position, -kMaxPosition,
                         kMaxPosition);
    }
  }
  return encoding.check_positions(positions);
}

Status check_injection(Injection got, Injection requested, std::string_view id, const char* what) {
  return got == requested ? Status{}
                          : invalid("encoding: {} has no {}; it enters attention at {}", id, what,
                                    to_string(got));
}

Status check_made(const Encoding& encoding, Injection requested, const char* what,
                  const EncodingDims& call) {
  PHASOR_TRY(check_injection(encoding.injection(), requested, encoding.id, what));
  PHASOR_TRY(check_extent("length", call.length));
  PHASOR_TRY(check_extent("dim", call.dim));
  PHASOR_TRY(check_extent("heads", call.heads));
  PHASOR_TRY(check_parameter_shapes(encoding));
  return check_made_for(encoding, call, "channels:", "at most as many positions as");
}

int heads_of(const Encoding& encoding) { return encoding.dims ? encoding.dims->heads : 1; }

}  // namespace phasor
