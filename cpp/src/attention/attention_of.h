#pragma once
// The implementation of attention that tensors and views share.

#include "phasor/attention.h"

namespace phasor {

/// `existing_encoding` is the caller's encoding; if it is nullptr, the encoding of `config` is
/// created. q and k are transformed in place. v must have passed check_strides and have a
/// contiguous last axis (core/strided.h).
Result<AttentionResult> attention_of(Tensor& q, Tensor& k, const TensorView& v,
                                     const Encoding* existing_encoding,
                                     const AttentionConfig& config);

}  // namespace phasor
