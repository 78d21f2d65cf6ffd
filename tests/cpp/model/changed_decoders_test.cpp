// Changes of positions, windows and heads against plain sums in double.

#include <gtest/gtest.h>

#include "random_checkpoint.h"

namespace phasor::test::changed_decoders_test {
namespace {

using Kind = PositionChange::Kind;
const std::vector<int> kIds = {3, 14, 15, 9, 26, 5, 3, 5, 8, 9, 7, 29};

bool contains(const std::vector<int>& list, int item) {
  return list.empty() || std::find(list.begin(), list.end(), item) != list.end();
}

double max_error(const Tensor& actual, const Rows& expected, std::size_t first = 0) {
  double largest = 0;
  std::size_t index = 0;
  for (std::size_t t = first; index < actual.data.size(); ++t)
    for (const double value : expected[t])
      largest = std::max(largest, error(static_cast<double>(actual.data[index++]), value));
  return largest;
}

struct Case {
  ReferenceDecoder decoder;
  Json config;
};
std::vector<Case> cases() {
  std::vector<Case> result(3);
  result[0].config = {{"model_type", "llama"}};
  result[1].decoder.qk_norm = true;
  result[1].config = {{"model_type", "qwen3"}};
  ReferenceDecoder& d = result[2].decoder;
  d.norm_adds = 1;
  d.sandwich = d.gelu = d.tied = d.qk_norm = true;
  d.embedding_scale = std::sqrt(24.0);
  d.kv_heads = 1;
  d.window = [](int layer) { return layer == 0 ? 4 : 1 << 20; };
  d.base = [](int layer) { return layer == 0 ? 1e4 : 1e6; };
  result[2].config = {{"model_type", "gemma3_text"},
                      {"hidden_activation", "gelu_pytorch_tanh"},
                      {"query_pre_attn_scalar", 8},
                      {"sliding_window", 4},
                      {"rope_theta", 1e6},
                      {"rope_local_base_freq", 1e4},
                      {"layer_types", {"sliding_attention", "full_attention"}}};
  return result;
}

// Applies the change to both layers or one, and to all, several or one head. If `decodes`, also
// with a cache.
void expect_agreement(PositionChange change, ReferenceChange reference, bool decodes = true) {
  for (Case& each : cases()) {
    SCOPED_TRACE(each.config["model_type"].get<std::string>());
    ReferenceDecoder& d = each.decoder;
    const OrderedMap<Tensor> tensors = random_tensors(d);
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model,
                         load(random_checkpoint(d, tensors, each.config)));
    const Rows unchanged = DecoderReference(d, tensors).logits(kIds);
    for (const std::vector<int>& layers : {std::vector<int>{}, std::vector<int>{1}}) {
      for (const std::vector<int>& heads : {std::vector<int>{}, std::vector<int>{0},
                                            std::vector<int>{1, 2}, std::vector<int>{0, 1, 3}}) {
        SCOPED_TRACE(std::to_string(layers.size()) + " layers, " + std::to_string(heads.size()) +
                     " heads");
        change.layers = layers;
        change.heads = heads;
        reference.is_changed = [&](int layer, int head) {
          return contains(layers, layer) && contains(heads, head);
        };
        d.change = reference;
        const Rows expected = DecoderReference(d, tensors).logits(kIds);
        ASSERT_OK_AND_ASSIGN(const ModelOutput out, model->run(kIds, {.changes = {change}}));
        EXPECT_LE(max_error(out.logits, expected), 3e-5);
        if (!decodes) continue;
        const std::vector<PositionChange> changes = {change};
        ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ModelCache> cache,
                             model->create_cache(12, changes));
        for (std::size_t t = 0; t < kIds.size(); t += t == 0 ? 5 : 1) {
          const auto begin = kIds.begin() + static_cast<std::ptrdiff_t>(t);
          ASSERT_OK_AND_ASSIGN(const ModelOutput step,
                               model->run(std::vector<int>(begin, begin + (t == 0 ? 5 : 1)),
                                          {.cache = cache.get()}));
          EXPECT_LE(max_error(step.logits, expected, t), 3e-5) << t;
        }
      }
    }
    d.change.is_changed = [](int, int) { return true; };
    double largest_change = 0;
    const Rows base_logits = DecoderReference(d, tensors).logits(kIds);
    for (std::size_t i = 0; i < base_logits.back().size(); ++i)
      largest_change = std::max(largest_change, error(base_logits.back()[i], unchanged.back()[i]));
    EXPECT_GT(largest_change, 1e-3) << "the change has no effect to compare";
  }
}

TEST(ChangedDecoders, AgreeWithoutRotation) { expect_agreement({}, {.base = 0}); }

TEST(ChangedDecoders, AgreeWithAnotherBase) {
  expect_agreement({.kind = Kind::params, .params = {{"base", 100}}}, {.base = 100});
}

TEST(ChangedDecoders, AgreeWithDividedPositions) {
  expect_agreement(
      {.kind = Kind::params, .params = {{"scaling", std::string("linear")}, {"factor", 2}}},
      {.position = [](int token) { return token / 2.0; }});
}

TEST(ChangedDecoders, AgreeInReverseOrder) {
  expect_agreement({.kind = Kind::order, .order = {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
                   {.position = [](int token) { return 11.0 - token; }});
}

TEST(ChangedDecoders, AgreeWithTheOtherLayout) {
  expect_agreement({.kind = Kind::layout}, {.interleaved = true});
}

TEST(ChangedDecoders, AgreeWithClippedDistances) {
  expect_agreement({.kind = Kind::clip, .clip = 2}, {.clip = 2});
}

TEST(ChangedDecoders, AgreeWithUnrotatedPairs) {
  expect_agreement({.kind = Kind::still, .pairs_begin = 0, .pairs_end = 2},
                   {.still_begin = 0, .still_end = 2});
}

TEST(ChangedDecoders, AgreeWithDroppedPairs) {
  expect_agreement({.kind = Kind::drop, .pairs_begin = 1, .pairs_end = 3},
                   {.drop_begin = 1, .drop_end = 3});
}

TEST(ChangedDecoders, AgreeWithOtherWindows) {
  expect_agreement({.kind = Kind::window, .window = 3}, {.window = 3});
}

TEST(ChangedDecoders, AgreeWithZeroAblation) {
  expect_agreement({.kind = Kind::zero_ablation}, {.zero = true});
}

TEST(ChangedDecoders, AgreeWithMeanAblation) {
  expect_agreement({.kind = Kind::mean_ablation}, {.mean = true}, false);
}

// Changes of several kinds in one layer, which divide its heads into three groups.
TEST(ChangedDecoders, AgreeWithSeveralChanges) {
  ReferenceDecoder d;
  const OrderedMap<Tensor> tensors = random_tensors(d);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model,
                       load(random_checkpoint(d, tensors, {{"model_type", "llama"}})));
  const std::vector<PositionChange> changes = {
      {.kind = Kind::order, .heads = {2}, .order = {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
      {.kind = Kind::params, .heads = {2}, .params = {{"base", 50}}},
      {.kind = Kind::shift, .heads = {2, 3}, .shift = 7},
      {.kind = Kind::window, .heads = {2}, .window = 5}};
  d.change = {.is_changed = [](int, int head) { return head == 2; },
              .position = [](int token) { return 18.0 - token; },
              .base = 50,
              .window = 5};
  ASSERT_OK_AND_ASSIGN(const ModelOutput out, model->run(kIds, {.changes = changes}));
  EXPECT_LE(max_error(out.logits, DecoderReference(d, tensors).logits(kIds)), 3e-5);
}

}  // namespace
}  // namespace phasor::test::changed_decoders_test
