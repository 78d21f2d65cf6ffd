#pragma once

#include "phasor/attention.h"

namespace phasor {

/// Rejects options that are out of range or do not match the head counts or head_dim.
Status check_options(const AttentionOptions& options, int heads, int kv_heads, int head_dim);
/// Rejects sink tokens without a window, or sink positions that the mask or the encoding does not
/// allow. `axes` is the number of coordinates per position.
Status check_sink_tokens(const AttentionOptions& options, std::optional<int> window, Mask mask,
                         const Encoding& encoding, int axes);
/// Rejects a norm after the encoding if the encoding changes head_dim.
Status check_norm_order(const AttentionOptions& options, const Encoding& encoding, int head_dim);
/// Rejects a request for sink weights if there are no sinks.
Status check_outputs(const RequestedOutputs& outputs, const AttentionOptions& options);

}  // namespace phasor
