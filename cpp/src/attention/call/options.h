#pragma once
// Checks of the options that attention, layers and caches share.

#include "phasor/attention.h"

namespace phasor {

/// Refuses options that do not fit so many heads of this width.
Status check_options(const AttentionOptions& options, int heads, int kv_heads, int width);
/// Refuses to answer with the weights of sinks that are not there.
Status check_want(const RequestedOutputs& want, const AttentionOptions& options);

}  // namespace phasor
