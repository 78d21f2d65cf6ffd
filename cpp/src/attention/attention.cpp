#include "phasor/attention.h"

#include <cmath>

#include "attention/attend.h"
#include "math/sentence.h"
#include "phasor/registry.h"

namespace phasor {

namespace {

Status check_shapes(const Tensor& q, const Tensor& k, const Tensor& v) {
  const auto rank_of = [](const char* name, const Tensor& t) {
    if (t.rank() == 3 && !t.empty()) return Status{};
    return Status::invalid(std::string(name) + ": its shape is " + to_words(t.shape) + "; heads x tokens x width is needed");
  };
  PHASOR_TRY(rank_of("q", q));
  PHASOR_TRY(rank_of("k", k));
  PHASOR_TRY(rank_of("v", v));
  const auto differ = [](const char* name, const char* what, int got, const char* other, int expected) {
    return Status::invalid(std::string(name) + ": it has " + std::to_string(got) + " " + what + ", but " + other + " has " +
                           std::to_string(expected));
  };
  if (k.shape[2] != q.shape[2]) return differ("k", "channels", k.shape[2], "q", q.shape[2]);
  if (v.shape[1] != k.shape[1]) return differ("v", "tokens", v.shape[1], "k", k.shape[1]);
  if (v.shape[0] != k.shape[0]) return differ("v", "heads", v.shape[0], "k", k.shape[0]);
  if (q.shape[0] % k.shape[0] != 0) {
    return Status::invalid("k: its " + std::to_string(k.shape[0]) + " heads do not divide the " + std::to_string(q.shape[0]) + " of q");
  }
  PHASOR_TRY(check_finite("q", q.data));
  PHASOR_TRY(check_finite("k", k.data));
  return check_finite("v", v.data);
}

}  // namespace

Status attention(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionConfig& config, AttentionResult& out) {
  PHASOR_TRY(check_shapes(q, k, v));
  const int heads = q.shape[0], queries = q.shape[1], width = q.shape[2], keys = k.shape[1];
  if (!config.key_mask.empty() && static_cast<int>(config.key_mask.size()) != keys) {
    return Status::invalid("keyMask: it has " + std::to_string(config.key_mask.size()) + " entries, but there are " + std::to_string(keys) +
                           " keys");
  }
  const EncodingType* type = find(config.encoding.id);
  if (type != nullptr && type->injection == Injection::input) {
    return invalid("encoding: {} is added to the embeddings before attention; use layer, or add its table yourself", type->id);
  }
  std::unique_ptr<Encoding> encoding;
  PHASOR_TRY(create(config.encoding, {.length = keys, .width = width, .heads = heads, .value_width = v.shape[2]}, encoding));
  std::vector<double> query_positions, key_positions;
  PHASOR_TRY(consecutive_positions(config.offset.value_or(keys - queries), queries, query_positions));
  PHASOR_TRY(consecutive_positions(0, keys, key_positions));
  PHASOR_TRY(encoding->check_positions(query_positions));
  PHASOR_TRY(encoding->check_positions(key_positions));
  PHASOR_TRY(encoding->check_distances(query_positions, key_positions));
  const double scale = config.scale.value_or(encoding->scale(width).value_or(1.0 / std::sqrt(static_cast<double>(width))));
  if (!std::isfinite(scale)) return Status::invalid("scale: " + to_words(scale) + " is not a finite number");

  Tensor moved_q = q, moved_k = k;
  return attend(moved_q, moved_k, v,
                {.encoding = encoding.get(),
                 .injection = find(config.encoding.id)->injection,
                 .queries = query_positions,
                 .keys = key_positions,
                 .mask = config.mask,
                 .key_mask = config.key_mask.empty() ? nullptr : &config.key_mask,
                 .scale = static_cast<float>(scale),
                 .want = config.want},
                out);
}

}  // namespace phasor
