// Messages for changes that a model does not support.

#include <gtest/gtest.h>

#include "checkpoint.h"

namespace phasor::test::rejected_changes_test {
namespace {

using Kind = PositionChange::Kind;
const std::vector<int> kIds = {5, 6, 7, 8};

std::string message(const char* name, const PositionChange& change) {
  const std::unique_ptr<Model> model = value_of(load(read_checkpoint(name)));
  return model->run(kIds, {.changes = {change}}).status().message();
}

TEST(RejectedChanges, NameTheArgument) {
  const PositionChange base{.kind = Kind::params, .params = {{"base", 100}}};
  const auto with_heads = [](PositionChange change, std::vector<int> layers,
                             std::vector<int> heads) {
    change.layers = std::move(layers);
    change.heads = std::move(heads);
    return change;
  };
  const struct {
    const char* model;
    PositionChange change;
    const char* expected;
  } cases[] = {
      {"llama-gqa", {.shift = 3}, "changes[0].shift: applies only to changes of kind shift"},
      {"llama-gqa",
       {.kind = Kind::shift, .shift = 3, .order = {3, 2, 1, 0}},
       "changes[0].order: applies only to changes of kind order"},
      {"llama-gqa",
       {.kind = Kind::layout, .params = {{"base", 100}}},
       "changes[0].params: applies only to changes of kind params"},
      {"llama-gqa",
       {.kind = Kind::window, .clip = 2, .window = 3},
       "changes[0].clip: applies only to changes of kind clip"},
      {"llama-gqa",
       {.kind = Kind::clip, .clip = 2, .pairs_begin = 1},
       "changes[0].pairs_begin: applies only to changes of kind still or "
       "drop"},
      {"llama-gqa",
       {.kind = Kind::zero_ablation, .pairs_end = 1},
       "changes[0].pairs_end: applies only to changes of kind still "
       "or drop"},
      {"llama-gqa",
       {.kind = Kind::skip, .window = 1},
       "changes[0].window: applies only to changes of kind window"},
      {"llama-gqa", {.layers = {2}}, "changes[0].layers[0]: 2 is outside 0 to 1"},
      {"llama-gqa", {.layers = {0, -1}}, "changes[0].layers[1]: -1 is outside 0 to 1"},
      {"llama-gqa", {.heads = {4}}, "changes[0].heads[0]: 4 is outside 0 to 3"},
      {"llama-gqa", {.heads = {1, 1}}, "changes[0].heads[1]: 1 occurs twice"},
      {"llama-gqa",
       {.kind = Kind::order, .order = {0, 1, 2}},
       "changes[0].order: has 3 positions for 4 tokens"},
      {"llama-gqa",
       {.kind = Kind::order, .order = {0, 1, 2, 4}},
       "changes[0].order[3]: 4 is outside 0 to 3"},
      {"llama-gqa",
       {.kind = Kind::order, .order = {0, 1, 2, 1}},
       "changes[0].order[3]: 1 occurs twice; expected a permutation"},
      {"llama-gqa",
       {.kind = Kind::shift, .shift = 1e300},
       "changes[0].shift: 1e+300 is outside -1000000000 to 1000000000"},
      {"llama-gqa", {.kind = Kind::clip}, "changes[0].clip: 0 is outside 1 to 1048576"},
      {"llama-gqa",
       {.kind = Kind::drop, .pairs_end = 5},
       "changes[0].pairs_end: 5 is outside 0 to 4"},
      {"llama-gqa",
       {.kind = Kind::still, .pairs_begin = 3, .pairs_end = 2},
       "changes[0].pairs_end: 2 is outside 3 to 4"},
      {"llama-gqa",
       {.kind = Kind::still, .pairs_begin = -1},
       "changes[0].pairs_begin: -1 is outside 0 to 4"},
      {"llama-gqa",
       {.kind = Kind::window, .window = 0},
       "changes[0].window: 0 is outside 1 to 2147483647"},
      {"llama-gqa",
       {.kind = Kind::skip, .heads = {0}},
       "changes[0].heads: has 1 entries; expected none, because skip applies to whole layers"},
      {"llama-gqa",
       {.kind = Kind::params},
       "changes[0].params: is empty; expected at least one parameter"},
      {"llama-gqa",
       {.kind = Kind::params, .params = {{"base", 0}}},
       "changes[0].params.base: 0 is outside 1.001 to 1000000000000"},
      {"llama-gqa",
       {.kind = Kind::params, .params = {{"slope", 1}}},
       "changes[0].params.slope: is not a parameter of rope"},
      {"llama-gqa",
       {.kind = Kind::params, .params = {{"scaling", std::string("yarn")}}},
       "changes[0].params.original_length: is missing; yarn needs the training context length"},
      {"bloom-3h", base, "changes[0].params.base: is not a parameter of alibi"},
      {"bloom-3h",
       {.kind = Kind::clip, .clip = 3},
       "changes[0].clip: alibi does not rotate pairs of channels; expected rope"},
      {"bloom-3h",
       {.kind = Kind::layout},
       "changes[0].layout: alibi does not rotate pairs of channels; expected rope"},
      {"t5enc-a",
       {.kind = Kind::still, .pairs_end = 1},
       "changes[0].pairs_begin: t5 does not rotate pairs of channels; expected rope"},
      {"gpt2-a",
       {.kind = Kind::clip, .clip = 3},
       "changes[0].clip: learned is added to the embeddings and has no rotated pairs"},
      {"gpt2-a", with_heads({}, {0}, {}),
       "changes[0].layers: learned is added to the embeddings, so it cannot differ between layers "
       "or heads"},
      {"bert-base", with_heads({}, {}, {1}),
       "changes[0].heads: learned is added to the embeddings, so it cannot differ between layers "
       "or heads"},
      {"gpt2-a", base, "changes[0].params.base: is not a parameter of learned"},
  };
  for (const auto& [model, change, expected] : cases) {
    const std::string actual = message(model, change);
    SCOPED_TRACE(actual);
    EXPECT_EQ(actual.substr(0, std::string_view(expected).size()), expected);
    EXPECT_TRUE(actual.starts_with("changes[0]."));
  }
}

TEST(RejectedChanges, NameTheConflictingChange) {
  const std::unique_ptr<Model> model = value_of(load(read_checkpoint("llama-gqa")));
  const auto rejection_message = [&](std::vector<PositionChange> changes) {
    return model->run(kIds, {.changes = std::move(changes)}).status().message();
  };
  EXPECT_EQ(rejection_message({{}, {.kind = Kind::shift, .shift = 1}}),
            "changes[1].layers: no selected layer has a position encoding to change");
  EXPECT_EQ(rejection_message({{.layers = {0}}, {.layers = {0}}}),
            "changes[1].layers: layer 0 has no position encoding to change");
  EXPECT_EQ(rejection_message({{.kind = Kind::clip, .clip = 2}, {.kind = Kind::shift, .shift = 1}}),
            "changes[1].shift: rope with a remap cannot be shifted or reordered");
  EXPECT_EQ(rejection_message({{.kind = Kind::shift, .shift = 1}, {.kind = Kind::clip, .clip = 2}}),
            "changes[1].clip: cannot be combined with changes of kind shift, order, still or drop");
  EXPECT_EQ(rejection_message({{.kind = Kind::clip, .clip = 2}, {.kind = Kind::clip, .clip = 3}}),
            "changes[1].clip: rope already has a remap");
  EXPECT_EQ(
      rejection_message({{.kind = Kind::clip, .clip = 2}, {.kind = Kind::drop, .pairs_end = 1}}),
      "changes[1].pairs_begin: rope with a remap always rotates all pairs");
  EXPECT_EQ(rejection_message({{.kind = Kind::drop, .pairs_end = 1}, {.kind = Kind::layout}}),
            "changes[1].layout: must come before changes of kind still or drop");
  const std::unique_ptr<Model> table = value_of(load(read_checkpoint("gpt2-a")));
  EXPECT_EQ(table->run(kIds, {.changes = {{}, {}}}).status().message(),
            "changes[1].positions: an earlier change has removed the table");
}

TEST(RejectedChanges, CoverCaches) {
  const std::unique_ptr<Model> model = value_of(load(read_checkpoint("llama-gqa")));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ModelCache> cache, model->create_cache(8));
  EXPECT_EQ(model->run(kIds, {.cache = cache.get(), .changes = {{}}}).status().message(),
            "changes: cannot be combined with a cache; pass changes to create_cache instead");
  EXPECT_EQ(cache->length(), 0);
  const auto rejection_message = [&](const PositionChange& change) {
    return model->create_cache(8, std::vector{change}).status().message();
  };
  EXPECT_EQ(rejection_message({.kind = Kind::mean_ablation}),
            "changes[0].mean_ablation: cannot be combined with a cache, because the mean needs all "
            "tokens");
  EXPECT_EQ(rejection_message({.kind = Kind::order, .order = {0, 1, 2, 3, 4, 5, 6, 7, 8}}),
            "changes[0].order: has 9 positions for 8 tokens");
  EXPECT_EQ(rejection_message({.kind = Kind::order, .order = {1, 0}}), "");
  const std::vector<PositionChange> changes = {{.layers = {9}}};
  EXPECT_EQ(model->generate(kIds, {.changes = changes}).status().message(),
            "changes[0].layers[0]: 9 is outside 0 to 1");
}

}  // namespace
}  // namespace phasor::test::rejected_changes_test
