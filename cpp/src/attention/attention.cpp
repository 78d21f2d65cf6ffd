#include "phasor/attention.h"

#include <cmath>

#include "attention/attend.h"
#include "attention/checks.h"
#include "core/format_error.h"
#include "phasor/registry.h"

namespace phasor {

Status check_attention_shapes(const Tensor& q, const Tensor& k, const Tensor& v) {
  const auto rank_of = [](const char* name, const Tensor& t) {
    if (t.rank() != 3 || t.empty()) return invalid("{}: its shape is {}; heads x tokens x width is needed", name, t.shape);
    if (t.data.size() == count(t.shape)) return Status{};
    return invalid("{}: its shape is {}, but it has {} numbers", name, t.shape, t.data.size());
  };
  PHASOR_TRY(rank_of("q", q));
  PHASOR_TRY(rank_of("k", k));
  PHASOR_TRY(rank_of("v", v));
  const auto differ = [](const char* name, const char* what, int got, const char* other, int expected) {
    return invalid("{}: it has {} {}, but {} has {}", name, got, what, other, expected);
  };
  if (k.shape[2] != q.shape[2]) return differ("k", "channels", k.shape[2], "q", q.shape[2]);
  if (v.shape[1] != k.shape[1]) return differ("v", "tokens", v.shape[1], "k", k.shape[1]);
  if (v.shape[0] != k.shape[0]) return differ("v", "heads", v.shape[0], "k", k.shape[0]);
  if (q.shape[0] % k.shape[0] != 0) {
    return invalid("k: its {} heads do not divide the {} of q", k.shape[0], q.shape[0]);
  }
  PHASOR_TRY(check_finite("q", q.data));
  PHASOR_TRY(check_finite("k", k.data));
  return check_finite("v", v.data);
}

Status check_attention_encoding(const EncodingType* type) {
  if (type == nullptr || type->injection != Injection::input) return {};
  return invalid("encoding: {} is added to the embeddings before attention; use layer, or add its table yourself", type->id);
}

Status scale_of(const Encoding& encoding, std::optional<double> given, int width, double& out) {
  out = given.value_or(encoding.scale(width).value_or(1.0 / std::sqrt(static_cast<double>(width))));
  return std::isfinite(out) ? Status{} : invalid("scale: {} is not a finite number", out);
}

Status check_gradients(const Gradients& parameters) {
  for (const auto& [name, gradient] : parameters) {
    PHASOR_TRY(check_result("d_output", gradient.data, "the gradient of {}", name));
  }
  return {};
}

namespace {

// An axis of a map with its end and its cell.
Status complete(const char* name, int count, int size, MapAxis& axis) {
  if (axis.last == 0) axis.last = count;
  if (axis.first < 0 || axis.first >= axis.last || axis.last > count) {
    return invalid("{}: {} to {} is not a part of 0 to {}", name, axis.first, axis.last, count);
  }
  if (axis.cell == 0) axis.cell = (axis.last - axis.first + size - 1) / size;
  return check_range("map.cell", axis.cell, 1, kMaxExtent);
}

// A call that has passed its checks: the encoding made, the positions known.
struct Prepared {
  std::unique_ptr<Encoding> encoding;
  std::vector<double> queries, keys;
  AttendJob job;
};

Status prepare(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionConfig& config, Prepared& out) {
  PHASOR_TRY(check_attention_shapes(q, k, v));
  const int heads = q.shape[0], queries = q.shape[1], width = q.shape[2], keys = k.shape[1];
  if (!config.key_mask.empty() && static_cast<int>(config.key_mask.size()) != keys) {
    return invalid("{}: it has {} entries, but there are {} keys", argument("key_mask"), config.key_mask.size(), keys);
  }
  PHASOR_TRY(check_range("window", config.window.value_or(1), 1, kMaxPosition));
  PHASOR_TRY(check_range("head", config.want.head.value_or(0), 0, heads - 1));
  const EncodingType* type = find(config.encoding.id);
  PHASOR_TRY(check_attention_encoding(type));
  const Geometry geometry{
      .length = keys, .width = width, .heads = heads, .value_width = v.shape[2], .kv_heads = k.shape[0], .scale = config.scale};
  PHASOR_TRY(create(config.encoding, geometry).move_to(out.encoding));
  PHASOR_TRY(consecutive_positions(config.offset.value_or(static_cast<double>(keys) - queries), queries).move_to(out.queries));
  PHASOR_TRY(consecutive_positions(0, keys).move_to(out.keys));
  PHASOR_TRY(out.encoding->check_positions(out.queries));
  PHASOR_TRY(out.encoding->check_positions(out.keys));
  PHASOR_TRY(out.encoding->check_distances(out.queries, out.keys));
  double scale = 0;
  PHASOR_TRY(scale_of(*out.encoding, config.scale, width, scale));
  out.job = {.encoding = out.encoding.get(),
             .id = type->id,
             .injection = type->injection,
             .queries = out.queries,
             .keys = out.keys,
             .mask = config.mask,
             .window = config.window.value_or(0),
             .key_mask = config.key_mask.empty() ? nullptr : &config.key_mask,
             .scale = scale,
             .want = config.want,
             .map = config.map};
  if (!config.want.map) return {};
  PHASOR_TRY(check_range("map.size", config.map.size, 1, 4096));
  PHASOR_TRY(complete("map.rows", queries, config.map.size, out.job.map.rows));
  return complete("map.columns", keys, config.map.size, out.job.map.columns);
}

}  // namespace

Result<AttentionResult> attention(Tensor q, Tensor k, const Tensor& v, const AttentionConfig& config) {
  return Result<AttentionResult>::from([&](AttentionResult& out) -> Status {
    Prepared call;
    PHASOR_TRY(prepare(q, k, v, config, call));
    return attend(q, k, v, call.job, out);
  });
}

Result<AttentionGradients> attention_gradient(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output,
                                              const AttentionConfig& config) {
  return Result<AttentionGradients>::from([&](AttentionGradients& out) -> Status {
    Prepared call;
    PHASOR_TRY(prepare(q, k, v, config, call));
    const std::vector<int> shape = {q.shape[0], q.shape[1], v.shape[2]};
    if (d_output.shape != shape) {
      return invalid("{}: its shape is {}, but the output's is {}", argument("d_output"), d_output.shape, shape);
    }
    PHASOR_TRY(check_finite(argument("d_output").c_str(), d_output.data));
    call.job.want = {};
    return attend_gradient(q, k, v, d_output, call.job, out);
  });
}

}  // namespace phasor
