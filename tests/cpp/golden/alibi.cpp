#include "golden_case.h"

namespace golden::family::alibi {
namespace {

phasor::EncodingConfig alibi(const char* form) {
  return {.id = "alibi", .params = {{"form", std::string(form)}}};
}

void slopes(Case& c) {
  const int heads = c.integer("heads");
  std::vector<double> actual;
  if (!c.ok(phasor::alibi_slopes(heads), actual)) return;
  c.expect_relative("slopes", phasor::Tensor({heads}, {actual.begin(), actual.end()}), 1e-6);
}

void symmetric(Case& c) {
  const int queries = c.integer("q_len"), keys = c.integer("k_len");
  const double position_offset = c.number_or("q_offset", keys - queries);
  phasor::Tensor bias;
  if (c.ok(phasor::attention_bias(alibi("symmetric"), c.integer("heads"), queries, keys,
                                  position_offset),
           bias))
    c.expect("bias", bias, golden::kTable);
}

// NeMo returns all rows of the symmetric form, and only the last row of the causal form.
void nemo(Case& c) {
  const int n = c.integer("n");
  const bool is_bidirectional = c.boolean("bidirectional");
  const auto bias =
      phasor::attention_bias(alibi(is_bidirectional ? "symmetric" : "causal"), c.integer("heads"),
                             is_bidirectional ? n : 1, n, is_bidirectional ? 0 : n - 1);
  if (c.ok(bias.status())) c.expect("bias", *bias, golden::kTable);
}

// BLOOM counts only keys that are not padding; padding has position 0.
std::vector<double> padded_positions(const double* mask, int n) {
  std::vector<double> positions;
  double seen_count = 0;
  for (int j = 0; j < n; ++j) {
    seen_count += mask[j];
    positions.push_back((seen_count - 1) * mask[j]);
  }
  return positions;
}

void bloom(Case& c) {
  const golden::Array mask = c.input("attention_mask");
  if (mask.shape.size() != 2) return c.fail("input attention_mask is not [batch, key]");
  const int batch = mask.shape[0], n = mask.shape[1], heads = c.integer("heads");
  phasor::Tensor biases({batch, heads, n});
  for (int b = 0; b < batch; ++b) {
    const std::vector<double> keys =
        padded_positions(mask.data.data() + static_cast<std::ptrdiff_t>(b) * n, n);
    phasor::Tensor bias;
    if (!c.ok(phasor::attention_bias(alibi("row_shifted"), heads, std::vector<double>{0}, keys),
              bias))
      return;
    std::copy(bias.data.begin(), bias.data.end(),
              biases.data.begin() + static_cast<std::ptrdiff_t>(b) * heads * n);
  }
  c.expect("alibi", biases, golden::kTable);
}

void mpt(Case& c) {
  const int n = c.integer("n");
  phasor::EncodingConfig config = alibi("mpt");
  config.params["max_seq_len"] = static_cast<double>(n);
  config.params["bias_max"] = c.number("alibi_bias_max");
  phasor::Tensor bias;
  if (!c.ok(phasor::attention_bias(config, c.integer("heads"), 1, n, 0), bias)) return;
  bias.shape = {bias.shape[0], n};
  c.expect("alibi", bias, golden::kTable);
}

constexpr golden::Method kMethods[] = {
    {"alibi_slopes", slopes},   {"alibi_symmetric", symmetric}, {"alibi_nemo", nemo},
    {"alibi_bloom_row", bloom}, {"alibi_mpt_row", mpt},
};

}  // namespace

GOLDEN_FAMILY(alibi) { return kMethods; }

}  // namespace golden::family::alibi
