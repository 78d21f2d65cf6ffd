// Rotations of queries and keys, and layer pattern and temperature of iRoPE.

#include <cmath>

#include "golden_case.h"

namespace golden::family::rope {
namespace {

using phasor::EncodingConfig;
using phasor::Role;

EncodingConfig make_config(Case& c, const char* id, phasor::Params params) {
  EncodingConfig config{.id = id, .params = std::move(params)};
  if (c.has("base")) config.params["base"] = c.number("base");
  return config;
}

// Compares the angles at position 1, which are the frequencies.
void expect_frequencies(Case& c, const EncodingConfig& config, int dim) {
  phasor::Tensor angles;
  if (!c.ok(phasor::rotary_angles(config, std::vector<double>{1}, dim), angles)) return;
  angles.shape = {angles.shape[1]};
  c.expect_relative("inv_freq", angles, 1e-6);
}

std::vector<double> read_positions(Case& c, int tokens) {
  if (c.has_input("position_ids")) return c.input("position_ids").data;
  std::vector<double> positions;
  const double position_offset = c.number_or("offset", 0);
  for (int t = 0; t < tokens; ++t) positions.push_back(position_offset + t);
  return positions;
}

void rotate(Case& c, const EncodingConfig& config, Role role, const std::string& name,
            const std::string& suffix = "_rot") {
  phasor::Tensor x = c.tensor(name);
  if (x.rank() != 3) return c.fail("input " + name + " is not [head, token, channel]");
  c.expect_param("n", x.shape[1]);
  c.expect_param("d", x.shape[2]);
  const std::vector<double> positions = read_positions(c, x.shape[1]);
  if (c.ok(phasor::apply_rotary(config, role, positions, x), x))
    c.expect(name + suffix, x, golden::kTable);
}

void rotate_query_and_key(Case& c, const EncodingConfig& config) {
  rotate(c, config, Role::query, "q");
  if (c.has_input("k")) rotate(c, config, Role::key, "k");
}

void run_rope(Case& c, const char* layout) {
  rotate_query_and_key(c, make_config(c, "rope", {{"layout", std::string(layout)}}));
}

void run_partial_rope(Case& c, const char* layout) {
  const EncodingConfig config = make_config(
      c, "rope", {{"layout", std::string(layout)}, {"rotary_dim", c.number("rotary_dim")}});
  if (c.has_output("inv_freq")) expect_frequencies(c, config, c.integer("d"));
  rotate_query_and_key(c, config);
}

void proportional(Case& c) {
  const EncodingConfig config = make_config(
      c, "rope", {{"layout", std::string("half_split")}, {"kept_fraction", c.number("p")}});
  if (c.has_output("inv_freq")) expect_frequencies(c, config, c.integer("d"));
  rotate(c, config, Role::query, "q", "_rot_half");
}

void xpos(Case& c, const char* center, const char* formula) {
  EncodingConfig config = make_config(c, "xpos",
                                      {{"center", std::string(center)},
                                       {"length", c.number("n")},
                                       {"scale_base", c.number("scale_base")}});
  if (c.has("gamma")) config.params["gamma"] = c.number("gamma");
  c.expect_param("center", std::string(formula));
  rotate_query_and_key(c, config);
  if (!c.has_output("zeta")) return;
  // At scale_base tokens from the centre a query is scaled by zeta, which is measured by a pair of
  // length sqrt(2).
  config.params["length"] = 0.0;
  const int dim = c.integer("d");
  phasor::Tensor ones({1, 1, dim}), zeta({dim / 2});
  for (float& x : ones.data) x = 1;
  if (!c.ok(phasor::apply_rotary(config, Role::query, std::vector<double>{c.number("scale_base")},
                                 ones),
            ones))
    return;
  for (std::size_t t = 0; t < zeta.data.size(); ++t) {
    zeta.data[t] = static_cast<float>(std::hypot(static_cast<double>(ones.data[2 * t]),
                                                 static_cast<double>(ones.data[2 * t + 1])) /
                                      std::sqrt(2.0));
  }
  c.expect("zeta", zeta, golden::kTable);
}

// position_ids_thw [axis, token] -> positions with three coordinates.
void mrope(Case& c, const char* arrangement) {
  const std::vector<double> sections = c.numbers("mrope_section");
  const golden::Array ids = c.input("position_ids_thw");
  if (ids.shape.size() != 2 || ids.shape[0] != 3)
    return c.fail("input position_ids_thw is not [3, token]");
  const std::size_t tokens = static_cast<std::size_t>(ids.shape[1]);
  std::vector<double> coordinates;
  for (std::size_t token = 0; token < tokens; ++token) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      coordinates.push_back(ids.data[axis * tokens + token]);
  }
  const phasor::Positions positions(coordinates, 3);
  EncodingConfig config = make_config(c, "mrope", {{"arrangement", std::string(arrangement)}});
  config.params["sections"] =
      phasor::Tensor({static_cast<int>(sections.size())}, {sections.begin(), sections.end()});
  if (c.has_output("angle")) {
    phasor::Tensor angles;
    if (!c.ok(phasor::rotary_angles(config, positions, c.integer("d")), angles)) return;
    c.expect("angle", angles, golden::kTable);
  }
  for (const char* name : {"q", "k"}) {
    if (!c.has_input(name)) continue;
    phasor::Tensor x = c.tensor(name);
    c.expect_param("d", x.shape.back());
    if (!c.ok(phasor::apply_rotary(config, name[0] == 'q' ? Role::query : Role::key, positions, x),
              x))
      return;
    c.expect(std::string(name) + "_rot", x, golden::kTable);
  }
}

void temperature(Case& c) {
  const golden::Array ids = c.input("position_ids");
  const double floor_scale = c.number("floor_scale"), attn_scale = c.number("attn_scale");
  std::vector<double> actual;
  for (const double position : ids.data) {
    if (!c.ok(phasor::query_temperature(position, floor_scale, attn_scale), actual.emplace_back()))
      return;
  }
  c.expect("q_scale", ids.shape, actual, golden::kTable);
}

void layer_pattern(Case& c) {
  const int layers = c.integer("layers"), interval = c.integer("interval");
  std::vector<double> actual;
  for (int layer = 0; layer < layers; ++layer)
    actual.push_back(phasor::uses_rope(layer, interval) ? 1 : 0);
  c.expect("uses_rope", {layers}, actual, 0);
}

constexpr golden::Method kMethods[] = {
    {"rope_inv_freq",
     [](Case& c) { expect_frequencies(c, make_config(c, "rope", {}), c.integer("d")); }},
    {"rope_half", [](Case& c) { run_rope(c, "half_split"); }},
    {"rope_interleaved", [](Case& c) { run_rope(c, "interleaved"); }},
    {"rope_partial_half", [](Case& c) { run_partial_rope(c, "half_split"); }},
    {"rope_partial_interleaved", [](Case& c) { run_partial_rope(c, "interleaved"); }},
    {"rope_p", proportional},
    {"xpos_torchscale", [](Case& c) { xpos(c, "torchscale", "min_pos = floor(-n/2)"); }},
    {"xpos_lucidrains", [](Case& c) { xpos(c, "lucidrains", "pos - n//2"); }},
    {"mrope_sections", [](Case& c) { mrope(c, "contiguous"); }},
    {"mrope_interleaved", [](Case& c) { mrope(c, "interleaved"); }},
    {"nope_attention_temperature", temperature},
    {"irope_layer_pattern", layer_pattern},
};

}  // namespace

GOLDEN_FAMILY(rope) { return kMethods; }

}  // namespace golden::family::rope
