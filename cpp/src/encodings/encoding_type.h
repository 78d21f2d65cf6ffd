#pragma once
// What a file in this folder includes: the declaration of its own entry in the registry.

#include "math/sentence.h"
#include "phasor/encoding.h"

/// Defines the entry of encoding `id` (the name of the file); the generated list of the registry names it, so a file whose
/// id differs from its name does not link.
#define PHASOR_ENCODING(id)                                 \
  extern const ::phasor::EncodingType phasor_encoding_##id; \
  constinit const ::phasor::EncodingType phasor_encoding_##id
