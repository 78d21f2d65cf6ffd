#pragma once
// Delayed copy, y_t = x_{t-3}: data for the tasks `copy` and `variable_lengths`.

#include "task_base/task.h"

namespace phasor {

class CopyTask final : public Task {
 public:
  int symbol_count() const override { return kSymbolCount; }
  double chance_score() const override { return 1.0 / kSymbolCount; }

  void fill_batch(Generator& random, Batch& out) const override {
    for (int item = 0; item < out.items; ++item) {
      int *tokens = out.item_input(item), *targets = out.item_target(item);
      for (int t = 0; t < out.tokens; ++t) {
        tokens[t] = random.uniform_integer(kSymbolCount);
        if (t >= kDelay) targets[t] = tokens[t - kDelay];
      }
    }
  }
  int evaluation_item_count() const override { return 256; }
  Status check_length(int length) const override;

 private:
  static constexpr int kSymbolCount = 16, kDelay = 3;
};

Result<std::unique_ptr<Task>> make_copy_task(const TrainConfig& config);

}  // namespace phasor
