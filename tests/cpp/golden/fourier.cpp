#include "golden_case.h"

namespace golden::family::fourier {
namespace {

using phasor::EncodingConfig;

void expect_map(Case& c, const EncodingConfig& config, const std::string& input, int dim) {
  const golden::Array v = c.input(input);
  if (v.shape.size() != 2) return c.fail("input " + input + " is not [token, coordinate]");
  phasor::Tensor table;
  if (c.ok(phasor::position_table(config, {v.data, v.shape[1]}, dim), table))
    c.expect("gamma", table, golden::kTable);
}

void gaussian(Case& c) {
  const std::string order = c.word("order");
  if (order != "sin|cos" && order != "cos|sin")
    return c.fail("param order: \"" + order + "\" is not known");
  // Coordinates in the files are not scaled.
  EncodingConfig config{
      .id = "fourier",
      .params = {{"order", std::string(order == "sin|cos" ? "sin_cos" : "cos_sin")},
                 {"extent", 1.0}}};
  if (c.has("two_pi")) config.params["two_pi"] = c.boolean("two_pi");
  if (c.has("note")) c.word("note");
  if (c.has("sigma")) {
    c.expect_param("rule", std::string("B = sigma * B_unit"));
    config.params["sigma"] = c.number("sigma");
    config.params["frequency_matrix"] = c.tensor("B_unit");
    if (c.has_input("B")) return c.fail("there are both B and B_unit");
  } else if (c.has("B")) {
    // The file also contains B, which must be the identity.
    c.expect_param("B", std::string("identity"));
    const golden::Array b = c.input("B");
    for (std::size_t i = 0; i < b.data.size(); ++i) {
      if (b.data[i] != (i % static_cast<std::size_t>(b.shape.back() + 1) == 0 ? 1 : 0))
        return c.fail("input B is not the identity");
    }
    config.params["matrix"] = std::string("identity");
  } else {
    config.params["frequency_matrix"] = c.tensor("B");
  }
  expect_map(c, config, "v", 2);
}

void nerf(Case& c, bool log_sampling) {
  if (c.has("log_sampling") && c.boolean("log_sampling") != log_sampling)
    return c.fail("param log_sampling contradicts the method");
  const EncodingConfig config{
      .id = "nerf",
      .params = {{"levels", c.number("L")},
                 {"extent", 1.0},
                 {"include_input", c.boolean("include_input")},
                 {"factor_pi", c.boolean("factor_pi")},
                 {"sampling", std::string(log_sampling ? "log" : "linear")}}};
  expect_map(c, config, "x", 1);
}

constexpr golden::Method kMethods[] = {
    {"fourier_gaussian", gaussian},
    {"fourier_nerf_loglinear", [](Case& c) { nerf(c, true); }},
    {"fourier_nerf_linear", [](Case& c) { nerf(c, false); }},
};

}  // namespace

GOLDEN_FAMILY(fourier) { return kMethods; }

}  // namespace golden::family::fourier
