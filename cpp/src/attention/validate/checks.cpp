#include "attention/validate/checks.h"

#include <cmath>

#include "core/format_error.h"

namespace phasor {

Status check_attention_shapes(const Tensor& q, const Tensor& k, const Tensor& v, bool allow_batch) {
  const int rank = allow_batch && q.rank() == 4 ? 4 : 3;
  const auto rank_of = [&](const char* name, const Tensor& t) {
    if (t.rank() != rank || t.empty()) {
      return invalid("{}: its shape is {}; {}heads x tokens x width is needed", name, t.shape,
                     rank == 4 ? "batch x " : "");
    }
    return check_data(name, t);
  };
  PHASOR_TRY(rank_of("q", q));
  PHASOR_TRY(rank_of("k", k));
  PHASOR_TRY(rank_of("v", v));
  const auto equal = [](const char* name, const char* what, int got, const char* other,
                        int expected) {
    return got == expected
               ? Status{}
               : invalid("{}: it has {} {}, but {} has {}", name, got, what, other, expected);
  };
  const std::size_t heads = static_cast<std::size_t>(rank) - 3, tokens = heads + 1,
                    width = heads + 2;
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

Status check_head_sizes(const Geometry& geometry) {
  const int heads = geometry.heads, kv_heads = geometry.kv_heads;
  PHASOR_TRY(check_extent("heads", heads));
  PHASOR_TRY(check_range(argument("kv_heads"), kv_heads, 1, heads));
  if (heads % kv_heads != 0)
    return invalid("{}: {} do not divide the {} heads", argument("kv_heads"), kv_heads, heads);
  PHASOR_TRY(check_extent("width", geometry.width));
  return check_extent(argument("value_width"), geometry.value_width);
}

Status scale_of(const Encoding& encoding, std::optional<double> given, int width, double& out) {
  out = given.value_or(encoding.scale(width).value_or(1.0 / std::sqrt(static_cast<double>(width))));
  return std::isfinite(out) ? Status{} : invalid("scale: {} is not a finite number", out);
}

}  // namespace phasor
