#pragma once
// The parameters of an encoding and their gradients, by name.

#include "phasor/encoding.h"

namespace phasor::test {

inline Gradients learned_values(Encoding& encoding) {
  Gradients values;
  for (const Parameter* parameter : encoding.parameters())
    values[parameter->name] = parameter->value;
  return values;
}

/// What backward passes have added so far; nothing of parameters that none has touched.
inline Gradients learned_gradients(Encoding& encoding) {
  Gradients gradients;
  for (const Parameter* parameter : encoding.parameters()) {
    if (!parameter->grad.empty()) gradients[parameter->name] = parameter->grad;
  }
  return gradients;
}

}  // namespace phasor::test
