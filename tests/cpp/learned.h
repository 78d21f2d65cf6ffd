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

/// The gradients accumulated so far, without parameters that no backward pass has reached.
inline Gradients learned_gradients(Encoding& encoding) {
  Gradients gradients;
  for (const Parameter* parameter : encoding.parameters()) {
    if (!parameter->grad.empty()) gradients[parameter->name] = parameter->grad;
  }
  return gradients;
}

}  // namespace phasor::test
