#include "attention/attention_of.h"
#include "core/strided.h"

namespace phasor {

namespace {

Result<AttentionResult> attention_with_copies(const TensorView& q, const TensorView& k,
                                              const TensorView& v,
                                              const Encoding* existing_encoding,
                                              const AttentionConfig& config) {
  Tensor q_copy, k_copy, v_copy;
  PHASOR_TRY(gather("q", q, q_copy));
  PHASOR_TRY(gather("k", k, k_copy));
  TensorView strided_v;
  PHASOR_TRY(check_strides("v", v, strided_v));
  if (has_contiguous_rows(strided_v))
    return attention_in_place(q_copy, k_copy, strided_v, existing_encoding, config);
  PHASOR_TRY(gather("v", v, v_copy));
  return attention_in_place(q_copy, k_copy, view(v_copy), existing_encoding, config);
}

}  // namespace

Result<AttentionResult> attention(const TensorView& q, const TensorView& k, const TensorView& v,
                                  const AttentionConfig& config) {
  return attention_with_copies(q, k, v, nullptr, config);
}

Result<AttentionResult> attention(const TensorView& q, const TensorView& k, const TensorView& v,
                                  const Encoding& encoding, const AttentionConfig& config) {
  return attention_with_copies(q, k, v, &encoding, config);
}

}  // namespace phasor
