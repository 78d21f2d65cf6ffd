#pragma once

#include "phasor/encoding.h"

namespace phasor {

struct TokenSizes {
  int batch = 0;  ///< 0 if the tensors have no batch axis
  int heads = 0, kv_heads = 0, tokens = 0, head_dim = 0;
};

/// Rejects missing and unknown tensors, wrong shapes, and values that are not finite or out of
/// range.
Status check_token_tensors(const Encoding& encoding, const TokenTensors& token_tensors,
                           const TokenSizes& sizes);

/// Rejects a causal_only encoding if attention is not causal.
Status check_causal(const Encoding& encoding, bool causal);

/// Appends `new_tokens` to `tensor` (heads, tokens, ..) along the token axis. `tensor` may be
/// empty.
void append_tokens(const Tensor& new_tokens, Tensor& tensor);
void truncate_tokens(int tokens, Tensor& tensor);

}  // namespace phasor
