// What an encoding does by itself, without attention: its table, angles, bias and rotation.

#include <cmath>

#include "core/format_error.h"
#include "encoding/made_for.h"
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
      return check_range(format_error("positions[{}]", i).c_str(), position, -kMaxPosition, kMaxPosition);
    }
  }
  return encoding.check_positions(positions);
}

Status check_place(Injection got, Injection wanted, std::string_view id, const char* what) {
  return got == wanted ? Status{} : invalid("encoding: {} has no {}; it enters attention at {}", id, what, to_string(got));
}

// An encoding that is already made: it enters attention where the caller asks, and was made for the sizes of the call.
Status check_made(const Encoding& encoding, Injection wanted, const char* what, const Geometry& call) {
  PHASOR_TRY(check_place(encoding.injection(), wanted, encoding.id, what));
  PHASOR_TRY(check_extent("length", call.length));
  PHASOR_TRY(check_extent("width", call.width));
  PHASOR_TRY(check_extent("heads", call.heads));
  return check_made_for(encoding, call, "channels:", "at most as many positions as");
}

// What does not go by heads.
int heads_of(const Encoding& encoding) { return encoding.made_for ? encoding.made_for->heads : 1; }

}  // namespace

Result<std::unique_ptr<Encoding>> create(const EncodingConfig& config, const Geometry& geometry, Injection injection, const char* what) {
  if (const EncodingType* type = find(config.id)) PHASOR_TRY(check_place(type->injection, injection, type->id, what));
  return create(config, geometry);
}

Result<std::vector<double>> consecutive_positions(double offset, int length) {
  return Result<std::vector<double>>::from([&](std::vector<double>& out) -> Status {
    PHASOR_TRY(check_extent("length", length));
    if (offset != std::floor(offset)) return invalid("offset: {} is not a whole number", offset);
    PHASOR_TRY(check_range("offset", offset, -kMaxPosition, kMaxPosition - (length - 1)));
    out.resize(static_cast<std::size_t>(length));
    for (int i = 0; i < length; ++i) out[static_cast<std::size_t>(i)] = offset + i;
    return {};
  });
}

Result<Tensor> table(const Encoding& encoding, Positions positions, int width) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    const int length = positions.count();
    const Geometry call{.length = length, .width = width, .heads = heads_of(encoding), .axes = positions.axes()};
    PHASOR_TRY(check_made(encoding, Injection::input, "table", call));
    PHASOR_TRY(check_positions(encoding, positions));
    const int columns = encoding.as_table()->table_width(width);
    PHASOR_TRY(check_size("width", "a table", {length, columns}));
    out = Tensor({length, columns});
    encoding.as_table()->table(positions, matrix(out));
    return check_result("encoding", out.data, "the table of {}", encoding.id);
  });
}

Result<Tensor> table(const EncodingConfig& config, Positions positions, int width) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    const Geometry call{.length = positions.count(), .width = width, .axes = positions.axes()};
    PHASOR_TRY_ASSIGN(const auto encoding, create(config, call, Injection::input, "table"));
    return table(*encoding, positions, width).move_to(out);
  });
}

Result<Tensor> angles(const Encoding& encoding, Positions positions, int width) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    const int length = positions.count();
    const Geometry call{.length = length, .width = width, .heads = heads_of(encoding), .axes = positions.axes()};
    PHASOR_TRY(check_made(encoding, Injection::query_key, "angles", call));
    PHASOR_TRY(check_positions(encoding, positions));
    const RotaryEncoding* rotation = encoding.as_rotation();
    if (rotation == nullptr) return invalid("encoding: {} does not rotate pairs of channels", encoding.id);
    PHASOR_TRY(check_size("width", "angles", {length, rotation->pairs()}));
    out = Tensor({length, rotation->pairs()});
    rotation->angles(positions, matrix(out));
    return {};
  });
}

Result<Tensor> angles(const EncodingConfig& config, Positions positions, int width) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    const Geometry call{.length = positions.count(), .width = width, .axes = positions.axes()};
    PHASOR_TRY_ASSIGN(const auto encoding, create(config, call, Injection::query_key, "angles"));
    return angles(*encoding, positions, width).move_to(out);
  });
}

namespace {

Status check_counts(Positions queries, Positions keys) {
  for (const Positions& positions : {queries, keys}) {
    if (positions.axes() != 1) return invalid("positions: they have {} coordinates; a bias knows 1", positions.axes());
  }
  PHASOR_TRY(check_extent("queries", queries.count()));
  return check_extent("keys", keys.count());
}

}  // namespace

Result<Tensor> bias(const Encoding& encoding, int heads, Positions queries, Positions keys, int width) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_counts(queries, keys));
    PHASOR_TRY(check_made(encoding, Injection::score, "bias", {.length = keys.count(), .width = width, .heads = heads}));
    PHASOR_TRY(check_size("heads", "a bias", {heads, queries.count(), keys.count()}));
    PHASOR_TRY(check_positions(encoding, queries));
    PHASOR_TRY(check_positions(encoding, keys));
    PHASOR_TRY(encoding.check_distances(queries, keys));
    out = Tensor({heads, queries.count(), keys.count()});
    for (int head = 0; head < heads; ++head) {
      const MatrixRef of_head = matrix(out, head);
      encoding.as_score_bias()->add_bias(head, queries, keys, of_head);
      // While it is in the cache.
      const std::span<const float> numbers(of_head.data,
                                           static_cast<std::size_t>(of_head.rows) * static_cast<std::size_t>(of_head.columns));
      PHASOR_TRY(check_result("encoding", numbers, "the bias of {}", encoding.id));
    }
    return {};
  });
}

Result<Tensor> bias(const EncodingConfig& config, int heads, Positions queries, Positions keys, int width) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_counts(queries, keys));
    PHASOR_TRY_ASSIGN(const auto encoding,
                      create(config, {.length = keys.count(), .width = width, .heads = heads}, Injection::score, "bias"));
    return bias(*encoding, heads, queries, keys, width).move_to(out);
  });
}

namespace {

// Of either kind of encoding.
Result<Tensor> bias_of_counts(const auto& encoding, int heads, int queries, int keys, double offset, int width) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_extent("queries", queries));
    PHASOR_TRY(check_extent("keys", keys));
    std::vector<double> query_positions, key_positions;
    PHASOR_TRY(consecutive_positions(offset, queries).move_to(query_positions));
    PHASOR_TRY(consecutive_positions(0, keys).move_to(key_positions));
    return bias(encoding, heads, query_positions, key_positions, width).move_to(out);
  });
}

}  // namespace

Result<Tensor> bias(const Encoding& encoding, int heads, int queries, int keys, double offset, int width) {
  return bias_of_counts(encoding, heads, queries, keys, offset, width);
}

Result<Tensor> bias(const EncodingConfig& config, int heads, int queries, int keys, double offset, int width) {
  return bias_of_counts(config, heads, queries, keys, offset, width);
}

Result<Tensor> rotate(const Encoding& encoding, Role role, Positions positions, Tensor x) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    if (x.rank() != 3) return invalid("x: its shape is {}; heads x length x width is needed", x.shape);
    Geometry call{.length = x.shape[1], .width = x.shape[2], .heads = x.shape[0], .axes = positions.axes()};
    // Keys may have fewer heads than queries, for which it was made.
    if (role == Role::key && encoding.made_for && call.heads == encoding.made_for->kv_heads) call.heads = encoding.made_for->heads;
    PHASOR_TRY(check_made(encoding, Injection::query_key, "rotation", call));
    if (positions.count() != call.length) {
      return invalid("positions: there are {}, but x has {} tokens", positions.count(), call.length);
    }
    PHASOR_TRY(check_positions(encoding, positions));
    PHASOR_TRY(check_finite("x", x.data));
    encoding.as_query_key()->transform(role, positions, x);
    out = std::move(x);
    return check_result("x", out.data, "transformed by {}, it", encoding.id);
  });
}

Result<Tensor> rotate(const EncodingConfig& config, Role role, Positions positions, Tensor x) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    if (x.rank() != 3) return invalid("x: its shape is {}; heads x length x width is needed", x.shape);
    const Geometry call{.length = x.shape[1], .width = x.shape[2], .heads = x.shape[0], .axes = positions.axes()};
    PHASOR_TRY_ASSIGN(const auto encoding, create(config, call, Injection::query_key, "rotation"));
    return rotate(*encoding, role, positions, std::move(x)).move_to(out);
  });
}

Result<Frequencies> rope_frequencies(const Encoding& encoding, int width) {
  return Result<Frequencies>::from([&](Frequencies& out) -> Status {
    const int axes = encoding.made_for ? encoding.made_for->axes : 1;
    PHASOR_TRY(check_made(encoding, Injection::query_key, "frequencies", {.width = width, .heads = heads_of(encoding), .axes = axes}));
    Frequencies found = encoding.as_rotation() == nullptr ? Frequencies{} : encoding.as_rotation()->frequencies();
    if (found.inv_freq.empty()) return invalid("encoding: {} has no scaling of frequencies; rope and mrope have", encoding.id);
    out = std::move(found);
    return {};
  });
}

Result<Frequencies> rope_frequencies(const EncodingConfig& config, int width) {
  return Result<Frequencies>::from([&](Frequencies& out) -> Status {
    PHASOR_TRY_ASSIGN(const auto encoding, create(config, {.width = width}, Injection::query_key, "frequencies"));
    return rope_frequencies(*encoding, width).move_to(out);
  });
}

Result<Tensor> rotation_matrix(const Encoding& encoding, Role role, Positions position, int width) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    if (position.count() != 1) {
      return invalid("position: there are {}, but a matrix belongs to one", position.count());
    }
    PHASOR_TRY(
        check_made(encoding, Injection::query_key, "rotation", {.width = width, .heads = heads_of(encoding), .axes = position.axes()}));
    PHASOR_TRY(check_positions(encoding, position));
    PHASOR_TRY(check_size("width", "a matrix", {width, width}));
    out = Tensor({width, width});
    for (int c = 0; c < width; ++c) {
      Tensor unit({1, 1, width});
      unit.data[static_cast<std::size_t>(c)] = 1;
      encoding.as_query_key()->transform(role, position, unit);
      for (int r = 0; r < width; ++r) matrix(out).row(r)[c] = unit.data[static_cast<std::size_t>(r)];
    }
    return {};
  });
}

Result<Tensor> rotation_matrix(const EncodingConfig& config, Role role, Positions position, int width) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    if (position.count() != 1) {
      return invalid("position: there are {}, but a matrix belongs to one", position.count());
    }
    PHASOR_TRY_ASSIGN(const auto encoding, create(config, {.width = width, .axes = position.axes()}, Injection::query_key, "rotation"));
    return rotation_matrix(*encoding, role, position, width).move_to(out);
  });
}

}  // namespace phasor
