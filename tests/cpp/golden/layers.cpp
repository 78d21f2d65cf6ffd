// Windows, bases and layers without positions, as layers_from_config reads them.

#include "golden_case.h"

namespace golden::family::layers {
namespace {

// The config of a model with this layer pattern.
phasor::Params make_params(Case& c, const std::string& pattern) {
  const bool has_nope_layers = pattern == "nope_every";
  phasor::Params file = {{"model_type", has_nope_layers ? std::string("smollm3") : pattern},
                         {"num_hidden_layers", c.number("layers")},
                         {"rope_theta", c.number(pattern == "gemma3" ? "global_base" : "base")}};
  if (!has_nope_layers) file["sliding_window"] = c.number("window");
  if (pattern == "gemma3") file["rope_local_base_freq"] = c.number("local_base");
  if (c.has("every"))
    file[has_nope_layers ? "no_rope_layer_interval" : "sliding_window_pattern"] = c.number("every");
  return file;
}

void run(Case& c) {
  const std::string pattern = c.word("pattern");
  std::vector<phasor::ConfigLayer> layers;
  if (!c.ok(phasor::layers_from_config(make_params(c, pattern)), layers)) return;
  std::vector<double> windows, without, bases;
  for (const phasor::ConfigLayer& layer : layers) {
    windows.push_back(layer.window.value_or(0));
    without.push_back(layer.encoding->id == "none" ? 1 : 0);
    // Layers without rotation have no base; the file lists the param `base` for them.
    const phasor::ParamValue* base = layer.encoding->params.find("base");
    bases.push_back(base != nullptr ? std::get<double>(*base) : c.number("base"));
  }
  const std::vector<int> shape = {static_cast<int>(layers.size())};
  c.expect("window", shape, windows, 0);
  c.expect("no_encoding", shape, without, 0);
  c.expect("base", shape, bases, 0);
}

constexpr golden::Method kMethods[] = {{"layer_pattern", run}};

}  // namespace

GOLDEN_FAMILY(layers) { return kMethods; }

}  // namespace golden::family::layers
