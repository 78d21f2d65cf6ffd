#pragma once
// Attention for tensors and views.

#include "phasor/attention.h"

namespace phasor {

/// Uses `existing_encoding`, or if it is nullptr creates the encoding of `config`. q and k are
/// transformed in place. v must have passed check_strides, with a contiguous last axis
/// (core/strided.h).
Result<AttentionResult> attention_of(Tensor& q, Tensor& k, const TensorView& v,
                                     const Encoding* existing_encoding,
                                     const AttentionConfig& config);

}  // namespace phasor
