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

namespace {

Status check_enters_attention(Injection injection, std::string_view id) {
  if (injection != Injection::input) return {};
  return invalid("encoding: {} is added to the embeddings before attention; use layer, or add its table yourself", id);
}

}  // namespace

Status check_attention_encoding(const EncodingConfig& config) {
  const EncodingType* type = find(config.id);
  return type == nullptr ? Status{} : check_enters_attention(type->injection, type->id);
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

// An axis of a map with its end and its cell.
Status complete(const char* name, int count, int size, MapAxis& axis) {
  if (axis.last == 0) axis.last = count;
  if (axis.first < 0 || axis.first >= axis.last || axis.last > count) {
    return invalid("{}: {} to {} is not a part of 0 to {}", name, axis.first, axis.last, count);
  }
  if (axis.cell == 0) axis.cell = (axis.last - axis.first + size - 1) / size;
  return check_range("map.cell", axis.cell, 1, kMaxExtent);
}

// What does not depend on the encoding.
Status check_call(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionConfig& config) {
  PHASOR_TRY(check_attention_shapes(q, k, v));
  const int keys = k.shape[1];
  if (!config.key_mask.empty() && static_cast<int>(config.key_mask.size()) != keys) {
    return invalid("{}: it has {} entries, but there are {} keys", argument("key_mask"), config.key_mask.size(), keys);
  }
  PHASOR_TRY(check_range("window", config.window.value_or(1), 1, kMaxPosition));
  return check_range("head", config.want.head.value_or(0), 0, q.shape[0] - 1);
}

Geometry geometry_of(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionConfig& config) {
  return {.length = k.shape[1],
          .width = q.shape[2],
          .heads = q.shape[0],
          .value_width = v.shape[2],
          .kv_heads = k.shape[0],
          .scale = config.scale};
}

Status make(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionConfig& config, std::unique_ptr<Encoding>& out) {
  PHASOR_TRY(check_call(q, k, v, config));
  PHASOR_TRY(check_attention_encoding(config.encoding));
  return create(config.encoding, geometry_of(q, k, v, config)).move_to(out);
}

// An encoding that is used again must have been made for the sizes of this call.
Status check_made_for(const Encoding& encoding, const Geometry& call) {
  if (!encoding.made_for) return {};
  const Geometry& made = *encoding.made_for;
  const auto differ = [&](const char* what, int got, int expected) {
    return invalid("encoding: {} was made for {} {}, but the call has {}", encoding.id, what, expected, got);
  };
  if (call.heads != made.heads) return differ("heads:", call.heads, made.heads);
  if (call.width != made.width) return differ("channels of a head:", call.width, made.width);
  if (made.value_width != 0 && call.value_width != made.value_width)
    return differ("channels of a value:", call.value_width, made.value_width);
  if (made.kv_heads != 0 && call.kv_heads != made.kv_heads) return differ("heads of keys:", call.kv_heads, made.kv_heads);
  if (made.scale && call.scale != made.scale) return invalid("scale: {} was made for another one", encoding.id);
  if (call.length > made.length) return differ("at most as many keys as", call.length, made.length);
  return {};
}

Status check_live(const Tensor& q, const Tensor& k, const Tensor& v, const Encoding& encoding, const AttentionConfig& config) {
  PHASOR_TRY(check_call(q, k, v, config));
  if (config.encoding.id != EncodingConfig().id || !config.encoding.params.empty()) {
    return invalid("encoding: {} is given in the configuration beside one that is already made", config.encoding.id);
  }
  PHASOR_TRY(check_enters_attention(encoding.injection(), encoding.id));
  return check_made_for(encoding, geometry_of(q, k, v, config));
}

// A call that has passed its checks, with its positions.
struct Prepared {
  std::vector<double> queries, keys;
  AttendJob job;
};

Status prepare(const Tensor& q, const Tensor& k, const Encoding& encoding, const AttentionConfig& config, Prepared& out) {
  const int queries = q.shape[1], keys = k.shape[1];
  PHASOR_TRY(consecutive_positions(config.offset.value_or(static_cast<double>(keys) - queries), queries).move_to(out.queries));
  PHASOR_TRY(consecutive_positions(0, keys).move_to(out.keys));
  PHASOR_TRY(encoding.check_positions(out.queries));
  PHASOR_TRY(encoding.check_positions(out.keys));
  PHASOR_TRY(encoding.check_distances(out.queries, out.keys));
  double scale = 0;
  PHASOR_TRY(scale_of(encoding, config.scale, q.shape[2], scale));
  out.job = {.encoding = &encoding,
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

Status forward(Tensor& q, Tensor& k, const Tensor& v, const Encoding& encoding, const AttentionConfig& config, SavedSoftmax* saved,
               AttentionResult& out) {
  Prepared call;
  PHASOR_TRY(prepare(q, k, encoding, config, call));
  return attend(q, k, v, call.job, saved, out);
}

Status backward(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output, Encoding& encoding,
                const AttentionConfig& config, const SavedSoftmax* saved, AttentionGradients& out) {
  Prepared call;
  PHASOR_TRY(prepare(q, k, encoding, config, call));
  const std::vector<int> shape = {q.shape[0], q.shape[1], v.shape[2]};
  if (d_output.shape != shape) {
    return invalid("{}: its shape is {}, but the output's is {}", argument("d_output"), d_output.shape, shape);
  }
  PHASOR_TRY(check_finite(argument("d_output").c_str(), d_output.data));
  if (saved != nullptr) {
    const std::size_t rows = count(std::span(shape).first(2));
    if (saved->output.shape != shape || saved->row_max.size() != rows || saved->row_sum.size() != rows) {
      return invalid("saved: it is not what the forward pass of this call has saved");
    }
  }
  call.job.want = {};
  return attend_gradient(q, k, v, d_output, call.job, encoding, saved, out);
}

}  // namespace

Result<AttentionResult> attention(Tensor q, Tensor k, const Tensor& v, const AttentionConfig& config) {
  return Result<AttentionResult>::from([&](AttentionResult& out) -> Status {
    std::unique_ptr<Encoding> encoding;
    PHASOR_TRY(make(q, k, v, config, encoding));
    return forward(q, k, v, *encoding, config, nullptr, out);
  });
}

Result<AttentionResult> attention(Tensor q, Tensor k, const Tensor& v, const Encoding& encoding, const AttentionConfig& config,
                                  SavedSoftmax* saved) {
  return Result<AttentionResult>::from([&](AttentionResult& out) -> Status {
    PHASOR_TRY(check_live(q, k, v, encoding, config));
    return forward(q, k, v, encoding, config, saved, out);
  });
}

Result<AttentionGradients> attention_gradient(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output,
                                              const AttentionConfig& config) {
  return Result<AttentionGradients>::from([&](AttentionGradients& out) -> Status {
    std::unique_ptr<Encoding> encoding;
    PHASOR_TRY(make(q, k, v, config, encoding));
    PHASOR_TRY(backward(q, k, v, d_output, *encoding, config, nullptr, out));
    out.parameters = take_gradients(*encoding);
    return {};
  });
}

Result<AttentionGradients> attention_gradient(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output, Encoding& encoding,
                                              const AttentionConfig& config, const SavedSoftmax* saved) {
  return Result<AttentionGradients>::from([&](AttentionGradients& out) -> Status {
    PHASOR_TRY(check_live(q, k, v, encoding, config));
    return backward(q, k, v, d_output, encoding, config, saved, out);
  });
}

}  // namespace phasor
