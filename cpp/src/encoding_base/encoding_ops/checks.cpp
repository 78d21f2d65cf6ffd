#include "encoding_base/encoding_ops/checks.h"

#include <cmath>

#include "core/format_error.h"
#include "encoding_base/dims_check.h"
#include "phasor/registry.h"

namespace phasor {

Status check_positions(const Encoding& encoding, const Positions& positions) {
  const std::size_t count = positions.values().size();
  if (count % static_cast<std::size_t>(positions.axes()) != 0) {
    return invalid("positions: {} values cannot be divided into positions of {} coordinates each",
                   detail(count), positions.axes());
  }
  for (std::size_t i = 0; i < positions.values().size(); ++i) {
    const double position = positions.values()[i];
    // The condition is negated so that NaN is rejected too.
    if (!(std::fabs(position) <= kMaxPosition)) {
      return check_range(format_error("positions[{}]", i).c_str(), position, -kMaxPosition,
                         kMaxPosition);
    }
  }
  return encoding.check_positions(positions);
}

namespace {

std::string function_names(Injection injection, const EncodingInfo* info) {
  const auto caller_name = [](const char* name) { return spell_argument(argument(name)); };
  // Only attention accepts token tensors.
  if (info != nullptr && !info->tokens.empty()) return "attention";
  switch (injection) {
    case Injection::input: return caller_name("position_table");
    case Injection::score: return caller_name("attention_bias");
    case Injection::query_key:
      if (info != nullptr && info->rotates)
        return caller_name("rotary_angles") + " or " + caller_name("apply_rotary");
      return caller_name("apply_rotary");
    default: return "attention";
  }
}

}  // namespace

Status check_injection(Injection actual, Injection requested, std::string_view id,
                       const char* function) {
  if (actual == requested) return {};
  if (actual == Injection::none)
    return invalid("encoding: {} has no {}; expected a positional encoding", id, function);
  return invalid("encoding: {} has no {}; its injection is {}, so call {}", id, function,
                 to_string(actual), function_names(actual, find_encoding(id)));
}

Status check_existing_encoding(const Encoding& encoding, Injection requested, const char* function,
                               const EncodingDims& call_dims) {
  PHASOR_TRY(check_injection(encoding.injection(), requested, encoding.id, function));
  PHASOR_TRY(check_extent("length", call_dims.length));
  PHASOR_TRY(check_extent("dim", call_dims.dim));
  PHASOR_TRY(check_extent("heads", call_dims.heads));
  PHASOR_TRY(check_parameter_shapes(encoding));
  return check_dims(encoding, call_dims, "channels:", "positions: at most");
}

int get_head_count(const Encoding& encoding) { return encoding.dims ? encoding.dims->heads : 1; }

}  // namespace phasor
