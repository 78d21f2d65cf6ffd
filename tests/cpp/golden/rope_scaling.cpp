// Context extension of RoPE: frequencies and attention factor.

#include "golden_case.h"

namespace golden::family::rope_scaling {
namespace {

using phasor::RopeScaling;
using phasor::RopeScalingType;

// A param that is null or missing has the default value.
double number_or(Case& c, const char* name, double default_value) {
  if (!c.has(name) || c.is_null(name)) return default_value;
  return c.number(name);
}

RopeScaling read_scaling(Case& c, RopeScalingType method) {
  RopeScaling s{.type = method};
  s.factor = number_or(c, "factor", s.factor);
  s.original_length = number_or(c, "original_max_position_embeddings", s.original_length);
  s.attention_factor = number_or(c, "attention_factor", 0);
  s.sequence_length = number_or(c, "seq_len", 0);
  return s;
}

// Compares frequencies of the public function and of the encoding (its angles at position 1).
void expect_scaling(Case& c, const RopeScaling& scaling) {
  const int dim = c.integer("d");
  phasor::Frequencies actual;
  if (!c.ok(phasor::scaled_frequencies(scaling, dim, c.number("base")), actual)) return;
  phasor::Tensor float_frequencies({dim / 2}, {actual.inv_freq.begin(), actual.inv_freq.end()});
  c.expect_relative("inv_freq", float_frequencies, 1e-6);
  c.expect("attention_factor", {1}, {actual.attention_factor}, 1e-9);
}

void simple(Case& c, RopeScalingType method) { expect_scaling(c, read_scaling(c, method)); }

void ntk_aware(Case& c) {
  RopeScaling s = read_scaling(c, RopeScalingType::ntk_aware);
  s.factor = c.number("alpha");
  expect_scaling(c, s);
}

void dynamic_ntk(Case& c) {
  RopeScaling s = read_scaling(c, RopeScalingType::dynamic_ntk);
  s.original_length = c.number("max_position_embeddings");
  expect_scaling(c, s);
}

RopeScaling read_yarn(Case& c) {
  RopeScaling s = read_scaling(c, RopeScalingType::yarn);
  s.beta_fast = number_or(c, "beta_fast", s.beta_fast);
  s.beta_slow = number_or(c, "beta_slow", s.beta_slow);
  s.mscale = number_or(c, "mscale", 0);
  s.mscale_all_dim = number_or(c, "mscale_all_dim", 0);
  if (c.has("truncate")) s.truncate = c.boolean("truncate");
  return s;
}

void part_ntk(Case& c) {
  RopeScaling s = read_scaling(c, RopeScalingType::part_ntk);
  const std::vector<double> beta = c.numbers("beta"), gamma = c.numbers("gamma");
  if (beta.size() != 2 || gamma.size() != 2)
    return c.fail("params beta and gamma are not two numbers each");
  s.beta_0 = beta[0];
  s.beta_1 = beta[1];
  s.gamma_0 = gamma[0];
  s.gamma_1 = gamma[1];
  expect_scaling(c, s);
}

void longrope(Case& c) {
  RopeScaling s = read_scaling(c, RopeScalingType::longrope);
  s.short_factor = c.numbers("short_factor");
  s.long_factor = c.numbers("long_factor");
  s.max_length = c.number("max_position_embeddings");
  expect_scaling(c, s);
}

// Microsoft's class has one list of factors, for texts longer than the original context.
void longrope_rescaled(Case& c) {
  RopeScaling s = read_scaling(c, RopeScalingType::longrope);
  s.long_factor = c.numbers("rescale_factors");
  s.max_length = c.number("max_position_embeddings");
  s.sequence_length = s.original_length + 1;
  if (c.is_text("policy")) {
    const std::string policy = c.word("policy");
    if (policy != "su" && policy != "yarn")
      return c.fail("param policy: \"" + policy + "\" is not known");
    s.magnitude = policy == "su" ? phasor::LongRopeMagnitude::su : phasor::LongRopeMagnitude::yarn;
  } else if (c.has("policy")) {
    s.attention_factor = c.number("policy");
  }
  expect_scaling(c, s);
}

void yarn_applied(Case& c) {
  const RopeScaling s = read_yarn(c);
  const std::vector<double> positions = c.numbers("position_ids");
  const phasor::EncodingConfig config{.id = "rope",
                                      .params = {{"layout", std::string("half_split")},
                                                 {"scaling", std::string("yarn")},
                                                 {"base", c.number("base")},
                                                 {"factor", s.factor},
                                                 {"original_length", s.original_length},
                                                 {"attention_factor", s.attention_factor},
                                                 {"beta_fast", s.beta_fast},
                                                 {"beta_slow", s.beta_slow},
                                                 {"mscale", s.mscale},
                                                 {"mscale_all_dim", s.mscale_all_dim},
                                                 {"truncate", s.truncate}}};
  for (const char* name : {"q", "k"}) {
    if (!c.has_input(name)) continue;
    phasor::Tensor x = c.tensor(name);
    c.expect_param("d", x.shape.back());
    if (!c.ok(phasor::apply_rotary(config, name[0] == 'q' ? phasor::Role::query : phasor::Role::key,
                                   positions, x),
              x))
      return;
    c.expect(std::string(name) + "_rot", x, golden::kTable);
  }
}

constexpr golden::Method kMethods[] = {
    {"rope_linear", [](Case& c) { simple(c, RopeScalingType::linear); }},
    {"rope_ntk_aware", ntk_aware},
    {"rope_dynamic_ntk", dynamic_ntk},
    {"rope_yarn", [](Case& c) { expect_scaling(c, read_yarn(c)); }},
    {"rope_part_ntk_repo", part_ntk},
    {"rope_longrope", longrope},
    {"rope_longrope_ms", longrope_rescaled},
    {"rope_llama3",
     [](Case& c) {
       RopeScaling s = read_scaling(c, RopeScalingType::llama3);
       s.low_freq_factor = c.number("low_freq_factor");
       s.high_freq_factor = c.number("high_freq_factor");
       expect_scaling(c, s);
     }},
    {"rope_yarn_applied", yarn_applied},
};

}  // namespace

GOLDEN_FAMILY(rope_scaling) { return kMethods; }

}  // namespace golden::family::rope_scaling
