#include "golden_case.h"

namespace golden::family::shaw {
namespace {

// All rows of n tokens, some rows of a longer text, or the single row of a cache, whose query is
// the last key.
void run_index(Case& c) {
  const bool cache = c.has("cache") && c.boolean("cache");
  const int keys = c.has("n") ? c.integer("n") : c.integer("k_len"),
            queries = c.has("n") ? keys : c.integer("q_len");
  const double position_offset = c.number_or("q_offset", keys - queries);
  if (cache && queries != 1) return c.fail("param cache: only one query is known");
  const int clip = c.integer("clip");
  std::vector<double> actual;
  for (int i = 0; i < queries; ++i) {
    for (int j = 0; j < keys; ++j) {
      int row = 0;
      if (!c.ok(phasor::shaw_index(j - (position_offset + i), clip), row)) return;
      actual.push_back(row);
    }
  }
  c.expect("index", {queries, keys}, actual, 0);
}

void run_proximal(Case& c) {
  const int n = c.integer("n");
  phasor::Tensor bias;
  if (!c.ok(phasor::attention_bias({.id = "proximal", .params = {}}, 1, n, n, 0), bias)) return;
  bias.shape = {n, n};
  c.expect("bias", bias, golden::kTable);
}

constexpr golden::Method kMethods[] = {
    {"shaw_index", run_index},
    {"t2t_proximal_bias", run_proximal},
};

}  // namespace

GOLDEN_FAMILY(shaw) { return kMethods; }

}  // namespace golden::family::shaw
