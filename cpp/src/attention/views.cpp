// Attention of views. q and k are copied before they are transformed; v is read in place.

#include "attention/attention_of.h"
#include "core/strided.h"

namespace phasor {

namespace {

Result<AttentionResult> attention_of_views(const TensorView& q, const TensorView& k,
                                           const TensorView& v, const Encoding* existing_encoding,
                                           const AttentionConfig& config) {
  Tensor own_q, own_k, own_v;
  PHASOR_TRY(gather("q", q, own_q));
  PHASOR_TRY(gather("k", k, own_k));
  TensorView values;
  PHASOR_TRY(check_strides("v", v, values));
  if (has_rows(values)) return attention_of(own_q, own_k, values, existing_encoding, config);
  PHASOR_TRY(gather("v", v, own_v));
  return attention_of(own_q, own_k, view(own_v), existing_encoding, config);
}

}  // namespace

Result<AttentionResult> attention(const TensorView& q, const TensorView& k, const TensorView& v,
                                  const AttentionConfig& config) {
  return attention_of_views(q, k, v, nullptr, config);
}

Result<AttentionResult> attention(const TensorView& q, const TensorView& k, const TensorView& v,
                                  const Encoding& encoding, const AttentionConfig& config) {
  return attention_of_views(q, k, v, &encoding, config);
}

}  // namespace phasor
