// Identities of changes of channel pairs, windows and single heads in golden models.

#include <gtest/gtest.h>

#include <algorithm>

#include "changed_models.h"

namespace phasor::test::head_change_test {
namespace {

using namespace changed_models;
using Kind = PositionChange::Kind;

const std::vector<const char*> kRotating = {"llama-gqa", "gptj-a", "neox-a", "llama3", "qwen2-a"};
TEST(HeadChange, ClippingBeyondTheTextChangesNothing) {
  for (const char* name : kRotating) {
    SCOPED_TRACE(name);
    const std::unique_ptr<Model> model = load_model(name);
    EXPECT_LE(
        max_error(hidden_states(*model, {{.kind = Kind::clip, .clip = 11}}), hidden_states(*model)),
        2e-6);
    EXPECT_GT(
        max_error(hidden_states(*model, {{.kind = Kind::clip, .clip = 2}}), hidden_states(*model)),
        1e-4);
  }
}

TEST(HeadChange, SelectsPairsByRange) {
  for (const char* name : kRotating) {
    SCOPED_TRACE(name);
    const std::unique_ptr<Model> model = load_model(name);
    const bool is_partial = name == std::string("gptj-a") || name == std::string("neox-a");
    const int pairs = is_partial ? 2 : model->info().head_dim / 2;
    for (const Kind kind : {Kind::still, Kind::drop}) {
      EXPECT_EQ(hidden_states(*model, {{.kind = kind, .pairs_begin = 1, .pairs_end = 1}}).data,
                hidden_states(*model).data);
    }
    const PositionChange all_pairs{.kind = Kind::still, .pairs_end = pairs};
    EXPECT_LE(max_error(hidden_states(*model, {all_pairs}), hidden_states(*model, {{}})), 1e-6);
    EXPECT_GT(max_error(hidden_states(*model, {{}}), hidden_states(*model)), 1e-3);
    // Two adjacent ranges equal the whole.
    EXPECT_EQ(hidden_states(*model, {{.kind = Kind::still, .pairs_end = 1},
                                     {.kind = Kind::still, .pairs_begin = 1, .pairs_end = pairs}})
                  .data,
              hidden_states(*model, {all_pairs}).data);
    const PositionChange excess_pairs{.kind = Kind::still, .pairs_end = pairs + 1};
    EXPECT_FALSE(model->run(kIds, {.changes = {excess_pairs}}).ok());
  }
}

TEST(HeadChange, DroppingAllPairsGivesEqualWeights) {
  const std::unique_ptr<Model> model = load_model("llama-gqa");
  ASSERT_OK_AND_ASSIGN(const ModelOutput out,
                       model->run(kIds, {.output_attentions = true,
                                         .changes = {{.kind = Kind::drop, .pairs_end = 4}}}));
  for (int i = 0; i < 12; ++i)
    EXPECT_NEAR(matrix(out.attentions[1], 3).row(i)[0], 1.0 / (i + 1), 1e-6);
}

TEST(HeadChange, ChangingTheLayoutTwiceRestoresIt) {
  for (const char* name : kRotating) {
    SCOPED_TRACE(name);
    const std::unique_ptr<Model> model = load_model(name);
    EXPECT_EQ(hidden_states(*model, {{.kind = Kind::layout}, {.kind = Kind::layout}}).data,
              hidden_states(*model).data);
    EXPECT_GT(max_error(hidden_states(*model, {{.kind = Kind::layout}}), hidden_states(*model)),
              1e-3);
  }
}

// The rows of queries and keys are reordered as in GGUF files of Llama.
TEST(HeadChange, TheOtherLayoutEqualsPermutedChannels) {
  const std::unique_ptr<Model> model = load_model("llama-gqa");
  const std::unique_ptr<Model> interleaved =
      load_edited_model("llama-gqa", [](const auto& key, Tensor& t) {
        if (!key.ends_with("q_proj.weight") && !key.ends_with("k_proj.weight")) return;
        Tensor out(t.shape);
        for (int row = 0; row < t.shape[0]; ++row) {
          const int head = row / 8, channel = row % 8;
          const int source_channel = 8 * head + (channel < 4 ? 2 * channel : 2 * (channel - 4) + 1);
          std::copy_n(matrix(t).row(row), t.shape[1], matrix(out).row(source_channel));
        }
        t = out;
      });
  // The terms of a score are added in another order.
  EXPECT_LE(max_error(hidden_states(*interleaved, {{.kind = Kind::layout}}), hidden_states(*model)),
            3e-6);
  EXPECT_GT(max_error(hidden_states(*interleaved), hidden_states(*model)), 1e-3);
}

TEST(HeadChange, ChangingAllHeadsEqualsChangingTheLayer) {
  const std::vector<PositionChange> kinds = {{},
                                             {.kind = Kind::params, .params = {{"base", 100}}},
                                             {.kind = Kind::order, .order = kPermutation},
                                             {.kind = Kind::still, .pairs_end = 2},
                                             {.kind = Kind::clip, .clip = 3},
                                             {.kind = Kind::window, .window = 2},
                                             {.kind = Kind::zero_ablation},
                                             {.kind = Kind::mean_ablation}};
  const std::unique_ptr<Model> model = load_model("llama-gqa");
  for (const PositionChange& kind : kinds) {
    SCOPED_TRACE(static_cast<int>(kind.kind));
    PositionChange listed_heads = kind, one_by_one = kind;
    listed_heads.heads = {3, 1, 0, 2};
    EXPECT_EQ(hidden_states(*model, {listed_heads}).data, hidden_states(*model, {kind}).data);
    std::vector<PositionChange> each;
    for (int head = 0; head < 4; ++head) {
      one_by_one.heads = {head};
      each.push_back(one_by_one);
    }
    EXPECT_LE(max_error(hidden_states(*model, each), hidden_states(*model, {kind})), 1e-5);
  }
}

// The biases of ALiBi and T5 differ between heads.
TEST(HeadChange, RemovingTheBiasOfOneHeadKeepsTheOthers) {
  for (const char* name : {"bloom-3h", "t5enc-a"}) {
    SCOPED_TRACE(name);
    const std::unique_ptr<Model> model = load_model(name);
    const auto weights = [&](std::vector<PositionChange> changes) {
      return value_of(model->run(kIds, {.output_attentions = true, .changes = std::move(changes)}))
          .attentions[0];
    };
    const Tensor before = weights({}), none = weights({{}}), one = weights({{.heads = {1}}});
    for (int head = 0; head < 3; ++head) {
      const Tensor& expected_tensor = head == 1 ? none : before;
      for (int i = 0; i < 144; ++i)
        EXPECT_NEAR(matrix(one, head).data[i], matrix(expected_tensor, head).data[i], 1e-6) << head;
    }
    EXPECT_GT(max_error(none, before), 1e-3);
    for (int head = 0; head < 3; ++head) {
      ASSERT_OK_AND_ASSIGN(const Tensor row,
                           model->attention_weights(kIds, 0, head, {.changes = {{.heads = {1}}}}));
      EXPECT_TRUE(std::equal(row.data.begin(), row.data.end(), matrix(one, head).data));
    }
  }
}

TEST(HeadChange, ZeroAblationEqualsAZeroProjection) {
  const std::unique_ptr<Model> model = load_model("llama-gqa");
  const std::unique_ptr<Model> zeroed_model =
      load_edited_model("llama-gqa", [](const auto& key, Tensor& t) {
        if (!key.ends_with("layers.1.self_attn.o_proj.weight")) return;
        for (int row = 0; row < t.shape[0]; ++row) std::fill_n(matrix(t).row(row) + 16, 8, 0.0f);
      });
  EXPECT_LE(
      max_error(hidden_states(*model, {{.kind = Kind::zero_ablation, .layers = {1}, .heads = {2}}}),
                hidden_states(*zeroed_model)),
      1e-6);
  // The mean over one token is its output.
  EXPECT_LE(max_error(hidden_states(*model, {{.kind = Kind::mean_ablation}}, {7}),
                      hidden_states(*model, {}, {7})),
            1e-6);
}

// Unlike heads of zeros, skipped attention adds no bias of the projection.
TEST(HeadChange, SkippedAttentionAddsNothing) {
  for (const char* name : {"bert-base", "gpt2-a", "llama-gqa", "neox-a"}) {
    SCOPED_TRACE(name);
    const std::unique_ptr<Model> model = load_model(name);
    const std::unique_ptr<Model> zeroed_model =
        load_edited_model(name, [](const auto& key, Tensor& t) {
          if (key.find("1.attention.output.dense") != std::string::npos ||
              key.find("1.attn.c_proj") != std::string::npos ||
              key.find("1.self_attn.o_proj") != std::string::npos ||
              key.find("1.attention.dense") != std::string::npos)
            std::fill(t.data.begin(), t.data.end(), 0.0f);
        });
    EXPECT_GT(max_error(hidden_states(*zeroed_model), hidden_states(*model)), 1e-4);
    EXPECT_EQ(hidden_states(*model, {{.kind = Kind::skip, .layers = {1}}}).data,
              hidden_states(*zeroed_model).data);
  }
}

TEST(HeadChange, WindowEqualsThatOfAConfig) {
  Checkpoint checkpoint = read_checkpoint("qwen2-a");
  const std::unique_ptr<Model> model = value_of(load(checkpoint));
  checkpoint.config["use_sliding_window"] = true;
  checkpoint.config["sliding_window"] = 3;
  checkpoint.config["max_window_layers"] = 0;
  const std::unique_ptr<Model> windowed_model = value_of(load(checkpoint));
  EXPECT_GT(max_error(hidden_states(*windowed_model), hidden_states(*model)), 1e-4);
  EXPECT_EQ(hidden_states(*model, {{.kind = Kind::window, .window = 3}}).data,
            hidden_states(*windowed_model).data);
  EXPECT_EQ(hidden_states(*windowed_model, {{.kind = Kind::window}}).data,
            hidden_states(*model).data);
}

TEST(HeadChange, GeneratesTheTokensThatRunPredicts) {
  const std::unique_ptr<Model> model = load_model("llama-gqa");
  const std::vector<PositionChange> changes = {{.kind = Kind::params, .params = {{"base", 20}}},
                                               {.layers = {1}, .heads = {2}}};
  ASSERT_OK_AND_ASSIGN(const std::vector<int> out,
                       model->generate(kIds, {.max_new_tokens = 8, .changes = changes}));
  std::vector<int> text = kIds;
  for (const int token : out) {
    ASSERT_OK_AND_ASSIGN(const ModelOutput full_output,
                         model->run(text, {.top_k = 1, .changes = changes}));
    EXPECT_EQ(full_output.predictions.back().front().id, token);
    text.push_back(token);
  }
  EXPECT_NE(out, value_of(model->generate(kIds, {.max_new_tokens = 8})));
}

}  // namespace
}  // namespace phasor::test::head_change_test
