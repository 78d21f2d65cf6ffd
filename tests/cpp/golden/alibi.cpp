#include "golden_case.h"

namespace {

using golden::Case;

phasor::EncodingConfig alibi(const char* form) { return {.id = "alibi", .params = {{"form", std::string(form)}}}; }

// A query one step after its key is penalised by the slope itself.
void slopes(Case& c) {
  phasor::Tensor one_step;
  if (!c.ok(phasor::bias(alibi("causal"), c.integer("heads"), 1, 1, 1, one_step))) return;
  one_step.shape = {one_step.shape[0]};
  for (float& x : one_step.data) x = -x;
  c.expect_relative("slopes", one_step, 1e-6);
}

void symmetric(Case& c) {
  const int queries = c.integer("q_len"), keys = c.integer("k_len");
  const double offset = c.number_or("q_offset", keys - queries);
  phasor::Tensor bias;
  if (c.ok(phasor::bias(alibi("symmetric"), c.integer("heads"), queries, keys, offset, bias))) c.expect("bias", bias, golden::kTable);
}

// NeMo gives all rows when both sides are seen, and only the last row of the causal form otherwise.
void nemo(Case& c) {
  const int n = c.integer("n");
  const bool both = c.boolean("bidirectional");
  phasor::Tensor bias;
  const phasor::Status status =
      phasor::bias(alibi(both ? "symmetric" : "causal"), c.integer("heads"), both ? n : 1, n, both ? 0 : n - 1, bias);
  if (c.ok(status)) c.expect("bias", bias, golden::kTable);
}

constexpr golden::Method kMethods[] = {
    {"alibi_slopes", slopes},
    {"alibi_symmetric", symmetric},
    {"alibi_nemo", nemo},
};

}  // namespace

GOLDEN_FAMILY(alibi) { return kMethods; }
