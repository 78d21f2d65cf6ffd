// Recomputes attention weights, share_of_distance and pairs_used in double from the queries and
// keys of a layer.

#include <gtest/gtest.h>

#include <cmath>

#include "changed_models.h"

namespace phasor::test::query_key_states_test {
namespace {

using changed_models::kIds;
using changed_models::load_model;
using Kind = PositionChange::Kind;
constexpr int kTokens = 12;

double element(const Tensor& t, int slice, int row, int column) {
  return static_cast<double>(matrix(t, slice).row(row)[column]);
}

void expect_near(const char* label, double actual, double expected) {
  EXPECT_NEAR(actual, expected, 2e-6 * (1 + std::abs(expected))) << label;
}

TEST(QueryKeyStates, ReproduceWeightsAndHeadMeasures) {
  for (const char* name : {"llama-gqa", "gptj-a", "neox-a", "bert-base"}) {
    SCOPED_TRACE(name);
    const std::unique_ptr<Model> model = load_model(name);
    const ModelInfo& info = model->info();
    const int window = 5, pairs = name == std::string("llama-gqa") ? 4 : 2;
    const std::vector<PositionChange> changes = {{.kind = Kind::window, .window = window}};
    ASSERT_OK_AND_ASSIGN(const ModelOutput out, model->run(kIds, {.output_attentions = true,
                                                                  .output_head_measures = true,
                                                                  .changes = changes}));
    const bool rotates = name != std::string("bert-base");
    for (int layer = 0; layer < info.layers; ++layer) {
      ASSERT_OK_AND_ASSIGN(const QueryKeyStates states,
                           model->query_key_states(kIds, layer, {.changes = changes}));
      EXPECT_EQ(states.queries.data == states.rotated_queries.data, !rotates);
      const Tensor& pairs_used = out.head_measures->pairs_used[static_cast<std::size_t>(layer)];
      ASSERT_EQ(pairs_used.empty(), !rotates);
      for (int head = 0; head < info.heads; ++head) {
        const int kv = head / (info.heads / info.kv_heads);
        std::vector<double> sums(23), counts(23), pair_sums(static_cast<std::size_t>(pairs));
        std::vector<std::pair<int, double>> scores;
        double total = 0, pair_total = 0;
        for (int i = 0; i < kTokens; ++i) {
          double row = 0;
          std::vector<double> visible(kTokens);
          for (int j = 0; j < kTokens; ++j) {
            if (std::abs(i - j) >= window || (info.causal && j > i)) continue;
            double score = 0;
            for (int c = 0; c < info.head_dim; ++c)
              score += element(states.rotated_queries, head, i, c) *
                       element(states.rotated_keys, kv, j, c);
            score /= std::sqrt(info.head_dim);
            scores.emplace_back(i - j + 11, score);
            sums[static_cast<std::size_t>(i - j + 11)] += score;
            counts[static_cast<std::size_t>(i - j + 11)] += 1;
            total += score;
            row += visible[static_cast<std::size_t>(j)] = std::exp(score);
            for (int p = 0; p < pairs && rotates; ++p) {
              const int a = name == std::string("gptj-a") ? 2 * p : p,
                        b = name == std::string("gptj-a") ? 2 * p + 1 : p + pairs;
              const double product =
                  std::hypot(element(states.queries, head, i, a),
                             element(states.queries, head, i, b)) *
                  std::hypot(element(states.keys, kv, j, a), element(states.keys, kv, j, b));
              pair_sums[static_cast<std::size_t>(p)] += product;
              pair_total += product;
            }
          }
          const Tensor& weights = out.attentions[static_cast<std::size_t>(layer)];
          for (int j = 0; j < kTokens; ++j)
            EXPECT_NEAR(element(weights, head, i, j), visible[static_cast<std::size_t>(j)] / row,
                        2e-6);
        }
        double variance = 0, within = 0;
        for (const auto& [d, score] : scores) {
          const auto n = static_cast<std::size_t>(d);
          variance += std::pow(score - total / static_cast<double>(scores.size()), 2);
          within += std::pow(score - sums[n] / counts[n], 2);
        }
        expect_near("share_of_distance",
                    element(out.head_measures->share_of_distance, 0, layer, head),
                    1 - within / variance);
        for (int p = 0; p < pairs && rotates; ++p)
          expect_near("pairs_used", element(pairs_used, 0, head, p),
                      pair_sums[static_cast<std::size_t>(p)] / pair_total);
      }
    }
  }
}

}  // namespace
}  // namespace phasor::test::query_key_states_test
