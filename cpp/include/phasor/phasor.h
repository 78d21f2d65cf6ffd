#pragma once
// Phasor: positional encodings and attention. Include this one header.

#include "phasor/analysis.h"
#include "phasor/attention.h"
#include "phasor/cache.h"
#include "phasor/combine.h"
#include "phasor/encoding.h"
#include "phasor/irope.h"
#include "phasor/random.h"
#include "phasor/registry.h"
#include "phasor/relative.h"
#include "phasor/result.h"
#include "phasor/rope_frequencies.h"
#include "phasor/rope_model.h"
#include "phasor/status.h"
#include "phasor/strided.h"
#include "phasor/tensor.h"
#include "phasor/version.h"
