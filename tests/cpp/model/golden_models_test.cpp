// Tiny checkpoints in the layout of Hugging Face, against the results of transformers.

#include <gtest/gtest.h>

#include <algorithm>

#include "checkpoint.h"

namespace phasor::test::golden_models_test {
namespace {

// Relative to 1 + |expected|. In float32, the errors of the reference are up to 5e-6 and 6e-7.
constexpr double kOutput = 3e-5, kWeight = 8e-6;

std::vector<double> read_item(const Json& tensor, int item) {
  const auto shape = tensor["shape"].get<std::vector<int>>();
  const auto data = tensor["data"].get<std::vector<double>>();
  const auto size = static_cast<std::ptrdiff_t>(data.size()) / shape[0];
  return {data.begin() + item * size, data.begin() + (item + 1) * size};
}

// Rows of padded tokens are not compared, because nothing reads them.
void compare(const std::string& label, const Tensor& actual, const std::vector<double>& expected,
             double tolerance, int tokens, int visible) {
  ASSERT_EQ(actual.data.size(), expected.size()) << label;
  const int row = actual.shape.back();
  double max_error = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const int token = static_cast<int>(i) / row % tokens;
    if (token >= visible) continue;
    max_error = std::max(max_error, error(static_cast<double>(actual.data[i]), expected[i]));
    if (tolerance == kWeight && expected[i] == 0) {
      ASSERT_EQ(actual.data[i], 0.0f) << label << ": a masked weight";
    }
  }
  EXPECT_LE(max_error, tolerance) << label;
}

void compare_text(const Model& model, const Json& batch, int item) {
  const auto ids = batch["input_ids"][static_cast<std::size_t>(item)].get<std::vector<int>>();
  RunConfig config{.output_hidden_states = true, .output_attentions = true};
  const auto index = static_cast<std::size_t>(item);
  if (batch.contains("attention_mask"))
    config.attention_mask = batch["attention_mask"][index].get<std::vector<std::uint8_t>>();
  if (batch.contains("token_type_ids"))
    config.token_type_ids = batch["token_type_ids"][index].get<std::vector<int>>();
  const int tokens = static_cast<int>(ids.size());
  const int visible = config.attention_mask.empty()
                          ? tokens
                          : static_cast<int>(std::count(config.attention_mask.begin(),
                                                        config.attention_mask.end(), 1));
  ASSERT_OK_AND_ASSIGN(const ModelOutput out, model.run(ids, config));
  if (batch.contains("logits"))
    compare("logits", out.logits, read_item(batch["logits"], item), kOutput, tokens, visible);
  if (batch.contains("last_hidden_state")) {
    compare("hidden states", out.last_hidden_state, read_item(batch["last_hidden_state"], item),
            kOutput, tokens, visible);
  }
  ASSERT_EQ(out.attentions.size(), batch["attentions"].size());
  for (std::size_t n = 0; n < out.attentions.size(); ++n) {
    compare("attention " + std::to_string(n), out.attentions[n],
            read_item(batch["attentions"][n], item), kWeight, tokens, visible);
  }
  if (batch.contains("hidden_states")) {
    ASSERT_EQ(out.hidden_states.size(), batch["hidden_states"].size());
    for (std::size_t n = 0; n < out.hidden_states.size(); ++n) {
      compare("state " + std::to_string(n), out.hidden_states[n],
              read_item(batch["hidden_states"][n], item), kOutput, tokens, visible);
    }
  }
  if (batch.contains("next_token_ce")) {
    ASSERT_TRUE(out.loss.has_value());
    EXPECT_LE(error(*out.loss, batch["next_token_ce"].get<double>()), kOutput);
  }
}

TEST(GoldenModels, AgreeWithTransformers) {
  ASSERT_EQ(checkpoint_names().size(), 36u);
  for (const std::string& name : checkpoint_names()) {
    SCOPED_TRACE(name);
    const Checkpoint checkpoint = read_checkpoint(name);
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, load(checkpoint));
    for (const Json& batch : checkpoint.expected["inputs"]) {
      for (int item = 0; item < static_cast<int>(batch["input_ids"].size()); ++item) {
        SCOPED_TRACE(std::to_string(batch["input_ids"][0].size()) + " tokens");
        compare_text(*model, batch, item);
      }
    }
  }
}

TEST(GoldenModels, DecodeTheSameLogitsWithACache) {
  int causal = 0;
  for (const std::string& name : checkpoint_names()) {
    SCOPED_TRACE(name);
    const Checkpoint checkpoint = read_checkpoint(name);
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, load(checkpoint));
    if (!model->info().causal) {
      EXPECT_FALSE(model->create_cache(30).ok());
      continue;
    }
    ++causal;
    const Json& batch = checkpoint.expected["inputs"][2];
    const auto ids = batch["input_ids"][0].get<std::vector<int>>();
    const std::vector<double> expected = read_item(batch["logits"], 0);
    const int count = static_cast<int>(ids.size()), vocab = model->info().vocab_size;
    if (name == "mistral-dynamic") {
      // The frequencies depend on the length of the text.
      EXPECT_EQ(model->create_cache(count).status().message(),
                "max_length: 19 is outside 1 to 8, the original context length; beyond it, the "
                "frequencies of cached keys would change");
      EXPECT_TRUE(model->create_cache(8).ok());
      continue;
    }
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ModelCache> cache, model->create_cache(count));
    for (int first = 0; first < count;) {
      const int next = first == 0 ? 10 : 1;
      const auto begin = ids.begin() + first;
      ASSERT_OK_AND_ASSIGN(const ModelOutput out, model->run(std::vector<int>(begin, begin + next),
                                                             {.cache = cache.get()}));
      const auto row = expected.begin() + first * vocab;
      compare("logits", out.logits, {row, row + next * vocab}, kOutput, next, next);
      first += next;
      EXPECT_EQ(cache->length(), first);
    }
    EXPECT_FALSE(model->run(std::vector<int>{1}, {.cache = cache.get()}).ok()) << "it is full";
  }
  EXPECT_EQ(causal, 29);
}

TEST(GoldenModels, GenerateTheMostProbableTokens) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, load(read_checkpoint("llama-gqa")));
  std::vector<int> text = {3, 1, 4, 1, 5};
  ASSERT_OK_AND_ASSIGN(const std::vector<int> out, model->generate(text, {.max_new_tokens = 8}));
  ASSERT_EQ(out.size(), 8u);
  for (const int token : out) {
    ASSERT_OK_AND_ASSIGN(const ModelOutput full_output, model->run(text, {.top_k = 3}));
    EXPECT_EQ(full_output.predictions.back().front().id, token);
    text.push_back(token);
  }
  ASSERT_OK_AND_ASSIGN(
      const std::vector<int> ended,
      model->generate(std::vector<int>{3, 1, 4, 1, 5}, {.eos_token_id = out.front()}));
  EXPECT_EQ(ended, std::vector<int>{out.front()});
}

TEST(GoldenModels, KeepTheLastLogits) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, load(read_checkpoint("llama-gqa")));
  const std::vector<int> ids = {5, 6, 7, 8, 9};
  const auto vocab = static_cast<std::ptrdiff_t>(model->info().vocab_size);
  ASSERT_OK_AND_ASSIGN(const ModelOutput full_output, model->run(ids, {.top_k = 2}));
  ASSERT_OK_AND_ASSIGN(const ModelOutput last, model->run(ids, {.top_k = 2, .logits_to_keep = 2}));
  EXPECT_EQ(last.logits.data, std::vector<float>(full_output.logits.data.end() - 2 * vocab,
                                                 full_output.logits.data.end()));
  EXPECT_EQ(last.log_probabilities, std::vector<double>{full_output.log_probabilities.back()});
  EXPECT_EQ(last.loss, -full_output.log_probabilities.back());
  ASSERT_EQ(last.predictions.size(), 2u);
  EXPECT_EQ(last.predictions[1][1].id, full_output.predictions[4][1].id);
  ASSERT_OK_AND_ASSIGN(const ModelOutput partial_output, model->run(ids, {.logits_to_keep = 6}));
  EXPECT_EQ(partial_output.logits.data, full_output.logits.data);
  ASSERT_OK_AND_ASSIGN(const ModelOutput single_output,
                       model->run(ids, {.output_logits = false, .output_loss = false}));
  EXPECT_TRUE(single_output.logits.data.empty() && single_output.log_probabilities.empty() &&
              !single_output.loss);
  EXPECT_EQ(single_output.last_hidden_state.data, full_output.last_hidden_state.data);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ModelCache> cache, model->create_cache(5));
  EXPECT_FALSE(model->run(ids, {.logits_to_keep = -1, .cache = cache.get()}).ok());
  EXPECT_EQ(cache->length(), 0);
}

TEST(GoldenModels, AttentionWeightsOfOneHeadMatchTheRun) {
  const Checkpoint checkpoint = read_checkpoint("llama-gqa");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, load(checkpoint));
  const std::vector<int> ids = {5, 6, 7, 8, 9};
  ASSERT_OK_AND_ASSIGN(const ModelOutput out, model->run(ids, {.output_attentions = true}));
  for (int layer = 0; layer < model->info().layers; ++layer) {
    for (int head = 0; head < model->info().heads; ++head) {
      ASSERT_OK_AND_ASSIGN(const Tensor weights, model->attention_weights(ids, layer, head, {}));
      const Tensor& all_weights = out.attentions[static_cast<std::size_t>(layer)];
      ASSERT_EQ(weights.shape, (std::vector<int>{1, 5, 5}));
      EXPECT_TRUE(std::equal(weights.data.begin(), weights.data.end(),
                             all_weights.data.begin() + head * 25));
    }
  }
}

}  // namespace
}  // namespace phasor::test::golden_models_test
