// DAPE with three kinds of bias.

#include <cmath>

#include "golden_attention.h"

namespace golden::family::frontier_dape {
namespace {

using phasor::Tensor;

// Reads the bias by the formula in the case. Keys on the right have distance 0.
void read_bias(Case& c, int heads, phasor::Params& params) {
  const std::string bias = c.word("bias");
  params["right"] = std::string("zero");
  if (bias == "-ln(1+i-j)") {
    Tensor unit_values({heads});
    std::fill(unit_values.data.begin(), unit_values.data.end(), 1.0f);
    params["bias"] = std::string("kerple");
    params["bias_r1"] = unit_values;
    params["bias_r2"] = unit_values;
    return;
  }
  if (bias != "0" && bias != "alibi: -slope (i-j), slope 2^(-8h/H)")
    return c.fail("param bias: \"" + bias + "\" is not known");
  Tensor slopes({heads});
  for (int h = 0; h < heads && bias != "0"; ++h)
    slopes.data[static_cast<std::size_t>(h)] =
        static_cast<float>(std::exp2(-8.0 * (h + 1) / heads));
  params["bias"] = std::string("alibi");
  params["bias_slopes"] = slopes;
}

void run(Case& c) {
  const auto [q, k, v] = golden::read_inputs(c);
  if (c.failed()) return;
  phasor::AttentionConfig config;
  config.encoding = {.id = "dape",
                     .params = {{"mlp_width", c.number("mlp_width")},
                                {"negative_slope", c.number("negative_slope")},
                                {"w1", c.tensor("W1")},
                                {"b1", c.tensor("b1")},
                                {"w2", c.tensor("W2")},
                                {"b2", c.tensor("b2")}}};
  read_bias(c, q.shape[0], config.encoding.params);
  golden::read_mask(c, config);
  golden::read_scale(c, q.shape[2], config.scale);
  if (c.has("q_offset")) config.position_offset = c.number("q_offset");
  if (c.failed()) return;
  golden::expect_scores_and_attention(c, q, k, v, config);
}

constexpr golden::Method kMethods[] = {{"attention_dape", run}};

}  // namespace

GOLDEN_FAMILY(frontier_dape) { return kMethods; }

}  // namespace golden::family::frontier_dape
