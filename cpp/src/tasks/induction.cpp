// Induction: predict the token that followed the last occurrence of the same token. An item is a
// sequence of blocks of 2 to 13 different random symbols, each block written twice. The targets are
// the tokens of the second copies, except the first of each. A model needs an induction head, and a
// head in an earlier layer that attends to the previous token, which requires positions (Elhage et
// al. 2021; Olsson et al. 2022, arXiv 2209.11895).

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
  int symbol_count() const override { return kSymbolCount; }
  double chance_score() const override { return 1.0 / kSymbolCount; }

  void fill_batch(Generator& random, Batch& out) const override {
    for (int item = 0; item < out.items; ++item) {
      int *tokens = out.item_input(item), *targets = out.item_target(item);
      int symbols[kSymbolCount];
      std::iota(symbols, symbols + kSymbolCount, 0);
      for (int begin = 0; begin < out.tokens;) {
        const int size =
            kMinBlock + random.uniform_integer(std::min(kMaxBlock, out.tokens / 2) - kMinBlock + 1);
        for (int i = 0; i < size; ++i)
          std::swap(symbols[i], symbols[i + random.uniform_integer(kSymbolCount - i)]);
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
  int evaluation_item_count() const override { return 256; }
  // Adds two metrics for each head: previous_token, its mean weight on the previous token, and
  // prefix_matching, its mean weight on the token after the last occurrence of the same token. Also
  // adds the largest previous_token of the first layer and the largest prefix_matching of the other
  // layers.
  Status add_metrics(ObservedModel& model, const TrainConfig& config,
                     OrderedMap<double>& out) const override {
    const int n = config.sequence_length;
    const std::ptrdiff_t matrix_size = static_cast<std::ptrdiff_t>(n) * n;
    std::vector<double> previous_sums, matching_sums;
    double rows = 0, targets = 0;
    Batch batch;
    for (int item = 0; item < kObservedItems; ++item) {
      batch.resize(1, n, false);
      Generator random(config.seed, RandomPurpose::evaluation, static_cast<std::uint64_t>(item));
      fill_batch(random, batch);
      PHASOR_TRY_ASSIGN(const Tensor weights, model.attention_weights(batch.inputs));
      const int heads = config.layers * config.heads;
      const int *tokens = batch.inputs.data(), *target = batch.targets.data();
      previous_sums.resize(static_cast<std::size_t>(heads));
      matching_sums.resize(previous_sums.size());
      for (int t = 1; t < n; ++t) {
        int successor = t;
        while (successor > 0 && tokens[successor - 1] != tokens[t]) --successor;
        const bool has_target = target[t] != nn::kIgnored;
        rows += 1;
        targets += has_target ? 1 : 0;
        const float* row = weights.data.data() + static_cast<std::ptrdiff_t>(t) * n;
        for (std::size_t head = 0; head < previous_sums.size(); ++head, row += matrix_size) {
          previous_sums[head] += row[t - 1];
          if (has_target) matching_sums[head] += row[successor];
        }
      }
    }
    const auto add_scores = [&](const char* name, std::vector<double>& sums, double count,
                                int begin, int end) {
      double largest_mean = 0;
      for (int layer = 0; layer < config.layers; ++layer) {
        for (int head = 0; head < config.heads; ++head) {
          const double mean = sums[static_cast<std::size_t>(layer * config.heads + head)] / count;
          out.add(format_error("{}_{}_{}", name, layer + 1, head + 1), mean);
          if (layer >= begin && layer < end) largest_mean = std::max(largest_mean, mean);
        }
      }
      out.add(name, largest_mean);
    };
    add_scores("previous_token", previous_sums, rows, 0, 1);
    add_scores("prefix_matching", matching_sums, targets, 1, config.layers);
    return {};
  }
  Status check_length(int length) const override {
    if (length >= 2 * kMinBlock) return {};
    return invalid("length: {} tokens are too few for a block to occur twice; expected at least {}",
                   detail(length), 2 * kMinBlock);
  }

 private:
  static constexpr int kSymbolCount = 26, kMinBlock = 2, kMaxBlock = 13, kObservedItems = 16;
};

}  // namespace

PHASOR_TASK(induction) = {
    .info = {.id = "induction",
             .summary = "Which token followed this one last time?",
             .claim = "An induction head needs a previous-token head, which needs positions",
             .score = "accuracy"},
    .set_defaults =
        [](TrainConfig& config) {
          config.causal = true;
          config.dim_feedforward = 32;
          config.sequence_length = 64;
          config.batch_size = 16;
          config.steps = 1000;
        },
    .create = [](const TrainConfig&) -> Result<std::unique_ptr<Task>> {
      return std::unique_ptr<Task>(std::make_unique<InductionTask>());
    },
};

}  // namespace phasor
