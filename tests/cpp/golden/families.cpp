// Compares the positions read from each form of a config, layer by layer, with values measured in
// the model of transformers. A model without an encoding must be rejected for the reason in its
// case.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "golden_positions.h"

namespace golden::family::families {
namespace {

using phasor::ConfigEncoding;
using phasor::ConfigLayer;
using phasor::EncodingConfig;
using phasor::Params;
using phasor::Tensor;

// Flattens a config.json like the package does: paths are joined by dots, and lists become tensors
// or one string.
void flatten(const Json& value, const std::string& path, Params& out) {
  const auto all = [&](auto is) { return std::all_of(value.begin(), value.end(), is); };
  if (value.is_object()) {
    for (const auto& [key, child] : value.items())
      flatten(child, path.empty() ? key : path + "." + key, out);
  } else if (value.is_null()) {
    out.add(path, Tensor{});
  } else if (value.is_number()) {
    out.add(path, value.get<double>());
  } else if (value.is_boolean()) {
    out.add(path, value.get<bool>());
  } else if (value.is_string()) {
    out.add(path, value.get<std::string>());
  } else if (all([](const Json& item) { return item.is_number() || item.is_boolean(); })) {
    Tensor list({static_cast<int>(value.size())});
    for (std::size_t i = 0; i < value.size(); ++i) list.data[i] = value[i].get<float>();
    out.add(path, std::move(list));
  } else if (all([](const Json& item) { return item.is_string(); })) {
    std::string words;
    for (const Json& item : value) words += (words.empty() ? "" : ", ") + item.get<std::string>();
    out.add(path, std::move(words));
  } else {
    for (std::size_t i = 0; i < value.size(); ++i)
      flatten(value[i], path + "." + std::to_string(i), out);
  }
}

// One form of the config of a case. Keeps the first problem of each kind.
class Form : private PositionCheck {
 public:
  Form(const Json& config, Case& c)
      : PositionCheck(c.raw("added", "outputs"), c.raw("buckets", "outputs")),
        layers_(c.raw("layers", "outputs")),
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
    got_ = *read;
    std::size_t count = 0;
    each([&](const Json&, int) { ++count; });
    if (!layers_[0].contains("stack") && got_.size() != count)
      fail(diff("layers", got_.size(), count));
    each([&](const Json& layer, int index) { check_layer(layer, index); });
    return problem_;
  }
  const std::string& rejection() const { return rejection_; }

 private:
  template <class Check>
  void each(Check check) {
    for (const Json& layer : layers_) {
      for (const Json& index : layer["indices"]) {
        prefix_ = (layer.contains("stack") ? layer["stack"].get<std::string>() + " " : "") +
                  "layer " + index.dump() + " ";
        check(layer, index.get<int>());
      }
    }
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
      if (read->encoding.id != kind) return fail(diff("position", read->encoding.id, kind));
      if (kind == "rope_2d") check_axial(layer, read->encoding);
      if (kind == "learned" || read->added) {
        const EncodingConfig& table = kind == "learned" ? read->encoding : *read->added;
        if (!added_.empty()) match("rows", number(table, "max_length"), added_[0]["rows"]);
      }
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
      const std::string& reason = read.status().message();
      const bool expected = reason.find("no queries") != reason.npos ||
                            reason.find("neither attention") != reason.npos;
      if (attends || !expected) rejection_ = prefix_ + reason;
      return;
    }
    const EncodingConfig& encoding = read->encoding;
    if (!attends) return fail("has no attention, but is read as " + encoding.id);
    const std::string position = layer["position"];
    if (position == "rotary") {
      check_rotary(layer, encoding);
      if (layer.value("values_move", false) != read->rotates_values)
        fail(diff("rotates_values", read->rotates_values, layer.value("values_move", false)));
    } else if (position == "alibi") {
      check_alibi(layer, encoding);
    } else if (position == "t5") {
      check_t5(encoding, stack);
    } else if (position == "learned") {
      check_learned(encoding, read->position_offset, stack);
    } else if (position == "sinusoidal") {
      check_sinusoidal(encoding, read->position_offset, stack);
    } else if (position == "none") {
      if (encoding.id != "none") fail(diff("position", encoding.id, "none"));
    } else if (encoding.id != "deberta") {
      fail(diff("position", encoding.id, layer.value("position_text", position)));
    }
    check_scale(layer, *read);
  }

  void check_scale(const Json& layer, const ConfigEncoding& read) {
    if (!layer.contains("scale") || layer["scale"].is_null() || layer.contains("scale_note"))
      return;
    const int dim = layer["head_dim"];
    double scale = 1 / std::sqrt(static_cast<double>(dim));
    const auto made = phasor::create_encoding(read.encoding, {.dim = dim, .heads = layer["heads"]});
    if (made.ok() && (*made)->scale(dim)) scale = *(*made)->scale(dim);
    if (std::abs(read.scale.value_or(scale) / layer["scale"].get<double>() - 1) > 2e-6)
      fail(diff("scale", read.scale.value_or(scale), layer["scale"]));
  }

  void check_longer() {
    for (const Json& longer : longer_) {
      for (const Json& layer : longer["layers"]) {
        if (layer["position"] != "rotary") continue;
        const int index = layer["indices"][0];
        prefix_ =
            "layer " + std::to_string(index) + " at " + longer["sequence_length"].dump() + " ";
        const auto read = phasor::encoding_from_config(
            file_,
            {.layer_idx = index, .sequence_length = longer["sequence_length"].get<double>()});
        if (!read.ok()) {
          rejection_ = prefix_ + read.status().message();
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
          std::count_if(got_.begin(), got_.end(),
                        [](const ConfigLayer& other) { return other.stack == "encoder"; }));
    if (place >= got_.size()) return fail("is missing");
    const ConfigLayer& got = got_[place];
    if (got.stack != stack) fail(diff("stack", got.stack, stack));
    if (!layer.value("attention", true)) {
      if (got.encoding) fail(diff("layer", got.type, "no softmax attention"));
      return;
    }
    if (!got.encoding) return fail(diff("layer", got.type, "softmax attention"));
    const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(); };
    // The config may omit these.
    if (got.heads) match("heads", *got.heads, layer["heads"]);
    if (got.kv_heads) match("kv_heads", *got.kv_heads, layer.value("kv_heads", Json()));
    if (got.head_dim) match("head_dim", *got.head_dim, layer["head_dim"]);
    // A measured text that is shorter than the window does not reveal it.
    if (layer.contains("window") || !got.window || *got.window < kMaskText)
      match("window", or_null(got.window), layer.value("window", Json()));
    match("window_ahead", or_null(got.window_ahead), layer.value("window_ahead", Json()));
    if (got.patch_window && layer.contains("grid")) {
      // Patch windows are not measured, so the image must fit in one.
      for (const Json& size : layer["grid"])
        if (size > *got.patch_window) return fail(diff("window", *got.patch_window, size));
    }
    match("chunk", or_null(got.chunk), layer.value("chunk", Json()));
    match("softcap", or_null(got.softcap), layer.value("softcap", Json()));
    match("causal", got.causal, layer.value("causal", false));
    match("sinks", got.sinks, layer.value("sinks", false));
    check_norm(got.qk_norm, layer.value("qk_norm", Json()));
    check_temperature(got.temperature, layer.value("temperature", Json()));
  }

  void check_norm(const std::optional<phasor::LayerQkNorm>& got, const Json& measured) {
    if (got.has_value() != measured.is_object())
      return fail(diff("qk_norm", got ? Json(got->over) : Json(), measured));
    if (!got) return;
    const auto expect = [&](const char* field, const std::string& word) {
      if (measured.contains(field) && measured[field].is_string())
        match(field, word, measured[field]);
    };
    expect("order", got->order == "before_encoding" ? "before rotation" : "after rotation");
    expect("over", got->over);
    expect("weight_form", got->weight_form);
    expect("kind", got->norm);
    if (measured.contains("eps") && measured["eps"].is_number())
      match("eps of qk_norm", got->eps, measured["eps"], 1e-6);
  }

  void check_temperature(const std::optional<phasor::LayerTemperature>& got, const Json& measured) {
    if (got.has_value() != measured.is_object())
      return fail(diff("temperature", got.has_value(), measured));
    if (!got) return;
    const auto factor = [&](double p) {
      return 1 + got->attn_scale * std::log(1 + std::floor((p + got->first) / got->floor_scale));
    };
    for (std::size_t i = 0; i < measured["positions"].size(); ++i) {
      const double p = measured["positions"][i];
      match("temperature", factor(p) / factor(0), measured["factors"][i], 1e-5);
    }
  }

  static constexpr int kMaskText = 4096;
  const Json &layers_, &longer_;
  double length_;
  bool vision_;
  Params file_{};
  std::vector<ConfigLayer> got_{};
  std::string rejection_{};
};

void run(Case& c) {
  const Json& rejected = c.raw("rejected");
  const bool versions_differ = c.raw("versions_differ").is_boolean();
  c.raw("image", "outputs");
  for (const auto& [name, config] : c.raw("configs").items()) {
    Form form(config, c);
    for (const char* what : {"encoding", "layers"}) {
      const bool by_layer = what == std::string("layers");
      const std::string problem = by_layer ? form.layers() : form.encodings();
      const std::string prefix = name + " " + what + ": ";
      // A short config omits keys whose defaults differ by version.
      if (!problem.empty() && name == "config_short" && versions_differ) continue;
      if (!problem.empty()) c.fail(prefix + problem);
      if (rejected.is_string()) {
        if (form.rejection().find(rejected.get<std::string>()) == std::string::npos)
          c.fail(prefix + "is not rejected by: " + rejected.get<std::string>() + " " +
                 form.rejection());
      } else if (!form.rejection().empty()) {
        c.fail(prefix + "rejected: " + form.rejection());
      }
    }
  }
}

constexpr golden::Method kMethods[] = {{"model_family", run}};

}  // namespace

GOLDEN_FAMILY(families) { return kMethods; }

}  // namespace golden::family::families
