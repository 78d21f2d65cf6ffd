#include "core/format_error.h"
#include "encoding_base/encoding_ops/checks.h"
#include "encoding_base/token_tensors/token_checks.h"
#include "phasor/encoding_ops.h"
#include "phasor/registry.h"
#include "sinusoid/rotate_tokens.h"

namespace phasor {

Result<Tensor> apply_rotary(const Encoding& encoding, Role role, const TokenTensors& tokens,
                            Tensor x) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_tensor("x", x));
    if (x.rank() != 3 || x.empty())
      return invalid("x: has shape {}; expected heads x length x dim", x.shape);
    const int heads = x.shape[0], length = x.shape[1], dim = x.shape[2];
    PHASOR_TRY(check_existing_encoding(encoding, Injection::query_key, "rotation",
                                       {.length = length, .dim = dim, .heads = heads}));
    const TokenTransform* transform = encoding.as_token_transform();
    if (transform == nullptr)
      return invalid("encoding: {} rotates by positions, not by token tensors", encoding.id);
    PHASOR_TRY(check_token_tensors(
        encoding, tokens, {.heads = heads, .kv_heads = heads, .tokens = length, .head_dim = dim}));
    PHASOR_TRY(check_memory("x", rotation_bytes(dim)));
    transform->transform(role, tokens, 0, x);
    out = std::move(x);
    return check_result("x", out.data, "the result of {}", encoding.id);
  });
}

Result<Tensor> apply_rotary(const EncodingConfig& config, Role role, const TokenTensors& tokens,
                            Tensor x) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_data("x", x));
    if (x.rank() != 3) return invalid("x: has shape {}; expected heads x length x dim", x.shape);
    const EncodingDims call_dims{.length = x.shape[1], .dim = x.shape[2], .heads = x.shape[0]};
    PHASOR_TRY_ASSIGN(const auto encoding,
                      create_encoding(config, call_dims, Injection::query_key, "rotation"));
    return apply_rotary(*encoding, role, tokens, std::move(x)).move_to(out);
  });
}

Result<Tensor> rope_distances(const Encoding& encoding, Positions queries, Positions keys,
                              int dim) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    for (const Positions& positions : {queries, keys}) {
      if (positions.axes() != 1)
        return invalid("positions: have {} coordinates each; expected 1", positions.axes());
    }
    PHASOR_TRY(check_extent("queries", queries.count()));
    PHASOR_TRY(check_existing_encoding(
        encoding, Injection::query_key, "distances",
        {.length = keys.count(), .dim = dim, .heads = get_head_count(encoding)}));
    if (encoding.as_rotation() == nullptr || encoding.as_rotation()->frequencies().inv_freq.empty())
      return invalid("encoding: {} does not define distances; expected rope", encoding.id);
    PHASOR_TRY(check_positions(encoding, queries));
    PHASOR_TRY(check_positions(encoding, keys));
    PHASOR_TRY(check_size("queries", "distances", {queries.count(), keys.count()}));
    out = Tensor({queries.count(), keys.count()});
    const Remap remap = encoding.as_rotation()->remap();
    for (int i = 0; i < queries.count(); ++i) {
      for (int j = 0; j < keys.count(); ++j) {
        if (keys[j] <= queries[i])
          matrix(out).row(i)[j] = static_cast<float>(remap.distance(queries[i], keys[j]));
      }
    }
    return {};
  });
}

Result<Tensor> rope_distances(const EncodingConfig& config, Positions queries, Positions keys,
                              int dim) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_extent("keys", keys.count()));
    PHASOR_TRY_ASSIGN(const auto encoding,
                      create_encoding(config, {.length = keys.count(), .dim = dim},
                                      Injection::query_key, "distances"));
    return rope_distances(*encoding, queries, keys, dim).move_to(out);
  });
}

}  // namespace phasor
