// A character model, trained with 64 tokens and evaluated with up to 512. Reproduces Press et al.
// 2021 (ALiBi, arXiv 2108.12409) in a minute, with the loss of the same 32 characters after
// contexts of different lengths. Tests the claims that ALiBi and T5's bias generalise (ALiBi does,
// to 8 times the length; the loss with T5's bias rises slowly beyond twice the length), that
// sinusoids do (they fail), and that causal models need no encoding (they work, with a higher
// loss).

#include "core/format_error.h"
#include "task_base/corpus.h"

namespace phasor {
namespace {

class TextTask final : public Task {
 public:
  Corpus corpus;

  int symbol_count() const override { return corpus.symbol_count(); }
  ScoreKind score_kind() const override { return ScoreKind::nats; }
  double chance_score() const override { return corpus.unigram_nats(); }

  void fill_batch(Generator& random, Batch& out) const override {
    std::vector<int> window(static_cast<std::size_t>(out.tokens) + 1);
    for (int item = 0; item < out.items; ++item) {
      corpus.sample_window(random, out.tokens + 1, window.data());
      std::copy_n(window.begin(), out.tokens, out.item_input(item));
      std::copy_n(window.begin() + 1, out.tokens, out.item_target(item));
    }
  }

  // At every length, the same last characters are scored, so that only the context differs.
  void fill_evaluation_batch(Generator& random, Batch& out) const override {
    std::vector<int> window(static_cast<std::size_t>(out.tokens) + 1);
    const int count = std::min(kScoredTokens, out.tokens), first = out.tokens - count;
    for (int item = 0; item < out.items; ++item) {
      corpus.sample_test_window(random, out.tokens + 1, window.data());
      std::copy_n(window.begin(), out.tokens, out.item_input(item));
      std::copy_n(window.begin() + first + 1, count, out.item_target(item) + first);
    }
  }
  int evaluation_item_count() const override { return 128; }

  Status check_length(int length) const override { return corpus.check_length(length); }
  Result<std::vector<int>> tokenize(std::string_view text) const override {
    return corpus.tokenize(text);
  }

 private:
  static constexpr int kScoredTokens = 32;
};

}  // namespace

PHASOR_TASK(text) = {
    .info = {.id = "text",
             .summary = "Which character comes next in a novel?",
             .claim =
                 "Beyond the training context, the loss with ALiBi stays the same and with T5's "
                 "bias rises slowly; with sinusoids and RoPE it rises quickly",
             .score = "nats",
             .higher_is_better = false},
    .set_defaults =
        [](TrainConfig& config) {
          config.causal = true;
          config.sequence_length = 64;
          config.batch_size = 16;
          config.steps = 500;
        },
    .create = make_corpus_task<TextTask>,
    .reads_corpus = true,
};

}  // namespace phasor
