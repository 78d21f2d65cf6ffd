#include "golden_case.h"

namespace {

using golden::Case;

std::vector<double> positions_of(Case& c) {
  if (c.has("positions")) {
    std::vector<double> positions = c.numbers("positions");
    c.claims("n", static_cast<double>(positions.size()));
    return positions;
  }
  std::vector<double> positions;
  const int n = c.integer("n"), offset = c.integer_or("offset", 0);
  for (int p = 0; p < n; ++p) positions.push_back(offset + p);
  return positions;
}

// The two readings of an odd width are told apart by a sentence.
std::string odd_width(Case& c) {
  const std::string text = c.word("odd");
  if (text == "frequency exponent uses d rounded up to even, last cos dropped") return "rounded_up";
  if (text == "frequency exponent uses d, last cos dropped") return "formula";
  c.fail("param odd: \"" + text + "\" is not a known reading of an odd width");
  return "formula";
}

// (row, column) pairs of a table too large to write down.
void expect_sampled(Case& c, const phasor::Tensor& table) {
  const golden::Array index = c.input("index");
  if (index.shape.size() != 2 || index.shape[1] != 2) return c.fail("input index is not a list of (row, column)");
  std::vector<double> got;
  for (std::size_t i = 0; i < index.data.size(); i += 2) {
    const int row = static_cast<int>(index.data[i]), column = static_cast<int>(index.data[i + 1]);
    if (row < 0 || row >= table.shape[0] || column < 0 || column >= table.shape[1]) return c.fail("input index lies outside the table");
    got.push_back(static_cast<double>(phasor::matrix(table).row(row)[column]));
  }
  c.expect("pe_at_index", {index.shape[0]}, got, golden::kTable);
}

void run(Case& c, const char* layout) {
  phasor::EncodingConfig config{.id = "sinusoidal", .params = {{"layout", std::string(layout)}}};
  if (c.has("base")) config.params["base"] = c.number("base");
  if (c.has("odd")) config.params["odd_width"] = odd_width(c);
  const std::vector<double> positions = positions_of(c);
  phasor::Tensor table;
  if (!c.ok(phasor::table(config, positions, c.integer("d"), table))) return;
  if (c.has("sampled") && c.boolean("sampled")) {
    expect_sampled(c, table);
  } else {
    c.expect("pe", table, golden::kTable);
  }
}

constexpr golden::Method kMethods[] = {
    {"sinusoidal_interleaved", [](Case& c) { run(c, "interleaved"); }},
    {"sinusoidal_concat_paperfreq", [](Case& c) { run(c, "concatenated"); }},
};

}  // namespace

GOLDEN_FAMILY(sinusoidal) { return kMethods; }
