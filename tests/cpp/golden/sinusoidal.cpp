#include <algorithm>

#include "golden_case.h"

namespace golden::family::sinusoidal {
namespace {

std::vector<double> read_positions(Case& c) {
  if (c.has("positions")) {
    std::vector<double> positions = c.numbers("positions");
    c.expect_param("n", static_cast<double>(positions.size()));
    return positions;
  }
  std::vector<double> positions;
  const int n = c.integer("n"), position_offset = c.integer_or("offset", 0);
  for (int p = 0; p < n; ++p) positions.push_back(position_offset + p);
  return positions;
}

std::string odd_width(Case& c) {
  const std::string text = c.word("odd");
  if (text == "frequency exponent uses d rounded up to even, last cos dropped") return "rounded_up";
  if (text == "frequency exponent uses d, last cos dropped") return "formula";
  c.fail("param odd: \"" + text + "\" is not a known reading of an odd width");
  return "formula";
}

// Compares samples at (row, column) of a table that is too large for a file.
void expect_samples(Case& c, const phasor::Tensor& table) {
  const golden::Array index = c.input("index");
  if (index.shape.size() != 2 || index.shape[1] != 2)
    return c.fail("input index is not a list of (row, column)");
  std::vector<double> actual;
  for (std::size_t i = 0; i < index.data.size(); i += 2) {
    const int row = static_cast<int>(index.data[i]), column = static_cast<int>(index.data[i + 1]);
    if (row < 0 || row >= table.shape[0] || column < 0 || column >= table.shape[1])
      return c.fail("input index lies outside the table");
    actual.push_back(static_cast<double>(phasor::matrix(table).row(row)[column]));
  }
  c.expect("pe_at_index", {index.shape[0]}, actual, golden::kTable);
}

void run(Case& c, const char* layout) {
  phasor::EncodingConfig config{.id = "sinusoidal", .params = {{"layout", std::string(layout)}}};
  if (c.has("base")) config.params["base"] = c.number("base");
  if (c.has("odd")) config.params["odd_width"] = odd_width(c);
  const std::vector<double> positions = read_positions(c);
  phasor::Tensor table;
  if (!c.ok(phasor::position_table(config, positions, c.integer("d")), table)) return;
  if (c.has("sampled") && c.boolean("sampled")) {
    expect_samples(c, table);
  } else {
    c.expect("pe", table, golden::kTable);
  }
}

phasor::EncodingConfig make_concatenated(const char* frequencies) {
  return {.id = "sinusoidal",
          .params = {{"layout", std::string("concatenated")},
                     {"frequencies", std::string(frequencies)}}};
}

std::vector<double> make_range(int first, int last, int step) {
  std::vector<double> positions;
  for (int p = first; step > 0 ? p <= last : p >= last; p += step) positions.push_back(p);
  return positions;
}

void expect_table(Case& c, const phasor::EncodingConfig& config,
                  const std::vector<double>& positions, const char* output) {
  phasor::Tensor table;
  if (c.ok(phasor::position_table(config, positions, c.integer("d")), table))
    c.expect(output, table, golden::kTable);
}

void tensor2tensor(Case& c) {
  phasor::EncodingConfig config = make_concatenated("tensor2tensor");
  config.params["min_timescale"] = c.number("min_timescale");
  config.params["max_timescale"] = c.number("max_timescale");
  const int start = c.integer("start_index");
  expect_table(c, config, make_range(start, start + c.integer("n") - 1, 1), "pe");
}

void fairseq(Case& c) {
  phasor::EncodingConfig config = make_concatenated("fairseq");
  if (!c.is_null("padding_idx")) config.params["padding_idx"] = c.number("padding_idx");
  expect_table(c, config, make_range(0, c.integer("n") - 1, 1), "pe");
}

void run_scaled(Case& c) {
  c.expect_param("scale", std::string("d^-0.5 (initial value of a learned scalar)"));
  phasor::EncodingConfig config = make_concatenated("paper");
  config.params["scaled"] = true;
  expect_table(c, config, read_positions(c), "pe");
}

// ---- tables of signed distances

void transformer_xl(Case& c) {
  c.expect_param("positions", std::string("klen-1 .. 0"));
  expect_table(c, make_concatenated("paper"), make_range(c.integer("klen") - 1, 0, -1), "r");
}

void conformer(Case& c) {
  c.expect_param("rows", std::string("distance n-1 .. -(n-1); positive = key to the left (i>j)"));
  const int n = c.integer("n");
  expect_table(c, {.id = "sinusoidal", .params = {}}, make_range(n - 1, 1 - n, -1), "pe");
}

// Distances are clamped before the sine; a clamp of 0 or less has no effect.
void xlnet(Case& c) {
  const std::string type = c.word("attn_type");
  if (type != "bi" && type != "uni")
    return c.fail("param attn_type: \"" + type + "\" is not known");
  const int queries = c.integer("qlen"), clamp = c.integer("clamp_len");
  std::vector<double> distances = make_range(c.integer("klen"), type == "bi" ? 1 - queries : 0, -1);
  if (clamp > 0) {
    for (double& distance : distances) distance = std::clamp<double>(distance, -clamp, clamp);
  }
  expect_table(c, make_concatenated("paper"), distances, "r");
}

constexpr golden::Method kMethods[] = {
    {"sinusoidal_interleaved", [](Case& c) { run(c, "interleaved"); }},
    {"sinusoidal_concat_paperfreq", [](Case& c) { run(c, "concatenated"); }},
    {"sinusoidal_concat_t2t", tensor2tensor},
    {"sinusoidal_concat_fairseq", fairseq},
    {"sinusoidal_scaled_concat", run_scaled},
    {"sinusoidal_relative_txl", transformer_xl},
    {"sinusoidal_relative_interleaved", conformer},
    {"sinusoidal_relative_xlnet", xlnet},
};

}  // namespace

GOLDEN_FAMILY(sinusoidal) { return kMethods; }

}  // namespace golden::family::sinusoidal
