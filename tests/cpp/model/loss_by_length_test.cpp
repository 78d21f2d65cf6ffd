#include <gtest/gtest.h>

#include <cmath>

#include "changed_models.h"

namespace phasor::test::loss_by_length_test {
namespace {

using changed_models::load_model;
using Kind = PositionChange::Kind;
const std::vector<int> kText = {5, 6, 7, 8, 9, 6, 7, 11, 3, 4, 40, 12, 9, 9, 8, 30};

std::vector<int> slice_ids(int begin, int end) {
  return {kText.begin() + begin, kText.begin() + end};
}

TEST(LossByLength, IsTheMeanLossOfWindows) {
  const std::unique_ptr<Model> model = load_model("llama-gqa");
  const auto loss = [&](const std::vector<int>& ids) {
    return *value_of(model->run(ids, {})).loss;
  };
  ASSERT_OK_AND_ASSIGN(const std::vector<LengthLoss> losses,
                       loss_by_length(*model, kText, {.lengths = {16, 5, 2}, .max_windows = 4}));
  ASSERT_EQ(losses.size(), 3u);
  EXPECT_EQ(losses[0].length, 16);
  EXPECT_EQ(losses[0].windows, 1);
  EXPECT_NEAR(losses[0].loss, loss(kText), 1e-12);
  EXPECT_EQ(losses[1].windows, 3);
  EXPECT_NEAR(losses[1].loss,
              (loss(slice_ids(0, 5)) + loss(slice_ids(5, 10)) + loss(slice_ids(10, 15))) / 3,
              1e-12);
  EXPECT_EQ(losses[2].windows, 4);
}

// The loss includes the prediction of the first token after the prefix, but none within it.
TEST(LossByLength, StartsEveryWindowWithThePrefix) {
  const std::unique_ptr<Model> model = load_model("llama-gqa");
  double sum = 0;
  for (const int begin : {0, 6}) {
    std::vector<int> ids = {1, 2};
    for (const int id : slice_ids(begin, begin + 6)) ids.push_back(id);
    const std::vector<double> numbers = value_of(model->run(ids, {})).log_probabilities;
    for (std::size_t t = 1; t < numbers.size(); ++t) sum -= numbers[t];
  }
  ASSERT_OK_AND_ASSIGN(const std::vector<LengthLoss> losses,
                       loss_by_length(*model, kText, {.lengths = {8}, .prefix_ids = {1, 2}}));
  EXPECT_EQ(losses[0].windows, 2);
  EXPECT_NEAR(losses[0].loss, sum / 12, 1e-12);
}

TEST(LossByLength, AppliesChanges) {
  const std::unique_ptr<Model> model = load_model("llama-gqa");
  const std::vector<PositionChange> no_change = {{}};
  ASSERT_OK_AND_ASSIGN(const std::vector<LengthLoss> losses,
                       loss_by_length(*model, kText, {.lengths = {16}, .changes = no_change}));
  const double mean_loss = *value_of(model->run(kText, {.changes = no_change})).loss;
  EXPECT_NEAR(losses[0].loss, mean_loss, 1e-12);
  EXPECT_GT(std::abs(mean_loss - *value_of(model->run(kText, {})).loss), 1e-4);
}

TEST(LossByLength, RejectsInvalidConfigsAndModels) {
  const std::unique_ptr<Model> model = load_model("llama-gqa");
  const auto rejection_message = [&](const LossByLengthConfig& config) {
    return loss_by_length(*model, kText, config).status().message();
  };
  EXPECT_EQ(rejection_message({}), "lengths: is empty; expected at least one length");
  EXPECT_EQ(rejection_message({.lengths = {4, 17}}), "lengths[1]: 17 is outside 2 to 16");
  EXPECT_EQ(rejection_message({.lengths = {1}}), "lengths[0]: 1 is outside 2 to 16");
  EXPECT_EQ(rejection_message({.lengths = {2}, .prefix_ids = {1, 1}}),
            "lengths[0]: 2 is outside 3 to 18");
  EXPECT_EQ(rejection_message({.lengths = {4}, .max_windows = 0}),
            "max_windows: 0 is outside 1 to 1048576");
  EXPECT_EQ(rejection_message({.lengths = {4}, .prefix_ids = {99}}),
            "input_ids[0]: 99 is outside 0 to 63");
  EXPECT_EQ(rejection_message({.lengths = {4}, .changes = {{.layers = {5}}}}),
            "changes[0].layers[0]: 5 is outside 0 to 1");
  EXPECT_EQ(loss_by_length(*model, {}, {.lengths = {4}}).status().message(),
            "input_ids: a length of 0 is too short to predict a next token");
  EXPECT_EQ(loss_by_length(*load_model("bert-mlm"), kText, {.lengths = {4}}).status().message(),
            "input_ids: only a causal model with a language-model head has a next-token loss");
}

}  // namespace
}  // namespace phasor::test::loss_by_length_test
