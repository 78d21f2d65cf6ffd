// Which token came after this one the last time? An item is a sequence of blocks of 2 to 13
// different symbols, each written twice; the targets are the tokens of second copies whose
// predecessor is in the same copy. A head can copy the right token only if a head in the layer
// before has written into every token which one precedes it: an induction head and its
// previous-token head (Elhage et al. 2021; Olsson et al. 2022, arXiv 2209.11895). The second needs
// positions. Symbols have no meaning: which are in a block is drawn anew.

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "core/format_error.h"
#include "task_base/task.h"

namespace phasor {
namespace {

class InductionTask final : public Task {
 public:
  int symbols() const override { return kSymbols; }
  double chance() const override { return 1.0 / kSymbols; }

  void batch(Generator& random, Batch& out) const override {
    for (int item = 0; item < out.items; ++item) {
      int *tokens = out.input_of(item), *targets = out.target_of(item);
      std::array<int, kSymbols> symbols;
      std::iota(symbols.begin(), symbols.end(), 0);
      for (int begin = 0; begin < out.tokens;) {
        const int size = kLeast + random.below(std::min(kMost, out.tokens / 2) - kLeast + 1);
        for (int i = 0; i < size; ++i)
          std::swap(symbols[i], symbols[i + random.below(kSymbols - i)]);
        const int end = std::min(begin + 2 * size, out.tokens);
        for (int t = begin; t < end; ++t) {
          const int place = t - begin;
          tokens[t] = symbols[place % size];
          if (place >= size && place < 2 * size - 1) targets[t] = symbols[place + 1 - size];
        }
        begin = end;
      }
    }
  }
  int evaluation_items() const override { return 256; }
  Status check_length(int length) const override {
    if (length >= 2 * kLeast) return {};
    return invalid("length: {} tokens have no block twice; at least {} are needed", aside(length),
                   2 * kLeast);
  }

 private:
  static constexpr int kSymbols = 26, kLeast = 2, kMost = 13;
};

}  // namespace

PHASOR_TASK(induction) = {
    .info = {.id = "induction",
             .summary = "Which token came after this one the last time?",
             .claim = "A head that copies needs a head that looks one place back, and that head "
                      "needs positions",
             .score = "accuracy"},
    .defaults =
        [](TrainConfig& spec) {
          spec.causal = true;
          spec.dim_feedforward = 64;
          spec.steps = 2500;
          spec.warmup_steps = 50;
        },
    .create = [](const TrainConfig&) -> Result<std::unique_ptr<Task>> {
      return std::unique_ptr<Task>(std::make_unique<InductionTask>());
    },
};

}  // namespace phasor
