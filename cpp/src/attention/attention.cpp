#include "phasor/attention.h"

#include "attention/attention_of.h"
#include "attention/batch_items.h"
#include "attention/streaming/attend.h"
#include "attention/validate/call.h"
#include "core/format_error.h"

namespace phasor {

namespace {

// Appends one batch item's rows. The first item reserves memory for all items.
template <class Number>
Status append_rows(const std::vector<Number>& rows, const CallSizes& sizes, int item,
                   std::vector<Number>& batched_rows) {
  const double count = static_cast<double>(rows.size()) * sizes.batch;
  if (item == 0) {
    PHASOR_TRY(check_memory("outputs", sizeof(Number) * count));
    batched_rows.reserve(static_cast<std::size_t>(count));
  }
  batched_rows.insert(batched_rows.end(), rows.begin(), rows.end());
  return {};
}

Status put_item(const AttentionResult& part, const CallSizes& sizes, int item,
                AttentionResult& batched) {
  PHASOR_TRY(append_rows(part.row_max, sizes, item, batched.row_max));
  PHASOR_TRY(append_rows(part.row_sum, sizes, item, batched.row_sum));
  PHASOR_TRY(put_item("v", "an output", part.output, sizes, item, batched.output));
  PHASOR_TRY(put_item("outputs", "weights", part.weights, sizes, item, batched.weights));
  PHASOR_TRY(put_item("outputs", "scores", part.scores, sizes, item, batched.scores));
  PHASOR_TRY(put_item("outputs", "a bias", part.bias, sizes, item, batched.bias));
  PHASOR_TRY(put_item("outputs", "weights of sinks", part.sink_weights, sizes, item,
                      batched.sink_weights));
  PHASOR_TRY(
      put_item("outputs", "pooled weights", part.pooled_mean, sizes, item, batched.pooled_mean));
  return put_item("outputs", "pooled weights", part.pooled_max, sizes, item, batched.pooled_max);
}

// Operand is Tensor, transformed in place, or const Tensor, not modified.
template <class Operand>
Status forward(Operand& q, Operand& k, ValuesByHead v, const Encoding& encoding,
               const CallSizes& sizes, const AttentionConfig& config, AttentionResult& out) {
  if (sizes.batch == 0) {
    PreparedCall call;
    PHASOR_TRY(prepare(sizes, 0, encoding, config, call));
    return attend(q, k, v, call.job, out);
  }
  for (int item = 0; item < sizes.batch; ++item) {
    PreparedCall call;
    PHASOR_TRY(prepare(sizes, item, encoding, config, call));
    PHASOR_TRY(check_memory("q", (bytes_of(q.shape) + bytes_of(k.shape)) / sizes.batch));
    Tensor item_q = item_of(q, item), item_k = item_of(k, item);
    const std::size_t kv_heads = static_cast<std::size_t>(sizes.kv_heads);
    AttentionResult item_result;
    PHASOR_TRY(attend(item_q, item_k,
                      v.subspan(static_cast<std::size_t>(item) * kv_heads, kv_heads), call.job,
                      item_result));
    PHASOR_TRY(put_item(item_result, sizes, item, out));
  }
  return {};
}

template <class Operand>
Result<AttentionResult> run_attention(Operand& q, Operand& k, const TensorView& v,
                                      const Encoding* existing_encoding,
                                      const AttentionConfig& config) {
  return Result<AttentionResult>::from([&](AttentionResult& out) -> Status {
    CallEncoding encoding(existing_encoding);
    CallSizes sizes;
    PHASOR_TRY(validate_call(q, k, v, config, sizes, encoding));
    return forward(q, k, matrices(v), *encoding.encoding, sizes, config, out);
  });
}

}  // namespace

Result<AttentionResult> attention_of(Tensor& q, Tensor& k, const TensorView& v,
                                     const Encoding* existing_encoding,
                                     const AttentionConfig& config) {
  return run_attention(q, k, v, existing_encoding, config);
}

Result<AttentionResult> attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                  const AttentionConfig& config) {
  PHASOR_TRY(check_data("v", v));
  return run_attention(q, k, view(v), nullptr, config);
}

Result<AttentionResult> attention(Tensor&& q, Tensor&& k, const Tensor& v,
                                  const AttentionConfig& config) {
  PHASOR_TRY(check_data("v", v));
  return run_attention(q, k, view(v), nullptr, config);
}

Result<AttentionResult> attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                  const Encoding& encoding, const AttentionConfig& config) {
  PHASOR_TRY(check_data("v", v));
  return run_attention(q, k, view(v), &encoding, config);
}

Result<AttentionResult> attention(Tensor&& q, Tensor&& k, const Tensor& v, const Encoding& encoding,
                                  const AttentionConfig& config) {
  PHASOR_TRY(check_data("v", v));
  return run_attention(q, k, view(v), &encoding, config);
}
}  // namespace phasor
