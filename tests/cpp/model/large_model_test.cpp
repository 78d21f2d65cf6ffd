// A model as large as a real one. It is skipped unless PHASOR_RANDOM_LLAMA names a folder that
// tests/real/random-llama.mjs has written:
//   node -e "import('./tests/real/random-llama.mjs').then((m) =>
//   console.log(m.writeRandomLlama()))"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "phasor/model.h"
#include "results.h"

namespace phasor::test::large_model_test {
namespace {

TEST(LargeModel, GeneratesTheTokensThatOneRunPredicts) {
  const char* folder = std::getenv("PHASOR_RANDOM_LLAMA");
  if (folder == nullptr) GTEST_SKIP() << "PHASOR_RANDOM_LLAMA names no folder";
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, open_model(folder));
  EXPECT_EQ(model->info().layers, 30);
  std::vector<int> ids;
  for (int t = 0; t < 64; ++t) ids.push_back(t * 7919 % model->info().vocab_size);
  ASSERT_OK_AND_ASSIGN(const std::vector<int> tokens, model->generate(ids, {.max_new_tokens = 16}));
  ASSERT_EQ(tokens.size(), 16u);
  EXPECT_EQ(value_of(model->generate(ids, {.max_new_tokens = 16, .threads = 2})), tokens);
  ids.insert(ids.end(), tokens.begin(), tokens.end());
  ASSERT_OK_AND_ASSIGN(const ModelOutput out, model->run(ids, {.top_k = 1, .threads = 2}));
  for (std::size_t n = 0; n < tokens.size(); ++n)
    EXPECT_EQ(out.predictions[63 + n].front().id, tokens[n]) << n;
}

}  // namespace
}  // namespace phasor::test::large_model_test
