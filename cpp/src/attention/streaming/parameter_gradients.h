#pragma once
// What a backward pass has added to the parameters of an encoding.

#include "phasor/encoding.h"

namespace phasor {

/// Refuses gradients of parameters that have left float32.
Status check_gradients(Encoding& encoding);
/// The gradients of its parameters, by name; zeros where none has been added.
Gradients take_gradients(Encoding& encoding);

}  // namespace phasor
