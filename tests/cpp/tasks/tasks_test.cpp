// Batches, targets and errors of the tasks.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "results.h"
#include "task_base/corpus.h"
#include "task_base/task.h"

namespace phasor {
namespace {

using test::value_of;

// Has 8 distinct symbols and is long enough for short windows.
std::string small_corpus() {
  std::string text;
  for (int n = 0; n < 400; ++n) text += "It is a Bee.\n ";
  return text;
}

std::unique_ptr<Task> make(const char* id, int length) {
  TrainConfig spec =
      value_of(make_train_config(id, {{"sequence_length", static_cast<double>(length)}}));
  spec.corpus = small_corpus();
  return value_of(find_task(id)->create(spec));
}

Batch draw(const Task& task, int items, int tokens, std::uint64_t step = 3) {
  Batch batch;
  batch.resize(items, tokens, task.is_pooled());
  Generator random(1, RandomPurpose::batches, step);
  task.fill_batch(random, batch);
  return batch;
}

TEST(Tasks, AreListedWithTheirDescriptions) {
  std::vector<std::string> ids;
  for (const TaskInfo& info : tasks()) {
    ids.emplace_back(info.id);
    EXPECT_FALSE(info.summary.empty() || info.claim.empty() || info.score.empty()) << info.id;
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"copy", "counting", "geometry_1d", "geometry_2d",
                                           "image", "induction", "masked_text", "order",
                                           "order_long", "probe", "text", "variable_lengths"}));
}

TEST(Tasks, DrawTokensAndTargetsInRange) {
  for (const TaskInfo& info : tasks()) {
    if (info.id == "image") continue;
    const int length = info.id == "geometry_2d" ? 64 : 12;
    const auto task = make(std::string(info.id).c_str(), length);
    const Batch batch = draw(*task, 50, length);
    int scored = 0;
    for (const int token : batch.inputs) EXPECT_TRUE(token >= 0 && token < task->symbol_count());
    for (const int target : batch.targets) {
      if (target == nn::kIgnored) continue;
      EXPECT_TRUE(target >= 0 && target < task->class_count()) << info.id;
      ++scored;
    }
    EXPECT_GT(scored, 40) << info.id;
    EXPECT_GT(task->chance_score(), 0) << info.id;
    EXPECT_EQ(draw(*task, 50, length).inputs, batch.inputs) << info.id;
    EXPECT_NE(draw(*task, 50, length, 4).inputs, batch.inputs) << info.id;
  }
}

TEST(Order, TargetTellsWhichTokenCameFirst) {
  const Batch batch = draw(*make("order", 16), 200, 16);
  int first = 0;
  for (int item = 0; item < batch.items; ++item) {
    const int* tokens = batch.inputs.data() + item * 16;
    const auto a = std::find(tokens, tokens + 16, 0), b = std::find(tokens, tokens + 16, 1);
    EXPECT_EQ(std::count(tokens, tokens + 16, 0) + std::count(tokens, tokens + 16, 1), 2);
    EXPECT_EQ(batch.targets[static_cast<std::size_t>(item)], a < b ? 1 : 0);
    first += a < b ? 1 : 0;
  }
  EXPECT_NEAR(first, 100, 30);
}

TEST(Copy, TargetIsTheTokenThreePositionsBefore) {
  const Batch batch = draw(*make("copy", 9), 5, 9);
  for (std::size_t i = 0; i < batch.targets.size(); ++i)
    EXPECT_EQ(batch.targets[i], i % 9 < 3 ? nn::kIgnored : batch.inputs[i - 3]);
}

TEST(Counting, CountsOnesSinceTheLastZero) {
  const Batch batch = draw(*make("counting", 40), 20, 40);
  int scored_count = 0;
  for (std::size_t i = 0; i < batch.targets.size(); ++i) {
    if (i % 40 == 0 || batch.inputs[i] == 0) scored_count = 0;
    if (batch.inputs[i] == 1) scored_count = std::min(scored_count + 1, 9);
    EXPECT_EQ(batch.targets[i], scored_count);
  }
}

TEST(GeometryTasks, HideThirtyPercentOfARandomWalk) {
  const Batch batch = draw(*make("geometry_1d", 64), 50, 64);
  int hidden = 0;
  for (std::size_t i = 0; i < batch.targets.size(); ++i) {
    hidden += batch.targets[i] != nn::kIgnored ? 1 : 0;
    EXPECT_EQ(batch.targets[i] != nn::kIgnored, batch.inputs[i] == 8);
    const auto symbol_at = [&](std::size_t index) {
      return batch.inputs[index] == 8 ? batch.targets[index] : batch.inputs[index];
    };
    if (i % 64 > 0) {
      EXPECT_LE(std::abs(symbol_at(i) - symbol_at(i - 1)), 1);
    }
  }
  EXPECT_NEAR(hidden / (50.0 * 64), 0.3, 0.03);
}

// The eight levels are about equally frequent, and neighbours differ equally in both directions.
TEST(GeometryTasks, DrawFieldsThatAreSmoothInBothDirections) {
  const Batch batch = draw(*make("geometry_2d", 64), 300, 64);
  const auto token_at = [&](int item, int t) {
    const auto i = static_cast<std::size_t>(item * 64 + t);
    return batch.inputs[i] == 8 ? batch.targets[i] : batch.inputs[i];
  };
  std::vector<int> counts(8);
  double right = 0, down = 0, far = 0;
  for (int item = 0; item < 300; ++item) {
    for (int t = 0; t < 56; ++t) {
      ++counts[static_cast<std::size_t>(token_at(item, t))];
      down += std::abs(token_at(item, t) - token_at(item, t + 8));
      right += std::abs(token_at(item, t) - token_at(item, t % 8 == 7 ? t - 1 : t + 1));
      far += std::abs(token_at(item, t) - token_at(item, 63 - t));
    }
  }
  for (const int count : counts) EXPECT_NEAR(count, 300 * 56 / 8, 500);
  EXPECT_NEAR(right / down, 1, 0.05);
  EXPECT_GT(far / down, 1.5);
}

TEST(Text, TargetIsTheNextSymbol) {
  const auto task = make("text", 12);
  const Batch batch = draw(*task, 5, 12);
  for (std::size_t i = 0; i + 1 < batch.inputs.size(); ++i) {
    if (i % 12 < 11) {
      EXPECT_EQ(batch.targets[i], batch.inputs[i + 1]);
    }
  }
  EXPECT_EQ(task->symbol_count(), 8);  // a, b, e, i, s, t, a full stop, a space
  EXPECT_EQ(value_of(task->tokenize("IT  is")), value_of(task->tokenize("it\nis")));
  EXPECT_EQ(task->tokenize("xit").status().message(),
            "text: the symbol at index 0 does not occur in the corpus");
}

// The same last characters are scored at every length, so that only the context differs.
TEST(Text, EvaluatesTheSameTargetsAtEveryLength) {
  const auto task = make("text", 64);
  const auto last = [&](int tokens) {
    Batch batch;
    batch.resize(1, tokens, false);
    Generator random(1, RandomPurpose::evaluation, 0);
    task->fill_evaluation_batch(random, batch);
    EXPECT_EQ(std::count(batch.targets.begin(), batch.targets.end(), nn::kIgnored), tokens - 32);
    return std::vector<int>(batch.targets.end() - 32, batch.targets.end());
  };
  EXPECT_EQ(last(32), last(64));
  EXPECT_EQ(last(32), last(128));
}

TEST(Corpus, RejectsInvalidTexts) {
  const auto rejection_message = [](const std::string& text) {
    TrainConfig spec = value_of(make_train_config("text"));
    spec.corpus = text;
    return find_task("text")->create(spec).status().message();
  };
  EXPECT_EQ(rejection_message(""), "corpus: is empty");
  EXPECT_EQ(rejection_message("To be"),
            "corpus: 5 symbols are too few; expected at least 1300, because a twentieth of the "
            "text is held out");
  std::string symbols;
  for (char first = '\xE4'; first < '\xE6'; ++first) {
    for (int second = 0x80; second < 0xC0; ++second) {
      for (int last_byte = 0x80; last_byte < 0xC0; ++last_byte)
        ((symbols += first) += static_cast<char>(second)) += static_cast<char>(last_byte);
    }
  }
  EXPECT_EQ(rejection_message(symbols), "corpus: has 8192 distinct symbols; expected at most 4096");
  EXPECT_EQ(rejection_message(std::string(2000, 'a') + "\xFF"),
            "corpus: byte 2000 is not valid UTF-8");
}

TEST(Corpus, HoldsATwentiethOutOfTraining) {
  Corpus corpus;
  std::string text(1900, 'a');
  text += std::string(100, 'b');
  ASSERT_TRUE(Corpus::read(text, 10, corpus).ok());
  std::vector<int> window(100);
  for (std::uint64_t n = 0; n < 20; ++n) {
    Generator random(1, RandomPurpose::batches, n);
    corpus.sample_window(random, 100, window.data());
    EXPECT_EQ(std::count(window.begin(), window.end(), 0), 100);
    corpus.sample_test_window(random, 50, window.data());
    EXPECT_EQ(std::count(window.begin(), window.begin() + 50, 1), 50);
  }
  EXPECT_FALSE(corpus.check_length(100).ok());
  EXPECT_TRUE(corpus.check_length(99).ok());
}

TEST(Image, RejectsInvalidImagesAndEncodings) {
  TrainConfig spec = value_of(make_train_config("image"));
  const auto rejection_message = [&] { return Trainer::create(spec).status().message(); };
  EXPECT_EQ(rejection_message(), "image: has no shape and no values");
  spec.image = Tensor({4, 4});
  EXPECT_NE(rejection_message().find("image: has shape 4 x 4; expected rows x"), std::string::npos)
      << rejection_message();
  spec.image = Tensor({1024, 1025, 1});
  EXPECT_EQ(rejection_message(),
            "image: 1024 x 1025 pixels are too many; expected at most 1048576");
  spec.image = Tensor({4, 4, 1}, std::vector<float>(16, 2.0f));
  EXPECT_EQ(rejection_message(), "image[0]: 2 is outside 0 to 1");
  spec.image = Tensor({4, 4, 1});
  spec.encoding.id = "rope_2d";
  EXPECT_NE(rejection_message().find("has no table"), std::string::npos) << rejection_message();
}

TEST(Image, FourierFeaturesImproveTheReconstructionOfEdges) {
  const auto decibels = [](const EncodingConfig& encoding) {
    TrainConfig spec = value_of(
        make_train_config("image", {{"embed_dim", 16.0}, {"steps", 60.0}, {"lr", 0.02}}, encoding));
    spec.image = Tensor({16, 16, 1});
    for (int i = 0; i < 256; ++i)
      spec.image.data[static_cast<std::size_t>(i)] = (i / 64 + i % 16 / 4) % 2 == 0 ? 1.0f : 0.0f;
    const auto trainer = value_of(Trainer::create(spec));
    value_of(trainer->step(60));
    return value_of(trainer->evaluate()).metrics.at("train_decibels");
  };
  const EncodingConfig fourier{.id = "fourier",
                               .params = {{"features", 16.0}, {"extent", 1.0}, {"sigma", 2.0}}};
  EXPECT_GT(decibels(fourier), decibels({}) + 5);
}

TEST(Induction, TargetIsTheTokenAfterTheLastOccurrence) {
  const auto task = make("induction", 40);
  const Batch batch = draw(*task, 200, 40);
  int targets = 0;
  for (int item = 0; item < batch.items; ++item) {
    const int* tokens = batch.inputs.data() + 40 * item;
    const int* target = batch.targets.data() + 40 * item;
    for (int t = 0; t < 40; ++t) {
      if (target[t] == nn::kIgnored) continue;
      ++targets;
      int last = t - 1;
      while (last >= 0 && tokens[last] != tokens[t]) --last;
      ASSERT_GE(last, 0);
      EXPECT_EQ(target[t], tokens[last + 1]);
    }
  }
  EXPECT_GT(targets, 200 * 10);
  EXPECT_EQ(task->check_length(3).message(),
            "length: 3 tokens are too few for a block to occur twice; expected at least 4");
  EXPECT_TRUE(task->check_length(4).ok());
}

}  // namespace
}  // namespace phasor
