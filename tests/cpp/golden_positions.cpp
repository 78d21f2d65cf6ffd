#include "golden_positions.h"

#include <algorithm>
#include <cmath>

namespace golden {

namespace {

bool near(double a, double b, double relative, double absolute = 0) {
  return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b)) + absolute;
}

}  // namespace

std::string pair_of(const std::string& field, const Json& got, const Json& measured) {
  return field + ": " + got.dump().substr(0, 60) + ", measured " + measured.dump().substr(0, 60);
}

void PositionCheck::wrong(const std::string& why) {
  if (problem_.empty()) problem_ = here_ + why;
}

void PositionCheck::same(const char* field, const Json& got, const Json& measured,
                         double tolerance) {
  if (got == measured) return;
  if (got.is_number() && measured.is_number() &&
      near(got.get<double>(), measured.get<double>(), tolerance))
    return;
  wrong(pair_of(field, got, measured));
}

const Json* PositionCheck::table_of(const char* kind, const std::string& stack) const {
  const Json* found = nullptr;
  for (const Json& table : added_) {
    if (table["kind"] != kind) continue;
    if (found == nullptr || table["table"].get<std::string>().starts_with(stack)) found = &table;
    if (table["table"].get<std::string>().starts_with(stack)) break;
  }
  return found;
}

// Compares how angles grow from row to row and from column to column.
void PositionCheck::check_axial(const Json& layer, phasor::EncodingConfig encoding) {
  const Json& grid = layer["grid"];
  const double rows = grid[0], columns = grid[1];
  if (encoding.params.contains("rows")) encoding.params["rows"] = rows;
  encoding.params["columns"] = columns;
  const std::vector<double> places = {0, 0, 1, 0, 0, 1};  // patches (0, 0), (1, 0) and (0, 1)
  const auto angles = phasor::rotary_angles(encoding, {places, 2}, layer["head_dim"]);
  if (!angles.ok()) return wrong(angles.status().message());
  const Json &by_row = layer["row_inv_freq"], &by_column = layer["column_inv_freq"];
  for (std::size_t t = 0; t < by_row.size(); ++t) {
    const std::size_t pairs = by_row.size();
    const double first = static_cast<double>(angles->data[t]),
                 row = static_cast<double>(angles->data[pairs + t]) - first,
                 column = static_cast<double>(angles->data[2 * pairs + t]) - first;
    // Angles of several turns were measured in float32.
    if (!near(row, by_row[t], 1e-3, 2e-5) || !near(column, by_column[t], 1e-3, 2e-5))
      return wrong(pair_of("pair " + std::to_string(t), Json({row, column}),
                           Json({by_row[t], by_column[t]})));
  }
}

// If the rotated channels are not the first of a head, the encoding covers only those.
int PositionCheck::rotary_head(const Json& layer) {
  const Json& turning = layer["rotary_dims"];
  return turning["first"].get<int>() > 0 ? turning["count"].get<int>()
                                         : layer["head_dim"].get<int>();
}

void PositionCheck::check_frequencies(const phasor::EncodingConfig& encoding, int dim,
                                      const Json& measured, const Json& factor) {
  const auto read = phasor::rope_frequencies(encoding, dim);
  if (!read.ok()) return wrong(read.status().message());
  const phasor::Frequencies& got = *read;
  if (got.inv_freq.size() != measured.size())
    return wrong(pair_of("number of frequencies", got.inv_freq.size(), measured.size()));
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (!near(got.inv_freq[i], measured[i], 1.5e-6, 1e-12))
      return wrong(pair_of("inv_freq[" + std::to_string(i) + "]", got.inv_freq[i], measured[i]));
  }
  if (factor.is_number()) same("attention_factor", got.attention_factor, factor);
}

// Rotates the unit vector of a channel.
std::vector<float> PositionCheck::turned(const phasor::EncodingConfig& encoding, int dim,
                                         int channel, const std::vector<double>& at) {
  phasor::Tensor x({1, 1, dim});
  x.data[static_cast<std::size_t>(channel)] = 1;
  const auto rotated =
      phasor::apply_rotary(encoding, phasor::Role::query, {at, static_cast<int>(at.size())}, x);
  if (rotated.ok()) return rotated->data;
  wrong(rotated.status().message());
  return x.data;
}

void PositionCheck::check_rotary(const Json& layer, const phasor::EncodingConfig& encoding) {
  if (encoding.id != "rope" && encoding.id != "mrope")
    return wrong(pair_of("position", encoding.id, "rotary"));
  const int dim = rotary_head(layer), count = layer["rotary_dims"]["count"];
  check_frequencies(encoding, dim, layer["inv_freq"], layer.value("attention_factor", Json()));
  const bool axes = encoding.id == "mrope";
  std::vector<double> at = axes ? std::vector<double>{1, 1, 1} : std::vector<double>{1};
  const auto row = turned(encoding, dim, 0, at);
  std::size_t partner = 1;
  while (partner < row.size() && std::abs(row[partner]) <= 1e-4F) ++partner;
  if (partner == row.size()) return wrong("channel 0 is turned into none");
  const std::string layout = partner == 1                             ? "interleaved"
                             : static_cast<int>(partner) == count / 2 ? "half"
                                                                      : "other";
  if (count > 2 && layer["layout"] != "other") same("layout", layout, layer["layout"]);
  same("direction", row[partner] > 0 ? 1 : -1, layer["direction"]);
  const Json& axis = layer.value("axis_of_pair", Json());
  if (!axis.is_array() ||
      std::all_of(axis.begin(), axis.end(), [&](const Json& one) { return one == axis[0]; }))
    return;
  if (!axes) return wrong(pair_of("axes", encoding.id, "three axes"));
  for (std::size_t pair = 0; pair < axis.size(); ++pair) {
    const int channel = static_cast<int>(layer["layout"] == "half" ? pair : 2 * pair);
    for (int a = 0; a < 3; ++a) {
      at = {0, 0, 0};
      at[static_cast<std::size_t>(a)] = 500;
      const auto moved = turned(encoding, dim, channel, at);
      const bool moves = std::abs(moved[static_cast<std::size_t>(channel)] - 1) > 1e-5F;
      if (axis[pair].is_number() && moves && axis[pair] != a)
        return wrong(pair_of("axis of pair " + std::to_string(pair), a, axis[pair]));
    }
  }
}

void PositionCheck::check_alibi(const Json& layer, const phasor::EncodingConfig& encoding) {
  if (encoding.id != "alibi") return wrong(pair_of("position", encoding.id, "alibi"));
  constexpr int kLength = 256;
  const int heads = layer["heads"];
  const auto made = phasor::create_encoding(encoding, {.length = kLength, .heads = heads});
  if (!made.ok()) return wrong(made.status().message());
  const auto bias = phasor::attention_bias(**made, heads, kLength, kLength, 0);
  if (!bias.ok()) return wrong(bias.status().message());
  const double tolerance = layer.contains("slopes_note") ? 6e-3 : 1e-4;
  for (std::size_t h = 0; h < layer["slopes"].size(); ++h) {
    const float* row = &bias->data[h * kLength * kLength + (kLength - 1) * kLength];
    const double slope = static_cast<double>(row[kLength - 1] - row[0]) / (kLength - 1);
    if (!near(slope, layer["slopes"][h], tolerance, 1e-7))
      return wrong(pair_of("slope of head " + std::to_string(h), slope, layer["slopes"][h]));
  }
}

void PositionCheck::check_t5(const phasor::EncodingConfig& encoding, const std::string& stack) {
  if (encoding.id != "t5") return wrong(pair_of("position", encoding.id, "t5"));
  const Json& recorded = buckets_.contains(stack)       ? buckets_[stack]
                         : buckets_.contains("encoder") ? buckets_["encoder"]
                                                        : buckets_["decoder"];
  const int rows = buckets_["table_rows"];
  same("num_buckets", std::get<double>(encoding.params.at("num_buckets")), rows);
  // With a table that contains row indices, the bias is the bucket index.
  phasor::EncodingConfig numbered = encoding;
  phasor::Tensor table({rows, 1});
  for (int i = 0; i < rows; ++i) table.data[static_cast<std::size_t>(i)] = static_cast<float>(i);
  numbered.params["table"] = table;
  constexpr int kLength = 301;
  const auto made = phasor::create_encoding(numbered, {.length = kLength, .heads = 1});
  if (!made.ok()) return wrong(made.status().message());
  const auto bias = phasor::attention_bias(**made, 1, kLength, kLength, 0);
  if (!bias.ok()) return wrong(bias.status().message());
  const auto row_of = [&](int distance) {
    const int query = distance < 0 ? kLength - 1 : 0, key = query + distance;
    return bias->data[static_cast<std::size_t>(query * kLength + key)];
  };
  for (std::size_t i = 0; i < recorded["rows"].size(); ++i) {
    const int distance = recorded["distances_key_minus_query"][i];
    const float row = recorded["rows"][i];
    // Logarithms in float32 may round to the other side of an integer.
    const auto is = [&](int at) { return std::abs(at) < kLength && row_of(at) == row; };
    if (!is(distance) && !is(distance - 1) && !is(distance + 1))
      return wrong(pair_of("bucket of " + std::to_string(distance), row_of(distance), row));
  }
}

double PositionCheck::number(const phasor::EncodingConfig& encoding, const char* name) {
  const phasor::ParamValue* value = encoding.params.find(name);
  return value != nullptr ? std::get<double>(*value) : 0;
}

void PositionCheck::check_learned(const phasor::EncodingConfig& encoding, double offset,
                                  const std::string& stack) {
  if (encoding.id != "learned") return wrong(pair_of("position", encoding.id, "learned"));
  const Json* measured = table_of("learned", stack);
  if (measured == nullptr) return;
  same("first row", number(encoding, "row_offset") + offset, (*measured)["offset"]);
  same("rows", number(encoding, "max_length"), (*measured)["rows"]);
}

void PositionCheck::check_sinusoidal(const phasor::EncodingConfig& encoding, double offset,
                                     const std::string& stack) {
  if (encoding.id != "sinusoidal") return wrong(pair_of("position", encoding.id, "sinusoidal"));
  const Json* measured = table_of("sinusoidal", stack);
  if (measured == nullptr || !measured->contains("frequencies")) return;
  const int dim = (*measured)["channels"];
  constexpr int kLength = 3;
  const auto made = phasor::create_encoding(encoding, {.length = kLength + 8, .dim = dim});
  if (!made.ok()) return wrong(made.status().message());
  std::vector<double> positions;
  for (int p = 0; p < kLength; ++p) positions.push_back(offset + p);
  const auto table = phasor::position_table(**made, {positions, 1}, dim);
  if (!table.ok()) return wrong(table.status().message());
  const bool halves = (*measured)["arrangement"] == "halves",
             sine_first = (*measured)["order"] == "sin first";
  for (int p = 0; p < kLength; ++p) {
    for (int i = 0; i < dim / 2; ++i) {
      const double angle = ((*measured)["first_position"].get<double>() + p) *
                           (*measured)["frequencies"][static_cast<std::size_t>(i)].get<double>();
      const double amplitude = (*measured)["amplitude"];
      const int first = halves ? i : 2 * i, second = halves ? i + dim / 2 : 2 * i + 1;
      const float* row = &table->data[static_cast<std::size_t>(p * dim)];
      const double a = amplitude * std::sin(angle), b = amplitude * std::cos(angle);
      if (!near(static_cast<double>(row[first]), sine_first ? a : b, 1e-4, 1e-4) ||
          !near(static_cast<double>(row[second]), sine_first ? b : a, 1e-4, 1e-4))
        return wrong("row " + std::to_string(p) + ", frequency " + std::to_string(i) + " differs");
    }
  }
}

}  // namespace golden
