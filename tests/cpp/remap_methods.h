#pragma once
// The remap methods of phasor/rope.h with several parameters, and an independent formula of each.

#include "token_reference.h"

namespace phasor::test::remap_test {

inline constexpr double kBase = 100;

using Word = std::string;

inline CausalInputs inputs(Params params, int heads, int kv_heads, int queries, int keys,
                           int head_dim = 8) {
  params["base"] = kBase;
  return {.config = {.encoding = {.id = "rope", .params = std::move(params)}, .mask = Mask::causal},
          .q = dyadic(51, {heads, queries, head_dim}),
          .k = dyadic(52, {kv_heads, keys, head_dim}),
          .v = dyadic(53, {kv_heads, keys, head_dim + 1})};
}

// The score of interleaved pairs that are rotated by this distance.
inline double rope_score(const CausalInputs& in, int head, int i, int j, double distance) {
  const std::vector<double> q = in.query(head, i), k = in.key(head, j);
  double sum = 0;
  for (std::size_t m = 0; 2 * m < q.size(); ++m) {
    const double angle =
        distance * std::pow(kBase, -2.0 * static_cast<double>(m) / static_cast<double>(q.size()));
    sum += (q[2 * m] * k[2 * m] + q[2 * m + 1] * k[2 * m + 1]) * std::cos(angle) +
           (q[2 * m] * k[2 * m + 1] - q[2 * m + 1] * k[2 * m]) * std::sin(angle);
  }
  return sum / std::sqrt(in.head_dim());
}

struct Method {
  Params params;
  double (*distance)(int i, int j);  // NaN: hidden
  double (*factor)(int i) = [](int) { return 1.0; };
};

inline const std::vector<Method>& methods() {
  static const std::vector<Method> all = {
      {{{"remap", Word("self_extend")}, {"group", 3.0}, {"window", 5.0}},
       [](int i, int j) { return i - j < 5 ? i - j : i / 3 - j / 3 + 5.0 - 1; }},
      {{{"remap", Word("self_extend")}, {"group", 4.0}, {"window", 40.0}},
       [](int i, int j) { return i - j < 40 ? i - j : i / 4 - j / 4 + 40.0 - 10; }},
      {{{"remap", Word("rerope")}, {"window", 6.0}},
       [](int i, int j) { return static_cast<double>(std::min(i - j, 6)); }},
      {{{"remap", Word("rerope")}, {"window", 6.0}, {"training_length", 9.0}},
       [](int i, int j) { return static_cast<double>(std::min(i - j, 6)); },
       [](int i) { return std::max(1.0, std::log(i + 1.0) / std::log(9.0)); }},
      {{{"remap", Word("leaky_rerope")}, {"window", 4.0}, {"leak", 2.5}},
       [](int i, int j) { return i - j < 4 ? i - j : 4 + (i - j - 4) / 2.5; }},
      {{{"remap", Word("lm_infinite")},
        {"window", 9.0},
        {"sink_tokens", 3.0},
        {"max_distance", 11.0}},
       [](int i, int j) { return i - j < 9 ? i - j
                                 : j < 3   ? 11.0
                                           : NAN; }},
      {{{"remap", Word("dual_chunk")}, {"chunk", 5.0}, {"max_position", 7.0}},
       [](int i, int j) {
         if (i / 5 == j / 5) return static_cast<double>(i - j);
         const int query = i / 5 == j / 5 + 1 ? std::min(i % 5 + 5, 7) : std::min(9, 7);
         return static_cast<double>(query - j % 5);
       }},
      {{{"remap", Word("dual_chunk")}, {"chunk", 48.0}, {"max_position", 70.0}},
       [](int i, int j) {
         if (i / 48 == j / 48) return static_cast<double>(i - j);
         const int query = i / 48 == j / 48 + 1 ? std::min(i % 48 + 48, 70) : std::min(95, 70);
         return static_cast<double>(query - j % 48);
       }},
  };
  return all;
}

inline ScoreOf score_of(const Method& method) {
  return [&method](const CausalInputs& in, int h, int i, int j) {
    const double distance = method.distance(i, j);
    return std::isnan(distance) ? NAN : method.factor(i) * rope_score(in, h, i, j, distance);
  };
}

}  // namespace phasor::test::remap_test
