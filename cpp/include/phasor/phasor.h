#pragma once
// Phasor: positional encodings and attention. Training is in phasor/train.h, which this header does
// not include. All functions may be called concurrently, and threads may share const objects:
// tensors, configurations and encodings. A const Encoding stores nothing between calls, so one
// encoding can be used by any number of calls and caches at the same time. Mutable objects belong
// to one thread at a time: a KeyValueCache (a fork is a separate cache), and an encoding while its
// parameters are written, parameters_changed() is called or a backward pass adds to its gradients.

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
