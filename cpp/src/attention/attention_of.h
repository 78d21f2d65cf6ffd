#pragma once
// Attention of prepared operands, shared by tensors and views.

#include "phasor/attention.h"

namespace phasor {

/// `encoding` is an existing encoding, or nullptr. q and k are transformed in place. The shape of v
/// matches its data, whose last axis is contiguous (core/strided.h).
Result<AttentionResult> attention_of(Tensor& q, Tensor& k, const TensorView& v,
                                     const Encoding* existing, const AttentionConfig& config);

}  // namespace phasor
