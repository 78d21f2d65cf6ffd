#include "golden_case.h"

namespace golden::family::t5 {
namespace {

void bucket(Case& c) {
  c.expect_param("eps", std::string("float32 machine epsilon added inside the log"));
  const golden::Array r = c.input("relative_position");
  std::vector<int> actual;
  if (!c.ok(phasor::t5_bucket(std::vector<int>(r.data.begin(), r.data.end()),
                              c.integer("num_buckets"), c.integer("max_distance"),
                              c.boolean("bidirectional")),
            actual)) {
    return;
  }
  c.expect("bucket", r.shape, {actual.begin(), actual.end()}, 0);
}

phasor::EncodingConfig t5(Case& c, bool bidirectional) {
  return {.id = "t5",
          .params = {{"num_buckets", c.number("num_buckets")},
                     {"max_distance", c.number("max_distance")},
                     {"bidirectional", bidirectional},
                     {"table", c.tensor("table")}}};
}

void expect_bias(Case& c, const phasor::EncodingConfig& config, double position_offset) {
  phasor::Tensor bias;
  if (!c.ok(phasor::attention_bias(config, c.integer("heads"), c.integer("q_len"),
                                   c.integer("k_len"), position_offset),
            bias))
    return;
  c.expect("bias", bias, golden::kTable);
}

void bias(Case& c) {
  expect_bias(c, t5(c, c.boolean("bidirectional")), c.number_or("q_offset", 0));
}

// x-transformers multiplies the bias by a factor, and its queries are the last keys.
void run_scaled(Case& c) {
  phasor::EncodingConfig config = t5(c, !c.boolean("causal"));
  config.params["multiplier"] = c.number("scale");
  expect_bias(c, config, c.integer("k_len") - c.integer("q_len"));
}

void toeplitz(Case& c) {
  const int n = c.integer("n");
  c.expect_param("index", std::string("b[i-j + n-1], i=query, j=key"));
  phasor::Tensor bias;
  const phasor::EncodingConfig config{
      .id = "relative_bias",
      .params = {{"max_length", static_cast<double>(n)}, {"b", c.tensor("b")}}};
  if (!c.ok(phasor::attention_bias(config, 1, n, n, 0), bias)) return;
  bias.shape = {n, n};
  c.expect("bias", bias, golden::kTable);
}

constexpr golden::Method kMethods[] = {
    {"t5_bucket", bucket},          {"t5_bucket_flaxformer", bucket},  {"t5_bias", bias},
    {"t5_bias_scaled", run_scaled}, {"bias_plain_toeplitz", toeplitz},
};

}  // namespace

GOLDEN_FAMILY(t5) { return kMethods; }

}  // namespace golden::family::t5
