// Counting, the motivation of CoPE (Golovneva et al. 2024, arXiv 2405.18719, section 5.2, with one
// variable). Tokens increment a count, reset it to 0, or leave it; the target is the count after
// each token. The count does not follow from the number of tokens, so only a content-dependent
// encoding can represent it. Counts of at least 9 are one class.

#include "task_base/task.h"

namespace phasor {
namespace {

class CountingTask final : public Task {
 public:
  int symbol_count() const override { return 2 + kOtherSymbolCount; }
  int class_count() const override { return kMaxCount + 1; }
  // The probability that the count is 0 in a long sequence: 0.1 / (0.1 + 0.4).
  double chance_score() const override {
    return kResetProbability / (kResetProbability + kIncrementProbability);
  }
  int evaluation_item_count() const override { return 256; }

  void fill_batch(Generator& random, Batch& out) const override {
    for (int item = 0; item < out.items; ++item) {
      int *tokens = out.item_input(item), *targets = out.item_target(item);
      int count = 0;
      for (int t = 0; t < out.tokens; ++t) {
        const double sample = random.uniform();
        const int other_symbol = random.uniform_integer(kOtherSymbolCount);
        tokens[t] = sample < kResetProbability                           ? 0
                    : sample < kResetProbability + kIncrementProbability ? 1
                                                                         : 2 + other_symbol;
        if (tokens[t] == 0) count = 0;
        if (tokens[t] == 1) count = std::min(count + 1, kMaxCount);
        targets[t] = count;
      }
    }
  }

 private:
  static constexpr int kOtherSymbolCount = 8, kMaxCount = 9;
  static constexpr double kResetProbability = 0.1, kIncrementProbability = 0.4;
};

}  // namespace

PHASOR_TASK(counting) = {
    .info = {.id = "counting",
             .summary = "How many ones since the last zero?",
             .claim = "Models learn to count with content-dependent positions (CoPE), but not with "
                      "token positions",
             .score = "accuracy"},
    .set_defaults = [](TrainConfig& config) { config.causal = true; },
    .create = [](const TrainConfig&) -> Result<std::unique_ptr<Task>> {
      return std::unique_ptr<Task>(std::make_unique<CountingTask>());
    },
};

}  // namespace phasor
