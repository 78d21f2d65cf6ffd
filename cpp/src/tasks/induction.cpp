// Which token came after this one the last time? An item is a sequence of blocks of 2 to 13
// different symbols, each written twice; the targets are the tokens of second copies whose
// predecessor is in the same copy. A head can copy the right token only if a head in the layer
// before has marked every token with its predecessor: an induction head and its previous-token head
// (Elhage et al. 2021; Olsson et al. 2022, arXiv 2209.11895). The previous-token head needs
// positions. The symbols of each block are drawn anew, so they have no meaning.

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "core/format_error.h"
#include "task_base/task.h"

namespace phasor {
namespace {

class InductionTask final : public Task {
 public:
  int symbols() const override { return kSymbols; }
  double chance() const override { return 1.0 / kSymbols; }

  void fill_batch(Generator& random, Batch& out) const override {
    for (int item = 0; item < out.items; ++item) {
      int *tokens = out.input_of(item), *targets = out.target_of(item);
      int symbols[kSymbols];
      std::iota(symbols, symbols + kSymbols, 0);
      for (int begin = 0; begin < out.tokens;) {
        const int size = kMin + random.below(std::min(kMax, out.tokens / 2) - kMin + 1);
        for (int i = 0; i < size; ++i)
          std::swap(symbols[i], symbols[i + random.below(kSymbols - i)]);
        const int end = std::min(begin + 2 * size, out.tokens);
        for (int t = begin; t < end; ++t) {
          const int index = t - begin;
          tokens[t] = symbols[index % size];
          if (index >= size && index < 2 * size - 1) targets[t] = symbols[index + 1 - size];
        }
        begin = end;
      }
    }
  }
  int evaluation_items() const override { return 256; }
  // Adds, for each head, the mean weight on the token before (previous_token) and on the token
  // after the last occurrence of the same token (prefix_matching). Also adds the largest
  // previous_token of the first layer and the largest prefix_matching of later layers.
  Status add_metrics(ObservedModel& model, const TrainConfig& spec,
                     OrderedMap<double>& out) const override {
    const int n = spec.sequence_length;
    const std::ptrdiff_t square = static_cast<std::ptrdiff_t>(n) * n;
    std::vector<double> previous, matching;
    double rows = 0, targets = 0;
    Batch single;
    for (int item = 0; item < kObservedItems; ++item) {
      single.resize(1, n, false);
      Generator random(spec.seed, Purpose::evaluation, static_cast<std::uint64_t>(item));
      fill_batch(random, single);
      PHASOR_TRY_ASSIGN(const Tensor weights, model.attention_weights(single.input));
      const int heads = spec.layers * spec.heads;
      const int *tokens = single.input.data(), *target = single.target.data();
      previous.resize(static_cast<std::size_t>(heads));
      matching.resize(previous.size());
      for (int t = 1; t < n; ++t) {
        int next = t;
        while (next > 0 && tokens[next - 1] != tokens[t]) --next;
        const bool has_target = target[t] != nn::kIgnored;
        rows += 1;
        targets += has_target ? 1 : 0;
        const float* row = weights.data.data() + static_cast<std::ptrdiff_t>(t) * n;
        for (std::size_t head = 0; head < previous.size(); ++head, row += square) {
          previous[head] += row[t - 1];
          if (has_target) matching[head] += row[next];
        }
      }
    }
    const auto report = [&](const char* name, std::vector<double>& sums, double count, int begin,
                            int end) {
      double best = 0;
      for (int layer = 0; layer < spec.layers; ++layer) {
        for (int head = 0; head < spec.heads; ++head) {
          const double mean = sums[static_cast<std::size_t>(layer * spec.heads + head)] / count;
          out.add(format_error("{}_{}_{}", name, layer + 1, head + 1), mean);
          if (layer >= begin && layer < end) best = std::max(best, mean);
        }
      }
      out.add(name, best);
    };
    report("previous_token", previous, rows, 0, 1);
    report("prefix_matching", matching, targets, 1, spec.layers);
    return {};
  }
  Status check_length(int length) const override {
    if (length >= 2 * kMin) return {};
    return invalid(
        "length: {} tokens are too few for a block to occur twice; at least {} are needed",
        aside(length), 2 * kMin);
  }

 private:
  static constexpr int kSymbols = 26, kMin = 2, kMax = 13, kObservedItems = 16;
};

}  // namespace

PHASOR_TASK(induction) = {
    .info = {.id = "induction",
             .summary = "Which token came after this one the last time?",
             .claim =
                 "A copying head needs a head that attends one token back, which needs positions",
             .score = "accuracy"},
    .defaults =
        [](TrainConfig& spec) {
          spec.causal = true;
          spec.dim_feedforward = 32;
          spec.sequence_length = 64;
          spec.batch_size = 16;
          spec.steps = 1000;
        },
    .create = [](const TrainConfig&) -> Result<std::unique_ptr<Task>> {
      return std::unique_ptr<Task>(std::make_unique<InductionTask>());
    },
};

}  // namespace phasor
