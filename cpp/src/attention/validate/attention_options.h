#pragma once
// Checks of the options that attention, layers and caches share.

#include "phasor/attention.h"

namespace phasor {

/// Rejects options that do not fit so many heads of this head_dim.
Status check_options(const AttentionOptions& options, int heads, int kv_heads, int head_dim);
/// Rejects sink tokens that a call cannot have: without a window, or numbered in a way that the
/// mask or the encoding does not allow. axes: of its positions
Status check_sink_tokens(const AttentionOptions& options, std::optional<int> window, Mask mask,
                         const Encoding& encoding, int axes);
/// Rejects a norm after an encoding that changes head_dim.
Status check_order_of_norm(const AttentionOptions& options, const Encoding& encoding, int head_dim);
/// Rejects to answer with the weights of sinks that are not there.
Status check_outputs(const RequestedOutputs& outputs, const AttentionOptions& options);

}  // namespace phasor
