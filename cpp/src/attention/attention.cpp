#include "phasor/attention.h"

#include <algorithm>
#include <cmath>

#include "attention/attend.h"
#include "attention/call.h"
#include "attention/checks.h"
#include "core/format_error.h"

namespace phasor {

Status check_attention_shapes(const Tensor& q, const Tensor& k, const Tensor& v, bool allow_batch) {
  const int rank = allow_batch && q.rank() == 4 ? 4 : 3;
  const auto rank_of = [&](const char* name, const Tensor& t) {
    if (t.rank() != rank || t.empty()) {
      return invalid("{}: its shape is {}; {}heads x tokens x width is needed", name, t.shape, rank == 4 ? "batch x " : "");
    }
    if (t.data.size() == count(t.shape)) return Status{};
    return invalid("{}: its shape is {}, but it has {} numbers", name, t.shape, t.data.size());
  };
  PHASOR_TRY(rank_of("q", q));
  PHASOR_TRY(rank_of("k", k));
  PHASOR_TRY(rank_of("v", v));
  const auto equal = [](const char* name, const char* what, int got, const char* other, int expected) {
    return got == expected ? Status{} : invalid("{}: it has {} {}, but {} has {}", name, got, what, other, expected);
  };
  const std::size_t heads = static_cast<std::size_t>(rank) - 3, tokens = heads + 1, width = heads + 2;
  if (rank == 4) {
    PHASOR_TRY(equal("k", "batch items", k.shape[0], "q", q.shape[0]));
    PHASOR_TRY(equal("v", "batch items", v.shape[0], "q", q.shape[0]));
  }
  PHASOR_TRY(equal("k", "channels", k.shape[width], "q", q.shape[width]));
  PHASOR_TRY(equal("v", "tokens", v.shape[tokens], "k", k.shape[tokens]));
  PHASOR_TRY(equal("v", "heads", v.shape[heads], "k", k.shape[heads]));
  if (q.shape[heads] % k.shape[heads] != 0) {
    return invalid("k: its {} heads do not divide the {} of q", k.shape[heads], q.shape[heads]);
  }
  PHASOR_TRY(check_finite("q", q.data));
  PHASOR_TRY(check_finite("k", k.data));
  return check_finite("v", v.data);
}

Status scale_of(const Encoding& encoding, std::optional<double> given, int width, double& out) {
  out = given.value_or(encoding.scale(width).value_or(1.0 / std::sqrt(static_cast<double>(width))));
  return std::isfinite(out) ? Status{} : invalid("scale: {} is not a finite number", out);
}

Status check_gradients(Encoding& encoding) {
  for (const Parameter* parameter : encoding.parameters()) {
    PHASOR_TRY(check_result("d_output", parameter->grad.data, "the gradient of {}", parameter->name));
  }
  return {};
}

Gradients take_gradients(Encoding& encoding) {
  Gradients out;
  for (Parameter* parameter : encoding.parameters()) out[parameter->name] = std::move(parameter->gradient());
  return out;
}

namespace {

// One item of an array with the axis of a batch: (batch, ...) -> (...).
Tensor item_of(const Tensor& t, int item) {
  std::vector<int> shape(t.shape.begin() + 1, t.shape.end());
  const std::size_t size = count(shape);
  const float* from = t.data.data() + size * static_cast<std::size_t>(item);
  return {std::move(shape), std::vector<float>(from, from + size)};
}

// The inverse of item_of. The first item makes room for all.
Status put_item(const char* name, const char* what, const Tensor& part, const CallSizes& sizes, int item, Tensor& all) {
  if (part.empty()) return {};
  if (item == 0) {
    std::vector<int> shape = with_axis(sizes.batch, part.shape);
    PHASOR_TRY(check_size(name, what, shape));
    all = Tensor(std::move(shape));
  }
  std::copy(part.data.begin(), part.data.end(), all.data.begin() + static_cast<std::ptrdiff_t>(part.data.size()) * item);
  return {};
}

Status put_item(const AttentionResult& part, const CallSizes& sizes, int item, AttentionResult& all) {
  PHASOR_TRY(put_item("v", "an output", part.output, sizes, item, all.output));
  PHASOR_TRY(put_item("want", "weights", part.weights, sizes, item, all.weights));
  PHASOR_TRY(put_item("want", "scores", part.scores, sizes, item, all.scores));
  PHASOR_TRY(put_item("want", "a bias", part.bias, sizes, item, all.bias));
  PHASOR_TRY(put_item("want", "a map", part.map_mean, sizes, item, all.map_mean));
  return put_item("want", "a map", part.map_max, sizes, item, all.map_max);
}

Status forward(Tensor& q, Tensor& k, const Tensor& v, const Encoding& encoding, const CallSizes& sizes, const AttentionConfig& config,
               SavedSoftmax* saved, AttentionResult& out) {
  if (sizes.batch == 0) {
    Prepared call;
    PHASOR_TRY(prepare(sizes, 0, encoding, config, call));
    return attend(q, k, v, call.job, saved, out);
  }
  if (saved != nullptr) *saved = {};
  for (int item = 0; item < sizes.batch; ++item) {
    Prepared call;
    PHASOR_TRY(prepare(sizes, item, encoding, config, call));
    Tensor own_q = item_of(q, item), own_k = item_of(k, item);
    AttentionResult part;
    SavedSoftmax rows;
    PHASOR_TRY(attend(own_q, own_k, item_of(v, item), call.job, saved == nullptr ? nullptr : &rows, part));
    PHASOR_TRY(put_item(part, sizes, item, out));
    if (saved == nullptr) continue;
    saved->row_max.insert(saved->row_max.end(), rows.row_max.begin(), rows.row_max.end());
    saved->row_sum.insert(saved->row_sum.end(), rows.row_sum.begin(), rows.row_sum.end());
  }
  if (saved != nullptr) saved->output = out.output;
  return {};
}

void add(const Tensor& from, Tensor& to) {
  for (std::size_t i = 0; i < to.data.size(); ++i) to.data[i] += from.data[i];
}

// What a forward pass has saved of one item of a batch.
SavedSoftmax item_of(const SavedSoftmax& saved, const CallSizes& sizes, int item) {
  const std::ptrdiff_t rows = static_cast<std::ptrdiff_t>(sizes.heads) * sizes.queries, first = rows * item;
  return {.row_max = {saved.row_max.begin() + first, saved.row_max.begin() + first + rows},
          .row_sum = {saved.row_sum.begin() + first, saved.row_sum.begin() + first + rows},
          .output = item_of(saved.output, item)};
}

Status check_backward(const Tensor& d_output, const CallSizes& sizes, OutputLayout layout, const SavedSoftmax* saved) {
  std::vector<int> shape = {sizes.heads, sizes.queries, sizes.value_width};
  if (sizes.batch > 0) shape = with_axis(sizes.batch, shape);
  PHASOR_TRY(check_size("v", "an output", shape));
  const std::size_t rows = count(std::span(shape).first(shape.size() - 1));
  shape = returned_shape(std::move(shape), layout);
  if (d_output.shape != shape) {
    return invalid("{}: its shape is {}, but the output's is {}", argument("d_output"), d_output.shape, shape);
  }
  PHASOR_TRY(check_finite(argument("d_output"), d_output.data));
  if (saved == nullptr) return {};
  if (saved->output.shape == shape && saved->row_max.size() == rows && saved->row_sum.size() == rows) return {};
  return invalid("saved: it is not what the forward pass of this call has saved");
}

Status backward(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output, Encoding& encoding, const CallSizes& sizes,
                const AttentionConfig& config, const SavedSoftmax* saved, AttentionGradients& out) {
  for (int item = 0; item < sizes.items(); ++item) {
    Prepared call;
    PHASOR_TRY(prepare(sizes, item, encoding, config, call));
    if (item == 0) PHASOR_TRY(check_backward(d_output, sizes, config.output_layout, saved));
    call.job.want = {};
    if (sizes.batch == 0) return attend_gradient(q, k, v, d_output, call.job, encoding, saved, out);
    SavedSoftmax rows;
    if (saved != nullptr) rows = item_of(*saved, sizes, item);
    AttentionGradients part;
    PHASOR_TRY(attend_gradient(item_of(q, item), item_of(k, item), item_of(v, item), item_of(d_output, item), call.job, encoding,
                               saved == nullptr ? nullptr : &rows, part));
    PHASOR_TRY(put_item("q", "its gradient", part.d_q, sizes, item, out.d_q));
    PHASOR_TRY(put_item("k", "its gradient", part.d_k, sizes, item, out.d_k));
    PHASOR_TRY(put_item("v", "its gradient", part.d_v, sizes, item, out.d_v));
  }
  return {};
}

// With an encoding that is already made, or nullptr.
Result<AttentionResult> attention_of(Tensor& q, Tensor& k, const Tensor& v, const Encoding* live, const AttentionConfig& config,
                                     SavedSoftmax* saved) {
  return Result<AttentionResult>::from([&](AttentionResult& out) -> Status {
    CallEncoding encoding(live);
    CallSizes sizes;
    PHASOR_TRY(open_call(q, k, v, config, sizes, encoding));
    return forward(q, k, v, *encoding.encoding, sizes, config, saved, out);
  });
}

// The same; a live encoding keeps the gradients of its parameters.
Result<AttentionGradients> gradient_of(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output, Encoding* live,
                                       const AttentionConfig& config, const SavedSoftmax* saved) {
  return Result<AttentionGradients>::from([&](AttentionGradients& out) -> Status {
    CallEncoding call(live);
    CallSizes sizes;
    PHASOR_TRY(open_call(q, k, v, config, sizes, call));
    Encoding& encoding = live != nullptr ? *live : *call.made;
    const std::vector<Parameter*> parameters = encoding.parameters();
    std::vector<Tensor> before(parameters.size());
    for (std::size_t p = 0; p < parameters.size(); ++p) std::swap(before[p], parameters[p]->grad);
    const Status status = backward(q, k, v, d_output, encoding, sizes, config, saved, out);
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (!status.ok()) {
        parameters[p]->grad = std::move(before[p]);
      } else if (!before[p].empty()) {
        add(before[p], parameters[p]->gradient());
      }
    }
    if (live == nullptr) out.parameters = take_gradients(encoding);
    return status;
  });
}

}  // namespace

Result<AttentionResult> attention(Tensor q, Tensor k, const Tensor& v, const AttentionConfig& config) {
  return attention_of(q, k, v, nullptr, config, nullptr);
}

Result<AttentionResult> attention(Tensor q, Tensor k, const Tensor& v, const Encoding& encoding, const AttentionConfig& config,
                                  SavedSoftmax* saved) {
  return attention_of(q, k, v, &encoding, config, saved);
}

Result<AttentionGradients> attention_gradient(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output,
                                              const AttentionConfig& config) {
  return gradient_of(q, k, v, d_output, nullptr, config, nullptr);
}

Result<AttentionGradients> attention_gradient(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output, Encoding& encoding,
                                              const AttentionConfig& config, const SavedSoftmax* saved) {
  return gradient_of(q, k, v, d_output, &encoding, config, saved);
}

}  // namespace phasor
