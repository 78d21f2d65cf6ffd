// Counting, the motivation of CoPE (Golovneva et al. 2024, arXiv 2405.18719, section 5.2, with one
// variable): tokens increment the count, reset it to 0, or do nothing, and the target after each
// token is the count. The count depends on the content, not on the number of tokens, so only a
// content-dependent encoding can represent it. Counts from 9 on are one class.

#include "task_base/task.h"

namespace phasor {
namespace {

class CountingTask final : public Task {
 public:
  int symbols() const override { return 2 + kOtherSymbols; }
  int classes() const override { return kMax + 1; }
  // How often the count is 0 in a long text: 0.1 / (0.1 + 0.4).
  double chance() const override { return kReset / (kReset + kAdd); }
  int evaluation_items() const override { return 256; }

  void fill_batch(Generator& random, Batch& out) const override {
    for (int item = 0; item < out.items; ++item) {
      int *tokens = out.input_of(item), *targets = out.target_of(item);
      int counted = 0;
      for (int t = 0; t < out.tokens; ++t) {
        const double draw = random.uniform();
        const int other = random.below(kOtherSymbols);
        tokens[t] = draw < kReset ? 0 : draw < kReset + kAdd ? 1 : 2 + other;
        if (tokens[t] == 0) counted = 0;
        if (tokens[t] == 1) counted = std::min(counted + 1, kMax);
        targets[t] = counted;
      }
    }
  }

 private:
  static constexpr int kOtherSymbols = 8, kMax = 9;
  static constexpr double kReset = 0.1, kAdd = 0.4;
};

}  // namespace

PHASOR_TASK(counting) = {
    .info = {.id = "counting",
             .summary = "How many ones since the last zero?",
             .claim = "Content-dependent positions (CoPE) count what token positions cannot",
             .score = "accuracy"},
    .defaults = [](TrainConfig& spec) { spec.causal = true; },
    .create = [](const TrainConfig&) -> Result<std::unique_ptr<Task>> {
      return std::unique_ptr<Task>(std::make_unique<CountingTask>());
    },
};

}  // namespace phasor
