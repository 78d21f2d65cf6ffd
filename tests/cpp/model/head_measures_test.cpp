// Measures of heads against their formulas over whole attention matrices.

#include <gtest/gtest.h>

#include <cmath>

#include "changed_models.h"

namespace phasor::test::head_measures_test {
namespace {

using changed_models::load_model;
using Kind = PositionChange::Kind;
// 6 occurs twice, and 7 three times, of which two are adjacent.
const std::vector<int> kText = {5, 6, 7, 8, 9, 6, 7, 7, 3, 4, 40, 12};
constexpr int kTokens = 12;

double element(const Tensor& t, int slice, int row, int column) {
  return static_cast<double>(matrix(t, slice).row(row)[column]);
}
double cell(const Tensor& t, int layer, int head) { return element(t, 0, layer, head); }

// The mean over rows for which `f` returns a value.
template <class F>
double mean(bool causal, const F& f) {
  double sum = 0, rows = 0;
  for (int i = causal ? 1 : 0; i < kTokens; ++i) {
    const std::optional<double> value = f(i);
    if (!value) continue;
    sum += *value;
    ++rows;
  }
  return sum / rows;
}

void compare(const char* label, double actual, double expected) {
  EXPECT_NEAR(actual, expected, 2e-6 * (1 + std::abs(expected))) << label;
}

void compare_weights(const HeadMeasures& m, const Tensor& weights, bool causal, int layer,
                     int head) {
  const auto a = [&](int i, int j) { return element(weights, head, i, j); };
  const auto entropy = [&](int i) {
    double h = 0;
    for (int j = 0; j < kTokens; ++j)
      if (a(i, j) > 0) h -= a(i, j) * std::log(a(i, j));
    return std::optional(h);
  };
  compare("entropy", cell(m.entropy, layer, head), mean(causal, entropy));
  compare("entropy_normalised", cell(m.entropy_normalised, layer, head), mean(causal, [&](int i) {
            return std::optional(*entropy(i) / std::log(causal ? i + 1.0 : 12.0));
          }));
  compare("distance", cell(m.distance, layer, head), mean(causal, [&](int i) {
            double sum = 0;
            for (int j = 0; j < kTokens; ++j) sum += a(i, j) * std::abs(i - j);
            return std::optional(sum);
          }));
  const auto mean_at_offset = [&](int d) {
    return mean(causal, [&](int i) {
      return i - d < 0 || i - d >= kTokens ? std::nullopt : std::optional(a(i, i - d));
    });
  };
  compare("self", cell(m.self, layer, head), mean_at_offset(0));
  compare("previous", cell(m.previous, layer, head), mean_at_offset(1));
  compare("first", cell(m.first, layer, head),
          mean(true, [&](int i) { return std::optional(a(i, 0)); }));
  const int first_distance = causal ? 0 : 1 - kTokens;
  ASSERT_EQ(m.profile.shape.back(), kTokens - first_distance);
  for (int d = first_distance; d < kTokens; ++d)
    compare("profile", element(m.profile, layer, head, d - first_distance), mean_at_offset(d));
  ASSERT_EQ(m.next.empty(), causal);
  ASSERT_EQ(m.last.empty(), causal);
  if (!causal) {
    compare("next", cell(m.next, layer, head), mean_at_offset(-1));
    compare("last", cell(m.last, layer, head), mean(false, [&](int i) {
              return i == kTokens - 1 ? std::nullopt : std::optional(a(i, kTokens - 1));
            }));
  }
  const auto is_same_token = [](int i, int j) {
    return i != j && kText[static_cast<std::size_t>(i)] == kText[static_cast<std::size_t>(j)];
  };
  compare("duplicate", cell(m.duplicate, layer, head), mean(causal, [&](int i) {
            std::optional<double> sum;
            for (int j = 0; j < (causal ? i : kTokens); ++j)
              if (is_same_token(i, j)) sum = sum.value_or(0) + a(i, j);
            return sum;
          }));
  compare("induction", cell(m.induction, layer, head), mean(causal, [&](int i) {
            std::optional<double> sum;
            for (int j = 0; j < i; ++j)
              if (is_same_token(i, j)) sum = sum.value_or(0) + (j + 1 < i ? a(i, j + 1) : 0);
            return sum;
          }));
}

TEST(HeadMeasures, AgreeWithFormulasOfTheWeights) {
  for (const char* name : {"llama-gqa", "bloom-3h", "gpt2-a", "neox-a", "bert-base", "t5enc-a"}) {
    SCOPED_TRACE(name);
    const std::unique_ptr<Model> model = load_model(name);
    const ModelInfo& info = model->info();
    for (const std::vector<PositionChange>& changes :
         {std::vector<PositionChange>{},
          std::vector<PositionChange>{
              {.kind = Kind::window, .layers = {0}, .heads = {1}, .window = 3}}}) {
      const RunConfig config{
          .output_attentions = true, .output_head_measures = true, .changes = changes};
      ASSERT_OK_AND_ASSIGN(const ModelOutput out, model->run(kText, config));
      ASSERT_OK_AND_ASSIGN(const ModelOutput run_output, model->run(kText, {.changes = changes}));
      EXPECT_EQ(out.last_hidden_state.data, run_output.last_hidden_state.data);
      EXPECT_FALSE(run_output.head_measures.has_value());
      const HeadMeasures& m = *out.head_measures;
      for (int layer = 0; layer < info.layers; ++layer) {
        const Tensor& weights = out.attentions[static_cast<std::size_t>(layer)];
        for (int head = 0; head < info.heads; ++head)
          compare_weights(m, weights, info.causal, layer, head);
        if (m.use_of_position.empty()) continue;
        RunConfig without = config;
        without.changes.push_back({.layers = {layer}});
        ASSERT_OK_AND_ASSIGN(const ModelOutput base_output, model->run(kText, without));
        for (int head = 0; head < info.heads; ++head) {
          compare("use_of_position", cell(m.use_of_position, layer, head),
                  mean(info.causal, [&](int i) {
                    double sum = 0;
                    for (int j = 0; j < kTokens; ++j) {
                      const double p = element(weights, head, i, j);
                      const Tensor& base_weights =
                          base_output.attentions[static_cast<std::size_t>(layer)];
                      if (p > 0) sum += p * std::log(p / element(base_weights, head, i, j));
                    }
                    return std::optional(sum);
                  }));
          EXPECT_NEAR(cell(base_output.head_measures->use_of_position, layer, head), 0, 1e-6);
        }
      }
      EXPECT_EQ(m.use_of_position.empty(),
                name == std::string("gpt2-a") || name == std::string("bert-base"));
    }
  }
}

TEST(HeadMeasures, ChanceAssumesEqualWeights) {
  const RunConfig config{.output_head_measures = true};
  const HeadMeasures causal = *value_of(load_model("llama-gqa")->run(kText, config)).head_measures;
  // Rows 5, 6 and 7 repeat earlier tokens. The token of row 7 occurred twice, once just before.
  EXPECT_NEAR(causal.duplicate_chance, (1.0 / 6 + 1.0 / 7 + 2.0 / 8) / 3, 1e-12);
  EXPECT_NEAR(causal.induction_chance, (1.0 / 6 + 1.0 / 7 + 1.0 / 8) / 3, 1e-12);
  const HeadMeasures bidirectional =
      *value_of(load_model("bert-base")->run(kText, config)).head_measures;
  EXPECT_NEAR(bidirectional.duplicate_chance, (2 * 1.0 + 3 * 2.0) / 12 / 5, 1e-12);
  const std::vector<int> distinct_ids = {5, 6, 7};
  const HeadMeasures none =
      *value_of(load_model("llama-gqa")->run(distinct_ids, config)).head_measures;
  EXPECT_TRUE(none.duplicate.empty());
  EXPECT_TRUE(none.induction.empty());
  EXPECT_EQ(none.duplicate_chance, 0);
}

TEST(HeadMeasures, ReachTheirExtremes) {
  const std::unique_ptr<Model> model = load_model("llama-gqa");
  const auto measure = [&](std::vector<PositionChange> changes) {
    const RunConfig config{.output_head_measures = true, .changes = std::move(changes)};
    return *value_of(model->run(kText, config)).head_measures;
  };
  const HeadMeasures drop_measures = measure({{.kind = Kind::drop, .heads = {2}, .pairs_end = 3}});
  EXPECT_EQ(element(drop_measures.pairs_used[1], 0, 2, 0), 0);
  EXPECT_EQ(element(drop_measures.pairs_used[1], 0, 2, 3), 1);
  EXPECT_GT(element(drop_measures.pairs_used[1], 0, 1, 0), 0.01);
  const HeadMeasures equal = measure({{.kind = Kind::drop, .pairs_end = 4}});
  EXPECT_NEAR(cell(equal.entropy_normalised, 1, 3), 1, 1e-6);
  EXPECT_EQ(cell(equal.share_of_distance, 1, 3), 0);
  const HeadMeasures window_measures = measure({{.kind = Kind::window, .window = 1}});
  EXPECT_EQ(cell(window_measures.self, 0, 0), 1);
  EXPECT_EQ(cell(window_measures.distance, 0, 0), 0);
}

TEST(HeadMeasures, RejectUnsupportedRuns) {
  const std::unique_ptr<Model> model = load_model("llama-gqa");
  EXPECT_EQ(model->run(std::vector<int>{5}, {.output_head_measures = true}).status().message(),
            "output_head_measures: the text has 1 tokens; expected at least 2");
  EXPECT_EQ(model
                ->run(std::vector<int>{5, 6, 7},
                      {.attention_mask = {1, 1, 0}, .output_head_measures = true})
                .status()
                .message(),
            "output_head_measures: attention_mask hides tokens; expected a mask of ones");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ModelCache> cache, model->create_cache(8));
  EXPECT_EQ(model->run(std::vector<int>{5, 6}, {.output_head_measures = true, .cache = cache.get()})
                .status()
                .message(),
            "output_head_measures: cannot be combined with a cache");
  EXPECT_EQ(model->query_key_states(kText, 0, {.cache = cache.get()}).status().message(),
            "cache: cannot be combined with the queries and keys of one layer, because later "
            "layers would not cache the tokens");
  EXPECT_EQ(model->query_key_states(kText, 2, {}).status().message(), "layer: 2 is outside 0 to 1");
  EXPECT_EQ(model->query_key_states(kText, 1, {.changes = {{.layers = {1}, .heads = {0}}}})
                .status()
                .message(),
            "changes: differ between the heads of the layer; expected the same changes for "
            "all heads");
  EXPECT_TRUE(model->query_key_states(kText, 0, {.changes = {{.layers = {1}, .heads = {0}}}}).ok());
}

}  // namespace
}  // namespace phasor::test::head_measures_test
