// Identities of position changes in golden models, which hold for any weights.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "changed_models.h"

namespace phasor::test::position_change_test {
namespace {

using namespace changed_models;
using Kind = PositionChange::Kind;

const std::vector<const char*> kRelative = {"llama-gqa", "gptj-a",   "neox-a", "llama3",
                                            "qwen2-a",   "bloom-3h", "t5enc-a"};
const std::vector<const char*> kTables = {"gpt2-a", "bert-base", "opt-a"};

TEST(PositionChange, ShiftDoesNotAffectRelativePositions) {
  for (const char* name : kRelative) {
    SCOPED_TRACE(name);
    const std::unique_ptr<Model> model = load_model(name);
    EXPECT_LE(max_error(hidden_states(*model, {{.kind = Kind::shift, .shift = 1000}}),
                        hidden_states(*model)),
              1e-5);
  }
}

TEST(PositionChange, ShiftMovesTheRowsOfATable) {
  for (const char* name : kTables) {
    SCOPED_TRACE(name);
    const std::unique_ptr<Model> model = load_model(name);
    const std::unique_ptr<Model> moved_model =
        load_edited_model(name, [](const auto& key, Tensor& t) {
          const bool is_table = key.ends_with("wpe.weight") ||
                                key.ends_with("position_embeddings.weight") ||
                                key.ends_with("embed_positions.weight");
          if (!is_table) return;
          std::rotate(t.data.begin(), t.data.begin() + 3 * t.shape[1], t.data.end());
        });
    EXPECT_GT(max_error(hidden_states(*moved_model), hidden_states(*model)), 1e-3);
    EXPECT_EQ(hidden_states(*model, {{.kind = Kind::shift, .shift = 3}}).data,
              hidden_states(*moved_model).data);
    EXPECT_FALSE(model->run(kIds, {.changes = {{.kind = Kind::shift, .shift = 1000}}}).ok());
    EXPECT_FALSE(model->run(kIds, {.changes = {{.kind = Kind::shift, .shift = 0.5}}}).ok());
  }
}

TEST(PositionChange, IdentityOrderChangesNothing) {
  std::vector<int> reversed(kIds.size());
  std::iota(reversed.begin(), reversed.end(), 0);
  for (const auto& names : {kRelative, kTables}) {
    for (const char* name : names) {
      SCOPED_TRACE(name);
      const std::unique_ptr<Model> model = load_model(name);
      EXPECT_EQ(hidden_states(*model, {{.kind = Kind::order, .order = reversed}}).data,
                hidden_states(*model).data);
      EXPECT_GT(max_error(hidden_states(*model, {{.kind = Kind::order, .order = kPermutation}}),
                          hidden_states(*model)),
                1e-3);
    }
  }
}

// In bidirectional models, the same permutation of tokens and positions permutes the output.
TEST(PositionChange, EncoderOutputIsPermutedWithTokensAndPositions) {
  for (const char* name : {"bert-base", "t5enc-a"}) {
    SCOPED_TRACE(name);
    const std::unique_ptr<Model> model = load_model(name);
    std::vector<int> ids;
    for (const int index : kPermutation) ids.push_back(kIds[static_cast<std::size_t>(index)]);
    EXPECT_LE(max_error(hidden_states(*model, {{.kind = Kind::order, .order = kPermutation}}, ids),
                        permute_rows(hidden_states(*model), kPermutation)),
              1e-5);
    EXPECT_LE(max_error(hidden_states(*model, {{.kind = Kind::none}}, ids),
                        permute_rows(hidden_states(*model, {{.kind = Kind::none}}), kPermutation)),
              1e-5);
  }
}

TEST(PositionChange, OrdersCompose) {
  std::vector<int> inverse(kPermutation.size());
  for (std::size_t t = 0; t < kPermutation.size(); ++t)
    inverse[static_cast<std::size_t>(kPermutation[t])] = static_cast<int>(t);
  const std::unique_ptr<Model> model = load_model("llama-gqa");
  EXPECT_EQ(hidden_states(*model, {{.kind = Kind::order, .order = kPermutation},
                                   {.kind = Kind::order, .order = inverse}})
                .data,
            hidden_states(*model).data);
}

TEST(PositionChange, ScalingByOneChangesNothing) {
  for (const char* name : {"llama-gqa", "gptj-a", "neox-a"}) {
    SCOPED_TRACE(name);
    const std::unique_ptr<Model> model = load_model(name);
    const Tensor expected = hidden_states(*model);
    EXPECT_EQ(hidden_states(*model, {{.kind = Kind::params, .params = {{"base", 10000}}}}).data,
              expected.data);
    for (const char* type : {"linear", "ntk_aware", "dynamic_ntk", "by_parts", "yarn", "llama3"}) {
      SCOPED_TRACE(type);
      Params params = {{"scaling", std::string(type)}, {"factor", 1}};
      if (type != std::string("linear") && type != std::string("ntk_aware"))
        params.add("original_length", 64);
      const Tensor actual = hidden_states(*model, {{.kind = Kind::params, .params = params}});
      if (type == std::string("linear")) {
        EXPECT_EQ(actual.data, expected.data);
      }
      EXPECT_LE(max_error(actual, expected), 1e-6);
    }
  }
}

TEST(PositionChange, ScalingEqualsThatOfAConfig) {
  Checkpoint checkpoint = read_checkpoint("llama-gqa");
  const std::unique_ptr<Model> model = value_of(load(checkpoint));
  checkpoint.config["rope_scaling"] = {{"type", "linear"}, {"factor", 4.0}};
  const PositionChange linear{.kind = Kind::params,
                              .params = {{"scaling", std::string("linear")}, {"factor", 4}}};
  EXPECT_EQ(hidden_states(*model, {linear}).data, hidden_states(*value_of(load(checkpoint))).data);
  checkpoint.config["rope_scaling"] = {
      {"type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 16}};
  EXPECT_EQ(
      hidden_states(
          *model,
          {{.kind = Kind::params,
            .params = {{"scaling", std::string("yarn")}, {"factor", 4}, {"original_length", 16}}}})
          .data,
      hidden_states(*value_of(load(checkpoint))).data);
  // Parameters of llama3 that linear does not read are dropped.
  Checkpoint llama3 = read_checkpoint("llama3");
  const std::unique_ptr<Model> scaled = value_of(load(llama3));
  llama3.config["rope_scaling"] = {{"type", "linear"}, {"factor", 4.0}};
  EXPECT_EQ(hidden_states(*scaled, {linear}).data, hidden_states(*value_of(load(llama3))).data);
}

TEST(PositionChange, DynamicScalingUsesTheLengthOfTheText) {
  const std::unique_ptr<Model> model = load_model("llama-gqa");
  const auto scaled = [&](int original, std::optional<int> length) {
    Params params = {
        {"scaling", std::string("dynamic_ntk")}, {"factor", 2}, {"original_length", original}};
    if (length) params.add("sequence_length", *length);
    return hidden_states(*model, {{.kind = Kind::params, .params = params}});
  };
  EXPECT_EQ(scaled(12, {}).data, hidden_states(*model).data);
  EXPECT_GT(max_error(scaled(6, {}), hidden_states(*model)), 1e-3);
  EXPECT_EQ(scaled(6, {}).data, scaled(6, 12).data);
}

TEST(PositionChange, NoneEqualsZeroBiasesOrTables) {
  const std::unique_ptr<Model> zeroed = load_edited_model("t5enc-a", [](auto& key, Tensor& t) {
    if (key.ends_with("relative_attention_bias.weight"))
      std::fill(t.data.begin(), t.data.end(), 0.0f);
  });
  EXPECT_LE(max_error(hidden_states(*load_model("t5enc-a"), {{}}), hidden_states(*zeroed)), 1e-6);
  for (const char* name : kTables) {
    SCOPED_TRACE(name);
    const std::unique_ptr<Model> without = load_edited_model(name, [](auto& key, Tensor& t) {
      if (key.ends_with("wpe.weight") || key.ends_with("position_embeddings.weight") ||
          key.ends_with("embed_positions.weight"))
        std::fill(t.data.begin(), t.data.end(), 0.0f);
    });
    EXPECT_EQ(hidden_states(*load_model(name), {{}}).data, hidden_states(*without).data);
  }
}

}  // namespace
}  // namespace phasor::test::position_change_test
