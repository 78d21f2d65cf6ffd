#include <gtest/gtest.h>

#include "changed_models.h"

namespace phasor::test::model_threads_test {
namespace {

using changed_models::kIds;
using changed_models::load_model;

TEST(ModelThreads, GiveTheSameBitsAsOneThread) {
  const std::vector<PositionChange> one_head = {{.layers = {1}, .heads = {2}}};
  for (const char* name : {"llama-gqa", "gpt2-a", "bert-mlm", "neox-a"}) {
    SCOPED_TRACE(name);
    const std::unique_ptr<Model> model = load_model(name);
    std::vector<PositionChange> changes;
    if (name == std::string("llama-gqa")) changes = one_head;
    // Rows that threads divide evenly, with a remainder, and fewer rows than threads.
    for (const std::size_t count : {12u, 7u, 3u, 1u}) {
      const std::vector<int> ids(kIds.begin(), kIds.begin() + static_cast<std::ptrdiff_t>(count));
      ASSERT_OK_AND_ASSIGN(const ModelOutput single_thread,
                           model->run(ids, {.output_attentions = true, .changes = changes}));
      for (const int threads : {2, 3, 16}) {
        ASSERT_OK_AND_ASSIGN(
            const ModelOutput multi_thread,
            model->run(ids, {.output_attentions = true, .changes = changes, .threads = threads}));
        EXPECT_EQ(multi_thread.logits.data, single_thread.logits.data)
            << count << " tokens, " << threads;
        EXPECT_EQ(multi_thread.attentions[1].data, single_thread.attentions[1].data);
      }
    }
  }
}

TEST(ModelThreads, GenerateTheSameTokens) {
  const std::unique_ptr<Model> model = load_model("llama-gqa");
  EXPECT_EQ(value_of(model->generate(kIds, {.max_new_tokens = 8, .threads = 2})),
            value_of(model->generate(kIds, {.max_new_tokens = 8})));
}

TEST(ModelThreads, AreLimitedTo1To256) {
  const std::unique_ptr<Model> model = load_model("llama-gqa");
  EXPECT_EQ(model->run(kIds, {.threads = 0}).status().message(), "threads: 0 is outside 1 to 256");
  EXPECT_EQ(model->generate(kIds, {.threads = 257}).status().message(),
            "threads: 257 is outside 1 to 256");
  EXPECT_EQ(model->create_cache(4, {}, -1).status().message(), "threads: -1 is outside 1 to 256");
}

}  // namespace
}  // namespace phasor::test::model_threads_test
