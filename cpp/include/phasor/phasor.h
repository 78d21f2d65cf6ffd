#pragma once
// Phasor: positional encodings and attention. Include this one header; models are trained by
// phasor/train.h.
//
// Threads. All functions may be called from several threads at once, and what is const may be
// shared among them: tensors, configurations and encodings, whether made by create_encoding() or of
// a caller's own class whose const functions change nothing. No function of a const Encoding keeps
// anything of a call, so that one encoding serves any number of calls and caches at the same time.
// Mutable objects belong to one thread at a time: a KeyValueCache (a fork is another one), and an
// encoding while its parameters are written, parameters_changed() is called or a backward pass adds
// to its gradients.

#include "phasor/analysis.h"
#include "phasor/attention.h"
#include "phasor/cache.h"
#include "phasor/combine.h"
#include "phasor/encoding.h"
#include "phasor/encoding_ops.h"
#include "phasor/explain.h"
#include "phasor/hf_config.h"
#include "phasor/positions.h"
#include "phasor/random.h"
#include "phasor/registry.h"
#include "phasor/relative_position.h"
#include "phasor/result.h"
#include "phasor/rope.h"
#include "phasor/status.h"
#include "phasor/tensor.h"
#include "phasor/tensor_view.h"
#include "phasor/version.h"
