#pragma once
// Data for the tasks `order` and `order_long`, which differ in their training configs.

#include "task_base/task.h"

namespace phasor {

class OrderTask final : public Task {
 public:
  int symbol_count() const override { return kSymbolCount; }
  int class_count() const override { return 2; }
  bool is_pooled() const override { return true; }
  double chance_score() const override { return 0.5; }

  void fill_batch(Generator& random, Batch& out) const override {
    for (int item = 0; item < out.items; ++item) {
      int* tokens = out.item_input(item);
      for (int t = 0; t < out.tokens; ++t) tokens[t] = 2 + random.uniform_integer(kSymbolCount - 2);
      const int a = random.uniform_integer(out.tokens);
      int b = random.uniform_integer(out.tokens - 1);
      if (b >= a) ++b;
      tokens[a] = 0;
      tokens[b] = 1;
      out.targets[static_cast<std::size_t>(item)] = a < b ? 1 : 0;
    }
  }

  Status check_length(int length) const override;

 private:
  static constexpr int kSymbolCount = 20;  // A, B and 18 other symbols
};

void set_order_defaults(TrainConfig& config);
Result<std::unique_ptr<Task>> make_order_task(const TrainConfig& config);

}  // namespace phasor
