// What models of transformers do with position, layer by layer: each form of a config is read, and
// every number that was measured in the model is compared with what is said of it. A model that no
// encoding describes must be rejected, with the reason that its case names.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "golden_case.h"

namespace golden::family::families {
namespace {

using phasor::ConfigEncoding;
using phasor::ConfigLayer;
using phasor::EncodingConfig;
using phasor::Params;
using phasor::Tensor;

// A config.json as the package hands it over: paths joined by dots, lists as tensors or one text.
void flatten(const Json& value, const std::string& path, Params& out) {
  const auto all = [&](auto is) { return std::all_of(value.begin(), value.end(), is); };
  if (value.is_object()) {
    for (const auto& [key, below] : value.items())
      flatten(below, path.empty() ? key : path + "." + key, out);
  } else if (value.is_null()) {
    out.add(path, Tensor{});
  } else if (value.is_number()) {
    out.add(path, value.get<double>());
  } else if (value.is_boolean()) {
    out.add(path, value.get<bool>());
  } else if (value.is_string()) {
    out.add(path, value.get<std::string>());
  } else if (all([](const Json& one) { return one.is_number() || one.is_boolean(); })) {
    Tensor list({static_cast<int>(value.size())});
    for (std::size_t i = 0; i < value.size(); ++i)
      list.data[i] = value[i].is_boolean() ? (value[i].get<bool>() ? 1.0F : 0.0F)
                                           : static_cast<float>(value[i].get<double>());
    out.add(path, std::move(list));
  } else if (all([](const Json& one) { return one.is_string(); })) {
    std::string words;
    for (const Json& one : value) words += (words.empty() ? "" : ", ") + one.get<std::string>();
    out.add(path, std::move(words));
  } else {
    for (std::size_t i = 0; i < value.size(); ++i)
      flatten(value[i], path + "." + std::to_string(i), out);
  }
}

bool near(double a, double b, double relative = 1e-6, double absolute = 0) {
  return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b)) + absolute;
}

std::string pair_of(const std::string& field, const Json& said, const Json& measured) {
  return field + ": " + said.dump().substr(0, 60) + ", measured " + measured.dump().substr(0, 60);
}

// One form of the config of a case. The first problem of each kind is kept.
class Form {
 public:
  Form(const Json& config, Case& c)
      : layers_(c.raw("layers", "outputs")),
        added_(c.raw("added", "outputs")),
        buckets_(c.raw("buckets", "outputs")),
        longer_(c.raw("longer", "outputs")),
        length_(c.raw("sequence_length").is_number() ? c.number("sequence_length") : 0),
        vision_(c.raw("kind").is_string()) {
    flatten(config, "", file_);
  }

  std::string encodings() {
    problem_.clear();
    rejection_.clear();
    if (vision_) {
      check_tower();
    } else {
      each([&](const Json& layer, int index) { check_encoding(layer, index); });
      if (longer_.is_array()) check_longer();
    }
    return problem_;
  }
  std::string layers() {
    problem_.clear();
    rejection_.clear();
    const auto read = phasor::layers_from_config(file_);
    if (!read.ok()) {
      rejection_ = read.status().message();
      return {};
    }
    said_ = *read;
    std::size_t count = 0;
    each([&](const Json&, int) { ++count; });
    if (!layers_[0].contains("stack") && said_.size() != count)
      wrong(pair_of("layers", said_.size(), count));
    each([&](const Json& layer, int index) { check_layer(layer, index); });
    return problem_;
  }
  const std::string& rejection() const { return rejection_; }

 private:
  template <class Check>
  void each(Check check) {
    for (const Json& layer : layers_) {
      for (const Json& index : layer["indices"]) {
        here_ = (layer.contains("stack") ? layer["stack"].get<std::string>() + " " : "") +
                "layer " + index.dump() + " ";
        check(layer, index.get<int>());
      }
    }
  }
  void wrong(const std::string& why) {
    if (problem_.empty()) problem_ = here_ + why;
  }
  void same(const char* field, const Json& said, const Json& measured, double tolerance = 1e-6) {
    if (said == measured) return;
    if (said.is_number() && measured.is_number() &&
        near(said.get<double>(), measured.get<double>(), tolerance))
      return;
    wrong(pair_of(field, said, measured));
  }

  const Json* table_of(const char* kind, const std::string& stack) const {
    const Json* found = nullptr;
    for (const Json& one : added_) {
      if (one["kind"] != kind) continue;
      if (found == nullptr || one["table"].get<std::string>().starts_with(stack)) found = &one;
      if (one["table"].get<std::string>().starts_with(stack)) break;
    }
    return found;
  }

  void check_tower() {
    const auto read = phasor::encoding_from_config(file_, {});
    if (!read.ok()) {
      rejection_ = read.status().message();
      return;
    }
    for (const Json& layer : layers_) {
      std::string kind = layer["position"];
      if (kind == "rotary_2d") kind = "rope_2d";
      if (read->encoding.id != kind) return wrong(pair_of("position", read->encoding.id, kind));
      if (kind == "rope_2d") check_axial(layer, read->encoding);
      if (kind == "learned" || read->added) {
        const EncodingConfig& table = kind == "learned" ? read->encoding : *read->added;
        if (!added_.empty()) same("rows", number(table, "max_length"), added_[0]["rows"]);
      }
    }
  }

  // The angles of the first patch, and how they grow from row to row and from column to column.
  void check_axial(const Json& layer, EncodingConfig encoding) {
    const Json& grid = layer["grid"];
    const double rows = grid[0], columns = grid[1];
    if (encoding.params.contains("rows")) encoding.params["rows"] = rows;
    encoding.params["columns"] = columns;
    const std::vector<double> places = {0, 0, 1, 0, 0, 1};  // the rest of the picture is the same
    const auto angles = phasor::rotary_angles(encoding, {places, 2}, layer["head_dim"]);
    if (!angles.ok()) return wrong(angles.status().message());
    const Json &by_row = layer["row_inv_freq"], &by_column = layer["column_inv_freq"];
    for (std::size_t t = 0; t < by_row.size(); ++t) {
      const std::size_t pairs = by_row.size();
      const double first = static_cast<double>(angles->data[t]),
                   row = static_cast<double>(angles->data[pairs + t]) - first,
                   column = static_cast<double>(angles->data[2 * pairs + t]) - first;
      // Measured at angles of several turns in float32.
      if (!near(row, by_row[t], 1e-3, 2e-5) || !near(column, by_column[t], 1e-3, 2e-5))
        return wrong(pair_of("pair " + std::to_string(t), Json({row, column}),
                             Json({by_row[t], by_column[t]})));
    }
  }

  void check_encoding(const Json& layer, int index) {
    phasor::ConfigOptions options{.sequence_length = length_};
    const std::string stack = layer.value("stack", "");
    options.stack = stack;
    if (stack.empty()) options.layer_idx = index;
    const auto read = phasor::encoding_from_config(file_, options);
    const bool attends = layer.value("attention", true);
    if (!read.ok()) {
      const std::string& why = read.status().message();
      const bool right = why.find("no queries") != why.npos || why.find("no attention") != why.npos;
      if (attends || !right) rejection_ = here_ + why;
      return;
    }
    const EncodingConfig& encoding = read->encoding;
    if (!attends) return wrong("does not attend, but is read as " + encoding.id);
    const std::string position = layer["position"];
    if (position == "rotary") {
      check_rotary(layer, encoding);
      if (layer.value("values_move", false) != read->rotates_values)
        wrong(pair_of("rotates_values", read->rotates_values, layer.value("values_move", false)));
    } else if (position == "alibi") {
      check_alibi(layer, encoding);
    } else if (position == "t5") {
      check_t5(encoding, stack);
    } else if (position == "learned") {
      check_learned(encoding, read->position_offset, stack);
    } else if (position == "sinusoidal") {
      check_sinusoidal(encoding, read->position_offset, stack);
    } else if (position == "none") {
      if (encoding.id != "none") wrong(pair_of("position", encoding.id, "none"));
    } else if (encoding.id != "deberta") {
      wrong(pair_of("position", encoding.id, layer.value("position_text", position)));
    }
    check_scale(layer, *read);
  }

  void check_scale(const Json& layer, const ConfigEncoding& read) {
    if (!layer.contains("scale") || layer["scale"].is_null() || layer.contains("scale_note"))
      return;
    const int dim = layer["head_dim"];
    double own = 1 / std::sqrt(static_cast<double>(dim));
    const auto made = phasor::create_encoding(read.encoding, {.dim = dim, .heads = layer["heads"]});
    if (made.ok() && (*made)->scale(dim)) own = *(*made)->scale(dim);
    if (!near(read.scale.value_or(own), layer["scale"], 2e-6))
      wrong(pair_of("scale", read.scale.value_or(own), layer["scale"]));
  }

  // Of heads whose last channels turn, the reader speaks of those alone.
  static int rotary_head(const Json& layer) {
    const Json& turning = layer["rotary_dims"];
    return turning["first"].get<int>() > 0 ? turning["count"].get<int>()
                                           : layer["head_dim"].get<int>();
  }

  void check_frequencies(const EncodingConfig& encoding, int dim, const Json& measured,
                         const Json& factor) {
    const auto read = phasor::rope_frequencies(encoding, dim);
    if (!read.ok()) return wrong(read.status().message());
    const phasor::Frequencies& said = *read;
    if (said.inv_freq.size() != measured.size())
      return wrong(pair_of("number of frequencies", said.inv_freq.size(), measured.size()));
    for (std::size_t i = 0; i < measured.size(); ++i) {
      if (!near(said.inv_freq[i], measured[i], 1.5e-6, 1e-12))
        return wrong(pair_of("inv_freq[" + std::to_string(i) + "]", said.inv_freq[i], measured[i]));
    }
    if (factor.is_number()) same("attention_factor", said.attention_factor, factor);
  }

  // The rotation of a vector with 1 in one channel.
  std::vector<float> turned(const EncodingConfig& encoding, int dim, int channel,
                            const std::vector<double>& at) {
    Tensor x({1, 1, dim});
    x.data[static_cast<std::size_t>(channel)] = 1;
    const auto rotated =
        phasor::apply_rotary(encoding, phasor::Role::query, {at, static_cast<int>(at.size())}, x);
    if (rotated.ok()) return rotated->data;
    wrong(rotated.status().message());
    return x.data;
  }

  void check_rotary(const Json& layer, const EncodingConfig& encoding) {
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

  void check_alibi(const Json& layer, const EncodingConfig& encoding) {
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

  void check_t5(const EncodingConfig& encoding, const std::string& stack) {
    if (encoding.id != "t5") return wrong(pair_of("position", encoding.id, "t5"));
    const Json& recorded = buckets_.contains(stack)       ? buckets_[stack]
                           : buckets_.contains("encoder") ? buckets_["encoder"]
                                                          : buckets_["decoder"];
    const int rows = buckets_["table_rows"];
    same("num_buckets", std::get<double>(encoding.params.at("num_buckets")), rows);
    // A table whose rows are their own numbers shows them as the bias.
    EncodingConfig numbered = encoding;
    Tensor table({rows, 1});
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
      // Logarithms in float32 may be on the other side of a whole number.
      const auto is = [&](int at) { return std::abs(at) < kLength && row_of(at) == row; };
      if (!is(distance) && !is(distance - 1) && !is(distance + 1))
        return wrong(pair_of("bucket of " + std::to_string(distance), row_of(distance), row));
    }
  }

  static double number(const EncodingConfig& encoding, const char* name) {
    const phasor::ParamValue* value = encoding.params.find(name);
    return value != nullptr ? std::get<double>(*value) : 0;
  }

  void check_learned(const EncodingConfig& encoding, double offset, const std::string& stack) {
    if (encoding.id != "learned") return wrong(pair_of("position", encoding.id, "learned"));
    const Json* measured = table_of("learned", stack);
    if (measured == nullptr) return;
    same("first row", number(encoding, "row_offset") + offset, (*measured)["offset"]);
    same("rows", number(encoding, "max_length"), (*measured)["rows"]);
  }

  void check_sinusoidal(const EncodingConfig& encoding, double offset, const std::string& stack) {
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
          return wrong("row " + std::to_string(p) + ", frequency " + std::to_string(i) +
                       " differs");
      }
    }
  }

  void check_longer() {
    for (const Json& more : longer_) {
      for (const Json& layer : more["layers"]) {
        if (layer["position"] != "rotary") continue;
        const int index = layer["indices"][0];
        here_ = "layer " + std::to_string(index) + " at " + more["sequence_length"].dump() + " ";
        const auto read = phasor::encoding_from_config(
            file_, {.layer_idx = index, .sequence_length = more["sequence_length"].get<double>()});
        if (!read.ok()) {
          rejection_ = here_ + read.status().message();
          continue;
        }
        check_frequencies(read->encoding, layers_[0]["head_dim"], layer["inv_freq"],
                          layer["attention_factor"]);
      }
    }
  }

  void check_layer(const Json& layer, int index) {
    const std::string stack = layer.value("stack", "");
    std::size_t place = static_cast<std::size_t>(index);
    if (stack == "decoder")
      place += static_cast<std::size_t>(
          std::count_if(said_.begin(), said_.end(),
                        [](const ConfigLayer& one) { return one.stack == "encoder"; }));
    if (place >= said_.size()) return wrong("is missing");
    const ConfigLayer& said = said_[place];
    if (said.stack != stack) wrong(pair_of("stack", said.stack, stack));
    if (!layer.value("attention", true)) {
      if (said.encoding) wrong(pair_of("layer", said.type, "no softmax attention"));
      return;
    }
    if (!said.encoding) return wrong(pair_of("layer", said.type, "softmax attention"));
    const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(); };
    // A text that is shorter than the window does not show it.
    if (layer.contains("window") || !said.window || *said.window < kMaskText)
      same("window", or_null(said.window), layer.value("window", Json()));
    same("window_ahead", or_null(said.window_ahead), layer.value("window_ahead", Json()));
    same("chunk", or_null(said.chunk), layer.value("chunk", Json()));
    same("softcap", or_null(said.softcap), layer.value("softcap", Json()));
    same("causal", said.causal, layer.value("causal", false));
    same("sinks", said.sinks, layer.value("sinks", false));
    check_norm(said.qk_norm, layer.value("qk_norm", Json()));
    check_temperature(said.temperature, layer.value("temperature", Json()));
  }

  void check_norm(const std::optional<phasor::LayerQkNorm>& said, const Json& measured) {
    if (said.has_value() != measured.is_object())
      return wrong(pair_of("qk_norm", said ? Json(said->over) : Json(), measured));
    if (!said) return;
    const auto same_word = [&](const char* field, const std::string& word) {
      if (measured.contains(field) && measured[field].is_string())
        same(field, word, measured[field]);
    };
    same_word("order", said->order == "before_encoding" ? "before rotation" : "after rotation");
    same_word("over", said->over);
    same_word("weight_form", said->weight_form);
    same_word("kind", said->norm);
    if (measured.contains("eps") && measured["eps"].is_number())
      same("eps of qk_norm", said->eps, measured["eps"], 1e-6);
  }

  void check_temperature(const std::optional<phasor::LayerTemperature>& said,
                         const Json& measured) {
    if (said.has_value() != measured.is_object())
      return wrong(pair_of("temperature", said.has_value(), measured));
    if (!said) return;
    const auto factor = [&](double p) {
      return 1 + said->attn_scale * std::log(1 + std::floor((p + said->first) / said->floor_scale));
    };
    for (std::size_t i = 0; i < measured["positions"].size(); ++i) {
      const double p = measured["positions"][i];
      same("temperature", factor(p) / factor(0), measured["factors"][i], 1e-5);
    }
  }

  static constexpr int kMaskText = 4096;
  const Json &layers_, &added_, &buckets_, &longer_;
  double length_;
  bool vision_;
  Params file_{};
  std::vector<ConfigLayer> said_{};
  std::string here_{}, problem_{}, rejection_{};
};

void run(Case& c) {
  const Json& rejected = c.raw("rejected");
  const bool versions_differ = c.raw("versions_differ").is_boolean();
  c.raw("image", "outputs");
  for (const auto& [name, config] : c.raw("configs").items()) {
    Form form(config, c);
    const bool tower = c.raw("kind").is_string();
    for (const char* what : {"encoding", "layers"}) {
      const bool all = what == std::string("layers");
      if (all && tower) continue;
      const std::string problem = all ? form.layers() : form.encodings();
      const std::string place = name + " " + what + ": ";
      // A short file leaves out what the versions have different defaults for.
      if (!problem.empty() && name == "config_short" && versions_differ) continue;
      if (!problem.empty()) c.fail(place + problem);
      if (rejected.is_string()) {
        if (form.rejection().find(rejected.get<std::string>()) == std::string::npos)
          c.fail(place + "is not rejected by: " + rejected.get<std::string>() + " " +
                 form.rejection());
      } else if (!form.rejection().empty()) {
        c.fail(place + "rejected: " + form.rejection());
      }
    }
  }
}

constexpr golden::Method kMethods[] = {{"model_family", run}};

}  // namespace

GOLDEN_FAMILY(families) { return kMethods; }

}  // namespace golden::family::families
