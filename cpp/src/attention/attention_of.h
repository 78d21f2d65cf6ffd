#pragma once

#include "phasor/attention.h"

namespace phasor {

/// Computes attention with `existing_encoding`, or with the encoding of `config` if it is nullptr,
/// and transforms q and k in place. v must have passed check_strides, with a contiguous last axis
/// (core/strided.h).
Result<AttentionResult> attention_in_place(Tensor& q, Tensor& k, const TensorView& v,
                                           const Encoding* existing_encoding,
                                           const AttentionConfig& config);

}  // namespace phasor
