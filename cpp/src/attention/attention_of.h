#pragma once
// The common part of attention of tensors and of views.

#include "phasor/attention.h"

namespace phasor {

/// With an existing encoding, or nullptr. q and k are transformed in place; the shape of v matches
/// its data, whose last axis has no strides (core/strided.h).
Result<AttentionResult> attention_of(Tensor& q, Tensor& k, const TensorView& v,
                                     const Encoding* live, const AttentionConfig& config);

}  // namespace phasor
