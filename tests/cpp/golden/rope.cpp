#include "golden_case.h"

namespace {

using golden::Case;

// The angles at position 1 are the frequencies.
void inverse_frequencies(Case& c) {
  phasor::EncodingConfig config{.id = "rope", .params = {}};
  if (c.has("base")) config.params["base"] = c.number("base");
  phasor::Tensor angles;
  if (!c.ok(phasor::angles(config, std::vector<double>{1}, c.integer("d"), angles))) return;
  angles.shape = {angles.shape[1]};
  c.expect_relative("inv_freq", angles, 1e-6);
}

std::vector<double> positions_of(Case& c, int tokens) {
  if (c.has_input("position_ids")) return c.input("position_ids").data;
  std::vector<double> positions;
  const double offset = c.number_or("offset", 0);
  for (int t = 0; t < tokens; ++t) positions.push_back(offset + t);
  return positions;
}

void turn(Case& c, const char* layout, const std::string& name, phasor::Role role) {
  phasor::Tensor x = c.tensor(name);
  if (x.rank() != 3) return c.fail("input " + name + " is not [head, token, channel]");
  c.claims("n", x.shape[1]);
  c.claims("d", x.shape[2]);
  phasor::EncodingConfig config{.id = "rope", .params = {{"layout", std::string(layout)}}};
  if (c.has("base")) config.params["base"] = c.number("base");
  const std::vector<double> positions = positions_of(c, x.shape[1]);
  if (c.ok(phasor::rotate(config, role, positions, x))) c.expect(name + "_rot", x, golden::kTable);
}

void run(Case& c, const char* layout) {
  turn(c, layout, "q", phasor::Role::query);
  if (c.has_input("k")) turn(c, layout, "k", phasor::Role::key);
}

constexpr golden::Method kMethods[] = {
    {"rope_inv_freq", inverse_frequencies},
    {"rope_half", [](Case& c) { run(c, "half_split"); }},
    {"rope_interleaved", [](Case& c) { run(c, "interleaved"); }},
};

}  // namespace

GOLDEN_FAMILY(rope) { return kMethods; }
