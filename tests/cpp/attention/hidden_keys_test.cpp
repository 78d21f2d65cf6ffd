// Keys that no query sees.

#include <gtest/gtest.h>

#include "attention_inputs.h"
#include "numbers.h"
#include "phasor/phasor.h"

namespace phasor::test::hidden_keys_test {
namespace {

// At such a key the products or the network of DAPE overflow, and 0 * infinity would be NaN.
TEST(HiddenKeys, HugeValuesDoNotAffectDape) {
  const Tensor d_output = dyadic(75, {2, 6, 5});
  EncodingConfig encoding{.id = "dape", .params = {{"w1", dyadic(76, {32, 4})}}};
  for (float& w : std::get<Tensor>(encoding.params.at("w1")).data) w *= 256;
  const auto run_with_key = [&d_output](int key, float key_value, const AttentionConfig& config) {
    Inputs in = inputs({2, 2, 6, 6, 8, 5});
    for (int h = 0; h < 2; ++h) std::fill_n(matrix(in.k, h).row(key), 8, key_value);
    return std::pair(attention(in.q, in.k, in.v, config),
                     attention_backward(in.q, in.k, in.v, d_output, config));
  };
  for (const bool hides_by_mask : {true, false}) {
    // The last key is in the future of all queries but the last, which sees no key.
    const int key = hides_by_mask ? 2 : 5;
    AttentionConfig config{.encoding = encoding, .mask = Mask::causal, .scale = 1};
    config.key_mask = std::vector<std::uint8_t>(6, 1);
    if (hides_by_mask) config.key_mask[2] = 0;
    if (!hides_by_mask) config.query_positions.values = {0, 1, 2, 3, 4, 4};
    if (!hides_by_mask) config.key_positions.values = {0, 1, 2, 3, 4, 5};
    for (const double cap : {0.0, 3.0}) {
      if (cap != 0) config.options.softcap = cap;
      for (const bool includes_bias : {false, true}) {
        if (cap == 0 && includes_bias) continue;
        config.options.cap_includes_bias = includes_bias;
        const auto [expected, expected_gradients] = run_with_key(key, 0, config);
        ASSERT_TRUE(expected.ok()) << expected.status().message();
        ASSERT_TRUE(expected_gradients.ok()) << expected_gradients.status().message();
        for (const float key_value : {2e37f, 3e38f}) {
          SCOPED_TRACE(::testing::Message() << hides_by_mask << cap << includes_bias << key_value);
          const auto [actual, gradients] = run_with_key(key, key_value, config);
          ASSERT_TRUE(actual.ok()) << actual.status().message();
          ASSERT_TRUE(gradients.ok()) << gradients.status().message();
          EXPECT_LT(largest_error(actual->output.data, expected->output.data), 1e-5);
          EXPECT_LT(largest_error(gradients->d_q.data, expected_gradients->d_q.data), 1e-2);
          for (const char* name : {"w1", "b1", "w2"})
            EXPECT_LT(largest_error(gradients->parameters.at(name).data,
                                    expected_gradients->parameters.at(name).data),
                      1e-3);
        }
      }
    }
  }
}

}  // namespace
}  // namespace phasor::test::hidden_keys_test
