#pragma once

#include "phasor/encoding.h"

namespace phasor {

struct TokenSizes {
  int batch = 0;  ///< batch size; 0: no batch axis
  int heads = 0, kv_heads = 0, tokens = 0, head_dim = 0;
};

/// Rejects missing and unknown tensors, wrong shapes, and invalid numbers.
Status check_token_tensors(const Encoding& encoding, const TokenTensors& token_tensors,
                           const TokenSizes& sizes);

/// Rejects a causal_only encoding if attention is not causal.
Status check_causal(const Encoding& encoding, bool causal);

/// Appends the tokens of `new_tokens` to `tensor` (heads, tokens, ..), which may be empty.
void append_tokens(const Tensor& new_tokens, Tensor& tensor);
void truncate_tokens(int tokens, Tensor& tensor);

}  // namespace phasor
