#include "golden_positions.h"

#include <algorithm>
#include <cmath>

namespace golden {

namespace {

bool is_near(double a, double b, double relative, double absolute = 0) {
  return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b)) + absolute;
}

}  // namespace

std::string diff(const std::string& field, const Json& actual, const Json& measured) {
  return field + ": " + actual.dump().substr(0, 60) + ", measured " + measured.dump().substr(0, 60);
}

void PositionCheck::fail(const std::string& reason) {
  if (problem_.empty()) problem_ = prefix_ + reason;
}

void PositionCheck::match(const char* field, const Json& actual, const Json& measured,
                          double tolerance) {
  if (actual == measured) return;
  if (actual.is_number() && measured.is_number() &&
      is_near(actual.get<double>(), measured.get<double>(), tolerance))
    return;
  fail(diff(field, actual, measured));
}

const Json* PositionCheck::find_table(const char* kind, const std::string& stack) const {
  const Json* stack_table = nullptr;
  for (const Json& table : added_) {
    if (table["kind"] != kind) continue;
    if (stack_table == nullptr || table["table"].get<std::string>().starts_with(stack))
      stack_table = &table;
    if (table["table"].get<std::string>().starts_with(stack)) break;
  }
  return stack_table;
}

// Compares how angles grow from row to row and from column to column.
void PositionCheck::check_axial(const Json& layer, phasor::EncodingConfig encoding) {
  const Json& grid = layer["grid"];
  const double rows = grid[0], columns = grid[1];
  if (encoding.params.contains("rows")) encoding.params["rows"] = rows;
  encoding.params["columns"] = columns;
  const std::vector<double> patch_positions = {0, 0, 1,
                                               0, 0, 1};  // patches (0, 0), (1, 0) and (0, 1)
  const auto angles = phasor::rotary_angles(encoding, {patch_positions, 2}, layer["head_dim"]);
  if (!angles.ok()) return fail(angles.status().message());
  const Json &by_row = layer["row_inv_freq"], &by_column = layer["column_inv_freq"];
  for (std::size_t t = 0; t < by_row.size(); ++t) {
    const std::size_t pairs = by_row.size();
    const double first = static_cast<double>(angles->data[t]),
                 row = static_cast<double>(angles->data[pairs + t]) - first,
                 column = static_cast<double>(angles->data[2 * pairs + t]) - first;
    // Angles of several turns were measured in float32.
    if (!is_near(row, by_row[t], 1e-3, 2e-5) || !is_near(column, by_column[t], 1e-3, 2e-5))
      return fail(
          diff("pair " + std::to_string(t), Json({row, column}), Json({by_row[t], by_column[t]})));
  }
}

// If the rotated channels are not the first of a head, the encoding covers only those.
int PositionCheck::rotary_head(const Json& layer) {
  const Json& rotary_dims = layer["rotary_dims"];
  return rotary_dims["first"].get<int>() > 0 ? rotary_dims["count"].get<int>()
                                             : layer["head_dim"].get<int>();
}

void PositionCheck::check_frequencies(const phasor::EncodingConfig& encoding, int dim,
                                      const Json& measured, const Json& factor) {
  const auto frequencies = phasor::rope_frequencies(encoding, dim);
  if (!frequencies.ok()) return fail(frequencies.status().message());
  const phasor::Frequencies& actual = *frequencies;
  if (actual.inv_freq.size() != measured.size())
    return fail(diff("number of frequencies", actual.inv_freq.size(), measured.size()));
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (!is_near(actual.inv_freq[i], measured[i], 1.5e-6, 1e-12))
      return fail(diff("inv_freq[" + std::to_string(i) + "]", actual.inv_freq[i], measured[i]));
  }
  if (factor.is_number()) match("attention_factor", actual.attention_factor, factor);
}

// Rotates the unit vector of a channel.
std::vector<float> PositionCheck::rotate_unit_vector(const phasor::EncodingConfig& encoding,
                                                     int dim, int channel,
                                                     const std::vector<double>& at) {
  phasor::Tensor x({1, 1, dim});
  x.data[static_cast<std::size_t>(channel)] = 1;
  const auto rotated =
      phasor::apply_rotary(encoding, phasor::Role::query, {at, static_cast<int>(at.size())}, x);
  if (rotated.ok()) return rotated->data;
  fail(rotated.status().message());
  return x.data;
}

void PositionCheck::check_rotary(const Json& layer, const phasor::EncodingConfig& encoding) {
  if (encoding.id != "rope" && encoding.id != "mrope")
    return fail(diff("position", encoding.id, "rotary"));
  const int dim = rotary_head(layer), count = layer["rotary_dims"]["count"];
  check_frequencies(encoding, dim, layer["inv_freq"], layer.value("attention_factor", Json()));
  const bool axes = encoding.id == "mrope";
  std::vector<double> at = axes ? std::vector<double>{1, 1, 1} : std::vector<double>{1};
  const auto row = rotate_unit_vector(encoding, dim, 0, at);
  std::size_t partner = 1;
  while (partner < row.size() && std::abs(row[partner]) <= 1e-4F) ++partner;
  if (partner == row.size()) return fail("channel 0 is turned into none");
  const std::string layout = partner == 1                             ? "interleaved"
                             : static_cast<int>(partner) == count / 2 ? "half"
                                                                      : "other";
  if (count > 2 && layer["layout"] != "other") match("layout", layout, layer["layout"]);
  match("direction", row[partner] > 0 ? 1 : -1, layer["direction"]);
  const Json& axis = layer.value("axis_of_pair", Json());
  if (!axis.is_array() || std::all_of(axis.begin(), axis.end(), [&](const Json& other_axis) {
        return other_axis == axis[0];
      }))
    return;
  if (!axes) return fail(diff("axes", encoding.id, "three axes"));
  for (std::size_t pair = 0; pair < axis.size(); ++pair) {
    const int channel = static_cast<int>(layer["layout"] == "half" ? pair : 2 * pair);
    for (int a = 0; a < 3; ++a) {
      at = {0, 0, 0};
      at[static_cast<std::size_t>(a)] = 500;
      const auto rotated_x = rotate_unit_vector(encoding, dim, channel, at);
      const bool is_rotated = std::abs(rotated_x[static_cast<std::size_t>(channel)] - 1) > 1e-5F;
      if (axis[pair].is_number() && is_rotated && axis[pair] != a)
        return fail(diff("axis of pair " + std::to_string(pair), a, axis[pair]));
    }
  }
}

void PositionCheck::check_alibi(const Json& layer, const phasor::EncodingConfig& encoding) {
  if (encoding.id != "alibi") return fail(diff("position", encoding.id, "alibi"));
  constexpr int kLength = 256;
  const int heads = layer["heads"];
  const auto created = phasor::create_encoding(encoding, {.length = kLength, .heads = heads});
  if (!created.ok()) return fail(created.status().message());
  const auto bias = phasor::attention_bias(**created, heads, kLength, kLength, 0);
  if (!bias.ok()) return fail(bias.status().message());
  const double tolerance = layer.contains("slopes_note") ? 6e-3 : 1e-4;
  for (std::size_t h = 0; h < layer["slopes"].size(); ++h) {
    const float* row = &bias->data[h * kLength * kLength + (kLength - 1) * kLength];
    const double slope = static_cast<double>(row[kLength - 1] - row[0]) / (kLength - 1);
    if (!is_near(slope, layer["slopes"][h], tolerance, 1e-7))
      return fail(diff("slope of head " + std::to_string(h), slope, layer["slopes"][h]));
  }
}

void PositionCheck::check_t5(const phasor::EncodingConfig& encoding, const std::string& stack) {
  if (encoding.id != "t5") return fail(diff("position", encoding.id, "t5"));
  const Json& measured_buckets = buckets_.contains(stack)       ? buckets_[stack]
                                 : buckets_.contains("encoder") ? buckets_["encoder"]
                                                                : buckets_["decoder"];
  const int rows = buckets_["table_rows"];
  match("num_buckets", std::get<double>(encoding.params.at("num_buckets")), rows);
  // With a table that contains row indices, the bias is the bucket index.
  phasor::EncodingConfig config = encoding;
  phasor::Tensor table({rows, 1});
  for (int i = 0; i < rows; ++i) table.data[static_cast<std::size_t>(i)] = static_cast<float>(i);
  config.params["table"] = table;
  constexpr int kLength = 301;
  const auto created = phasor::create_encoding(config, {.length = kLength, .heads = 1});
  if (!created.ok()) return fail(created.status().message());
  const auto bias = phasor::attention_bias(**created, 1, kLength, kLength, 0);
  if (!bias.ok()) return fail(bias.status().message());
  const auto row_of = [&](int distance) {
    const int query = distance < 0 ? kLength - 1 : 0, key = query + distance;
    return bias->data[static_cast<std::size_t>(query * kLength + key)];
  };
  for (std::size_t i = 0; i < measured_buckets["rows"].size(); ++i) {
    const int distance = measured_buckets["distances_key_minus_query"][i];
    const float row = measured_buckets["rows"][i];
    // Logarithms in float32 may round to the other side of an integer.
    const auto is = [&](int at) { return std::abs(at) < kLength && row_of(at) == row; };
    if (!is(distance) && !is(distance - 1) && !is(distance + 1))
      return fail(diff("bucket of " + std::to_string(distance), row_of(distance), row));
  }
}

double PositionCheck::number(const phasor::EncodingConfig& encoding, const char* name) {
  const phasor::ParamValue* value = encoding.params.find(name);
  return value != nullptr ? std::get<double>(*value) : 0;
}

void PositionCheck::check_learned(const phasor::EncodingConfig& encoding, double offset,
                                  const std::string& stack) {
  if (encoding.id != "learned") return fail(diff("position", encoding.id, "learned"));
  const Json* measured = find_table("learned", stack);
  if (measured == nullptr) return;
  match("first row", number(encoding, "row_offset") + offset, (*measured)["offset"]);
  match("rows", number(encoding, "max_length"), (*measured)["rows"]);
}

void PositionCheck::check_sinusoidal(const phasor::EncodingConfig& encoding, double offset,
                                     const std::string& stack) {
  if (encoding.id != "sinusoidal") return fail(diff("position", encoding.id, "sinusoidal"));
  const Json* measured = find_table("sinusoidal", stack);
  if (measured == nullptr || !measured->contains("frequencies")) return;
  const int dim = (*measured)["channels"];
  constexpr int kLength = 3;
  const auto created = phasor::create_encoding(encoding, {.length = kLength + 8, .dim = dim});
  if (!created.ok()) return fail(created.status().message());
  std::vector<double> positions;
  for (int p = 0; p < kLength; ++p) positions.push_back(offset + p);
  const auto table = phasor::position_table(**created, {positions, 1}, dim);
  if (!table.ok()) return fail(table.status().message());
  const bool uses_halves = (*measured)["arrangement"] == "halves",
             sine_first = (*measured)["order"] == "sin first";
  for (int p = 0; p < kLength; ++p) {
    for (int i = 0; i < dim / 2; ++i) {
      const double angle = ((*measured)["first_position"].get<double>() + p) *
                           (*measured)["frequencies"][static_cast<std::size_t>(i)].get<double>();
      const double amplitude = (*measured)["amplitude"];
      const int first = uses_halves ? i : 2 * i, second = uses_halves ? i + dim / 2 : 2 * i + 1;
      const float* row = &table->data[static_cast<std::size_t>(p * dim)];
      const double a = amplitude * std::sin(angle), b = amplitude * std::cos(angle);
      if (!is_near(static_cast<double>(row[first]), sine_first ? a : b, 1e-4, 1e-4) ||
          !is_near(static_cast<double>(row[second]), sine_first ? b : a, 1e-4, 1e-4))
        return fail("row " + std::to_string(p) + ", frequency " + std::to_string(i) + " differs");
    }
  }
}

}  // namespace golden
