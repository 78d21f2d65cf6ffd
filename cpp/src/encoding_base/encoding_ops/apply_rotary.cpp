#include "core/format_error.h"
#include "encoding_base/encoding_ops/checks.h"
#include "phasor/encoding_ops.h"
#include "phasor/registry.h"

namespace phasor {

namespace {

Status check_rotates_by_position(const Encoding& encoding) {
  if (encoding.as_query_key() != nullptr) return {};
  return invalid("encoding: {} rotates by token tensors, not by positions", encoding.id);
}

}  // namespace

Result<Tensor> rotary_angles(const Encoding& encoding, Positions positions, int dim) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    const int length = positions.count();
    const EncodingDims call_dims{
        .length = length, .dim = dim, .heads = get_head_count(encoding), .axes = positions.axes()};
    PHASOR_TRY(check_existing_encoding(encoding, Injection::query_key, "angles", call_dims));
    PHASOR_TRY(check_rotates_by_position(encoding));
    PHASOR_TRY(check_positions(encoding, positions));
    const RotaryEncoding* rotation = encoding.as_rotation();
    if (rotation == nullptr)
      return invalid("encoding: {} does not rotate pairs of channels", encoding.id);
    PHASOR_TRY(check_size("dim", "angles", {length, rotation->pairs()}));
    out = Tensor({length, rotation->pairs()});
    rotation->angles(positions, matrix(out));
    return check_result("encoding", out.data, "an angle of {}", encoding.id);
  });
}

Result<Tensor> rotary_angles(const EncodingConfig& config, Positions positions, int dim) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    const EncodingDims call_dims{.length = positions.count(), .dim = dim, .axes = positions.axes()};
    PHASOR_TRY_ASSIGN(const auto encoding,
                      create_encoding(config, call_dims, Injection::query_key, "angles"));
    return rotary_angles(*encoding, positions, dim).move_to(out);
  });
}

Result<Tensor> apply_rotary(const Encoding& encoding, Role role, Positions positions, Tensor x) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_tensor("x", x));
    if (x.rank() != 3) return invalid("x: has shape {}; expected heads x length x dim", x.shape);
    EncodingDims call_dims{
        .length = x.shape[1], .dim = x.shape[2], .heads = x.shape[0], .axes = positions.axes()};
    // Keys may have fewer heads than queries; EncodingDims::heads is the number of query heads.
    if (role == Role::key && encoding.dims && call_dims.heads == encoding.dims->kv_heads)
      call_dims.heads = encoding.dims->heads;
    PHASOR_TRY(check_existing_encoding(encoding, Injection::query_key, "rotation", call_dims));
    if (positions.count() != call_dims.length) {
      return invalid("positions: has {} entries; expected {}, one per token of x",
                     positions.count(), call_dims.length);
    }
    PHASOR_TRY(check_rotates_by_position(encoding));
    PHASOR_TRY(check_positions(encoding, positions));
    PHASOR_TRY(check_memory("x", encoding.as_query_key()->transform_bytes(x)));
    encoding.as_query_key()->transform(role, positions, x);
    out = std::move(x);
    return check_result("x", out.data, "the result of {}", encoding.id);
  });
}

Result<Tensor> apply_rotary(const EncodingConfig& config, Role role, Positions positions,
                            Tensor x) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_data("x", x));
    if (x.rank() != 3) return invalid("x: has shape {}; expected heads x length x dim", x.shape);
    const EncodingDims call_dims{
        .length = x.shape[1], .dim = x.shape[2], .heads = x.shape[0], .axes = positions.axes()};
    PHASOR_TRY_ASSIGN(const auto encoding,
                      create_encoding(config, call_dims, Injection::query_key, "rotation"));
    return apply_rotary(*encoding, role, positions, std::move(x)).move_to(out);
  });
}

Result<Frequencies> rope_frequencies(const Encoding& encoding, int dim) {
  return Result<Frequencies>::from([&](Frequencies& out) -> Status {
    const int axes = encoding.dims ? encoding.dims->axes : 1;
    PHASOR_TRY(
        check_existing_encoding(encoding, Injection::query_key, "frequencies",
                                {.dim = dim, .heads = get_head_count(encoding), .axes = axes}));
    Frequencies frequencies =
        encoding.as_rotation() == nullptr ? Frequencies{} : encoding.as_rotation()->frequencies();
    if (frequencies.inv_freq.empty())
      return invalid("encoding: {} does not scale frequencies; expected rope or mrope",
                     encoding.id);
    out = std::move(frequencies);
    return {};
  });
}

Result<Frequencies> rope_frequencies(const EncodingConfig& config, int dim) {
  return Result<Frequencies>::from([&](Frequencies& out) -> Status {
    PHASOR_TRY_ASSIGN(const auto encoding,
                      create_encoding(config, {.dim = dim}, Injection::query_key, "frequencies"));
    return rope_frequencies(*encoding, dim).move_to(out);
  });
}

Result<Tensor> rotation_matrix(const Encoding& encoding, Role role, Positions position, int dim) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    if (position.count() != 1) {
      return invalid("position: has {} entries; expected 1", position.count());
    }
    PHASOR_TRY(check_existing_encoding(
        encoding, Injection::query_key, "rotation",
        {.dim = dim, .heads = get_head_count(encoding), .axes = position.axes()}));
    PHASOR_TRY(check_rotates_by_position(encoding));
    PHASOR_TRY(check_positions(encoding, position));
    if (!encoding.as_query_key()->is_linear()) {
      return invalid("encoding: {} has no matrix, because its transform is not linear",
                     encoding.id);
    }
    PHASOR_TRY(check_size("dim", "a matrix", {dim, dim}));
    PHASOR_TRY(
        check_memory("dim", array_bytes({dim, dim + 1}) +
                                encoding.as_query_key()->transform_bytes(Tensor({1, 1, dim}))));
    out = Tensor({dim, dim});
    for (int c = 0; c < dim; ++c) {
      Tensor unit_vector({1, 1, dim});
      unit_vector.data[static_cast<std::size_t>(c)] = 1;
      encoding.as_query_key()->transform(role, position, unit_vector);
      for (int r = 0; r < dim; ++r)
        matrix(out).row(r)[c] = unit_vector.data[static_cast<std::size_t>(r)];
    }
    return check_result("encoding", out.data, "the rotation of {}", encoding.id);
  });
}

Result<Tensor> rotation_matrix(const EncodingConfig& config, Role role, Positions position,
                               int dim) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    if (position.count() != 1) {
      return invalid("position: has {} entries; expected 1", position.count());
    }
    PHASOR_TRY_ASSIGN(const auto encoding,
                      create_encoding(config, {.dim = dim, .axes = position.axes()},
                                      Injection::query_key, "rotation"));
    return rotation_matrix(*encoding, role, position, dim).move_to(out);
  });
}

}  // namespace phasor
