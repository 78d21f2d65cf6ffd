// What an encoding does by itself, without attention: its table, angles, bias and rotation.

#include <cmath>

#include "core/format_error.h"
#include "phasor/registry.h"

namespace phasor {

namespace {

Status check_positions(const Encoding& encoding, Positions positions) {
  const std::size_t numbers = positions.values().size();
  if (numbers % static_cast<std::size_t>(positions.axes()) != 0) {
    return invalid("positions: {} numbers are not positions of {} coordinates each", numbers, positions.axes());
  }
  for (std::size_t i = 0; i < positions.values().size(); ++i) {
    const double position = positions.values()[i];
    // Negated, so that NaN is refused too.
    if (!(std::fabs(position) <= kMaxPosition)) {
      return check_range(format_error("positions[{}]", {i}).c_str(), position, -kMaxPosition, kMaxPosition);
    }
  }
  return encoding.check_positions(positions);
}

// Makes the encoding, after refusing one that enters attention elsewhere than the caller asks about.
Status create_for(const EncodingConfig& config, Injection wanted, const char* what, const Geometry& geometry,
                  std::unique_ptr<Encoding>& out) {
  const EncodingType* type = find(config.id);
  if (type != nullptr && type->injection != wanted) {
    return invalid("encoding: {} has no {}; it enters attention at {}", config.id, what, to_string(type->injection));
  }
  return create(config, geometry).move_to(out);
}

}  // namespace

Result<std::vector<double>> consecutive_positions(double offset, int length) {
  return Result<std::vector<double>>::from([&](std::vector<double>& out) -> Status {
    PHASOR_TRY(check_range("length", length, 1, kMaxExtent));
    if (offset != std::floor(offset)) return invalid("offset: {} is not a whole number", offset);
    PHASOR_TRY(check_range("offset", offset, -kMaxPosition, kMaxPosition - (length - 1)));
    out.resize(static_cast<std::size_t>(length));
    for (int i = 0; i < length; ++i) out[static_cast<std::size_t>(i)] = offset + i;
    return {};
  });
}

Result<Tensor> table(const EncodingConfig& config, Positions positions, int width) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    const int length = positions.count();
    std::unique_ptr<Encoding> encoding;
    PHASOR_TRY(create_for(config, Injection::input, "table", {.length = length, .width = width, .axes = positions.axes()}, encoding));
    PHASOR_TRY(check_positions(*encoding, positions));
    const int columns = encoding->as_table()->table_width(width);
    PHASOR_TRY(check_size("width", "a table", {length, columns}));
    out = Tensor({length, columns});
    encoding->as_table()->table(positions, matrix(out));
    return check_result("encoding", out.data, "the table of {}", config.id);
  });
}

Result<Tensor> angles(const EncodingConfig& config, Positions positions, int width) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    const int length = positions.count();
    std::unique_ptr<Encoding> encoding;
    PHASOR_TRY(create_for(config, Injection::query_key, "angles", {.length = length, .width = width, .axes = positions.axes()}, encoding));
    PHASOR_TRY(check_positions(*encoding, positions));
    const RotaryEncoding* rotation = encoding->as_rotation();
    if (rotation == nullptr) return invalid("encoding: {} does not rotate pairs of channels", config.id);
    PHASOR_TRY(check_size("width", "angles", {length, rotation->pairs()}));
    out = Tensor({length, rotation->pairs()});
    rotation->angles(positions, matrix(out));
    return {};
  });
}

Result<Tensor> bias(const EncodingConfig& config, int heads, Positions queries, Positions keys, int width) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    for (const Positions& positions : {queries, keys}) {
      if (positions.axes() != 1) return invalid("positions: they have {} coordinates; a bias knows 1", positions.axes());
    }
    PHASOR_TRY(check_range("queries", queries.count(), 1, kMaxExtent));
    PHASOR_TRY(check_range("keys", keys.count(), 1, kMaxExtent));
    std::unique_ptr<Encoding> encoding;
    PHASOR_TRY(create_for(config, Injection::score, "bias", {.length = keys.count(), .width = width, .heads = heads}, encoding));
    PHASOR_TRY(check_size("heads", "a bias", {heads, queries.count(), keys.count()}));
    PHASOR_TRY(check_positions(*encoding, queries));
    PHASOR_TRY(check_positions(*encoding, keys));
    PHASOR_TRY(encoding->check_distances(queries, keys));
    out = Tensor({heads, queries.count(), keys.count()});
    for (int head = 0; head < heads; ++head) {
      const MatrixRef of_head = matrix(out, head);
      encoding->as_score_bias()->add_bias(head, queries, keys, of_head);
      // While it is in the cache.
      const std::span<const float> numbers(of_head.data,
                                           static_cast<std::size_t>(of_head.rows) * static_cast<std::size_t>(of_head.columns));
      PHASOR_TRY(check_result("encoding", numbers, "the bias of {}", config.id));
    }
    return {};
  });
}

Result<Tensor> bias(const EncodingConfig& config, int heads, int queries, int keys, double offset, int width) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_range("queries", queries, 1, kMaxExtent));
    PHASOR_TRY(check_range("keys", keys, 1, kMaxExtent));
    std::vector<double> query_positions, key_positions;
    PHASOR_TRY(consecutive_positions(offset, queries).move_to(query_positions));
    PHASOR_TRY(consecutive_positions(0, keys).move_to(key_positions));
    return bias(config, heads, query_positions, key_positions, width).move_to(out);
  });
}

Result<Tensor> rotate(const EncodingConfig& config, Role role, Positions positions, Tensor x) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    if (x.rank() != 3) return invalid("x: its shape is {}; heads x length x width is needed", x.shape);
    const int length = x.shape[1];
    std::unique_ptr<Encoding> encoding;
    const Geometry geometry{.length = length, .width = x.shape[2], .heads = x.shape[0], .axes = positions.axes()};
    PHASOR_TRY(create_for(config, Injection::query_key, "rotation", geometry, encoding));
    if (positions.count() != length) {
      return invalid("positions: there are {}, but x has {} tokens", positions.count(), length);
    }
    PHASOR_TRY(check_positions(*encoding, positions));
    PHASOR_TRY(check_finite("x", x.data));
    encoding->as_query_key()->transform(role, positions, x);
    out = std::move(x);
    return check_result("x", out.data, "transformed by {}, it", config.id);
  });
}

Result<Frequencies> rope_frequencies(const EncodingConfig& config, int width) {
  return Result<Frequencies>::from([&](Frequencies& out) -> Status {
    std::unique_ptr<Encoding> encoding;
    PHASOR_TRY(create_for(config, Injection::query_key, "frequencies", {.width = width}, encoding));
    Frequencies found = encoding->as_rotation() == nullptr ? Frequencies{} : encoding->as_rotation()->frequencies();
    if (found.inv_freq.empty()) return invalid("encoding: {} has no scaling of frequencies; rope and mrope have", config.id);
    out = std::move(found);
    return {};
  });
}

Result<Tensor> rotation_matrix(const EncodingConfig& config, Role role, Positions position, int width) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    if (position.count() != 1) {
      return invalid("position: there are {}, but a matrix belongs to one", position.count());
    }
    std::unique_ptr<Encoding> encoding;
    PHASOR_TRY(create_for(config, Injection::query_key, "rotation", {.width = width, .axes = position.axes()}, encoding));
    PHASOR_TRY(check_positions(*encoding, position));
    PHASOR_TRY(check_size("width", "a matrix", {width, width}));
    out = Tensor({width, width});
    for (int c = 0; c < width; ++c) {
      Tensor unit({1, 1, width});
      unit.data[static_cast<std::size_t>(c)] = 1;
      encoding->as_query_key()->transform(role, position, unit);
      for (int r = 0; r < width; ++r) matrix(out).row(r)[c] = unit.data[static_cast<std::size_t>(r)];
    }
    return {};
  });
}

}  // namespace phasor
