#include "phasor/attention.h"

#include "attention/attention_of.h"
#include "attention/batch_items.h"
#include "attention/streaming/attend.h"
#include "attention/validate/call.h"
#include "core/format_error.h"

namespace phasor {

namespace {

// Appends the rows of one batch item. The first call reserves memory for all items.
template <class Number>
Status append_rows(const std::vector<Number>& rows, const CallSizes& sizes, int item,
                   std::vector<Number>& batched_rows) {
  const double count = static_cast<double>(rows.size()) * sizes.batch_size;
  if (item == 0) {
    PHASOR_TRY(check_memory("outputs", sizeof(Number) * count));
    batched_rows.reserve(static_cast<std::size_t>(count));
  }
  batched_rows.insert(batched_rows.end(), rows.begin(), rows.end());
  return {};
}

Status store_item(const AttentionResult& item_result, const CallSizes& sizes, int item,
                  AttentionResult& batched_result) {
  PHASOR_TRY(append_rows(item_result.row_max, sizes, item, batched_result.row_max));
  PHASOR_TRY(append_rows(item_result.row_sum, sizes, item, batched_result.row_sum));
  PHASOR_TRY(store_item("v", "an output", item_result.output, sizes, item, batched_result.output));
  PHASOR_TRY(
      store_item("outputs", "weights", item_result.weights, sizes, item, batched_result.weights));
  PHASOR_TRY(
      store_item("outputs", "scores", item_result.scores, sizes, item, batched_result.scores));
  PHASOR_TRY(store_item("outputs", "a bias", item_result.bias, sizes, item, batched_result.bias));
  PHASOR_TRY(store_item("outputs", "weights of sinks", item_result.sink_weights, sizes, item,
                        batched_result.sink_weights));
  PHASOR_TRY(store_item("outputs", "pooled weights", item_result.pooled_mean, sizes, item,
                        batched_result.pooled_mean));
  return store_item("outputs", "pooled weights", item_result.pooled_max, sizes, item,
                    batched_result.pooled_max);
}

// QkTensor is Tensor if q and k may be transformed in place, otherwise const Tensor.
template <class QkTensor>
Status attend_items(QkTensor& q, QkTensor& k, ValuesByHead v, const Encoding& encoding,
                    const CallSizes& sizes, const AttentionConfig& config, AttentionResult& out) {
  if (sizes.batch_size == 0) {
    PreparedCall call;
    PHASOR_TRY(prepare_item(sizes, 0, encoding, config, call));
    return attend(q, k, v, call.params, out);
  }
  for (int item = 0; item < sizes.batch_size; ++item) {
    PreparedCall call;
    PHASOR_TRY(prepare_item(sizes, item, encoding, config, call));
    PHASOR_TRY(check_memory("q", (array_bytes(q.shape) + array_bytes(k.shape)) / sizes.batch_size));
    Tensor item_q = copy_item(q, item), item_k = copy_item(k, item);
    const std::size_t kv_heads = static_cast<std::size_t>(sizes.kv_heads);
    AttentionResult item_result;
    PHASOR_TRY(attend(item_q, item_k,
                      v.subspan(static_cast<std::size_t>(item) * kv_heads, kv_heads), call.params,
                      item_result));
    PHASOR_TRY(store_item(item_result, sizes, item, out));
  }
  return {};
}

template <class QkTensor>
Result<AttentionResult> run_attention(QkTensor& q, QkTensor& k, const TensorView& v,
                                      const Encoding* existing_encoding,
                                      const AttentionConfig& config) {
  return Result<AttentionResult>::from([&](AttentionResult& out) -> Status {
    CallEncoding call_encoding(existing_encoding);
    CallSizes sizes;
    PHASOR_TRY(validate_call(q, k, v, config, sizes, call_encoding));
    return attend_items(q, k, matrices(v), *call_encoding.encoding, sizes, config, out);
  });
}

}  // namespace

Result<AttentionResult> attention_in_place(Tensor& q, Tensor& k, const TensorView& v,
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
