#include "golden_case.h"

namespace golden::family::simple {
namespace {

using phasor::EncodingConfig;

std::vector<double> make_positions(int n) {
  std::vector<double> positions;
  for (int p = 0; p < n; ++p) positions.push_back(p);
  return positions;
}

void expect_table(Case& c, const EncodingConfig& config, int dim) {
  phasor::Tensor table;
  if (c.ok(phasor::position_table(config, make_positions(c.integer("n")), dim), table))
    c.expect("pe", table, golden::kTable);
}

// Compares an encoding that counts tokens from `start`.
void expect_table_from_start(Case& c, const char* id, int dim) {
  expect_table(c, {.id = id, .params = {{"start", c.number("start")}}}, dim);
}

void normalised(Case& c) {
  static const std::map<std::string, std::string> conventions = {
      {"(i+1)/n", "over_n_from_one"}, {"i/n", "over_n"}, {"i/(n-1)", "linspace"}};
  const std::string text = c.word("convention");
  if (!conventions.contains(text)) return c.fail("param convention: \"" + text + "\" is not known");
  expect_table(c, {.id = "normalised_index", .params = {{"convention", conventions.at(text)}}}, 1);
}

void multi_frequency(Case& c) {
  c.expect_param("layout", std::string("sin(p/1),cos(p/1),sin(p/2),cos(p/2),..."));
  expect_table_from_start(c, "multi_frequency", 2 * c.integer("K"));
}

void binary(Case& c) {
  const std::string text = c.word("order");
  const bool msb = text.starts_with("most significant bit first"),
             lsb = text.starts_with("least significant bit first");
  if (!msb && !lsb) return c.fail("param order: \"" + text + "\" is not known");
  expect_table(
      c, {.id = "binary", .params = {{"order", std::string(msb ? "msb_first" : "lsb_first")}}},
      c.integer("bits"));
}

void learned(Case& c) {
  const phasor::Tensor rows = c.tensor("table");
  if (rows.rank() != 2) return c.fail("input table is not [position, channel]");
  c.expect_param("max_len", rows.shape[0]);
  phasor::Tensor table;
  const EncodingConfig config{.id = "learned", .params = {{"table", rows}}};
  if (c.ok(phasor::position_table(config, c.input("position_ids").data, c.integer("d")), table))
    c.expect("pe", table, golden::kTable);
}

void combine(Case& c) {
  const phasor::Tensor x = c.tensor("x"), pe = c.tensor("pe");
  phasor::Tensor out;
  if (c.has_output("add") && c.ok(phasor::combine(x, pe, phasor::CombineMode::add), out))
    c.expect("add", out, golden::kTable);
  if (c.has_output("concat") &&
      c.ok(phasor::combine(x, pe, phasor::CombineMode::concatenate), out)) {
    c.expect("concat", out, golden::kTable);
  }
}

void padding_aware(Case& c) {
  const golden::Array ids = c.input("input_ids");
  const int padding_idx = c.integer("padding_idx"), past_length = c.integer("past");
  if (ids.shape.size() != 2) return c.fail("input input_ids is not [row, token]");
  std::vector<double> all_positions;
  for (int row = 0; row < ids.shape[0]; ++row) {
    std::vector<std::uint8_t> visible;
    for (int t = 0; t < ids.shape[1]; ++t)
      visible.push_back(ids.data[static_cast<std::size_t>(row * ids.shape[1] + t)] != padding_idx);
    std::vector<double> positions;
    if (!c.ok(phasor::position_ids(visible, phasor::PositionIdMode::fairseq, padding_idx,
                                   past_length),
              positions))
      return;
    all_positions.insert(all_positions.end(), positions.begin(), positions.end());
  }
  c.expect("position_ids", ids.shape, all_positions, golden::kTable);
}

constexpr golden::Method kMethods[] = {
    {"index_raw", [](Case& c) { expect_table_from_start(c, "index", 1); }},
    {"index_normalised", normalised},
    {"single_sine", [](Case& c) { expect_table_from_start(c, "sine", 1); }},
    {"sin_cos_pair", [](Case& c) { expect_table_from_start(c, "sin_cos", 2); }},
    {"multi_frequency_1_over_k", multi_frequency},
    {"binary", binary},
    {"learned_absolute", learned},
    {"combine", combine},
    {"position_ids_padding_aware", padding_aware},
};

}  // namespace

GOLDEN_FAMILY(simple) { return kMethods; }

}  // namespace golden::family::simple
