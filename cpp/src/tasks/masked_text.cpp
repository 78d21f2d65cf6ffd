// A masked language model of characters, with a fifth of them masked. Reproduces table 4 of Haviv
// et al. 2022 (arXiv 2203.16634): an encoder without positions learns little more than character
// frequencies, unlike a causal model.

#include "math/scalar_math.h"
#include "task_base/corpus.h"

namespace phasor {
namespace {

class MaskedTextTask final : public Task {
 public:
  Corpus corpus;

  // the last symbol is the mask
  int symbols() const override { return corpus.symbols() + 1; }
  ScoreKind score_kind() const override { return ScoreKind::perplexity; }
  double chance() const override { return exponential(corpus.unigram_nats()); }

  void fill_batch(Generator& random, Batch& out) const override {
    for (int item = 0; item < out.items; ++item) {
      corpus.window(random, out.tokens, out.input_of(item));
      mask(random, out, item);
    }
  }
  void fill_evaluation_batch(Generator& random, Batch& out) const override {
    for (int item = 0; item < out.items; ++item) {
      corpus.test_window(random, out.tokens, out.input_of(item));
      mask(random, out, item);
    }
  }
  int evaluation_items() const override { return 512; }

  Status check_length(int length) const override { return corpus.check_length(length); }
  Result<std::vector<int>> tokens(std::string_view text) const override {
    return corpus.tokens(text);
  }

 private:
  static constexpr double kMaskedFraction = 0.2;

  void mask(Generator& random, Batch& out, int item) const {
    int *tokens = out.input_of(item), *targets = out.target_of(item);
    for (int t = 0; t < out.tokens; ++t) {
      if (!random.chance(kMaskedFraction)) continue;
      targets[t] = tokens[t];
      tokens[t] = corpus.symbols();
    }
  }
};

}  // namespace

PHASOR_TASK(masked_text) = {
    .info = {.id = "masked_text",
             .summary = "What are the hidden characters of a novel?",
             .claim = "An encoder without positions learns little more than character frequencies",
             .score = "perplexity",
             .higher_is_better = false},
    .defaults =
        [](TrainConfig& config) {
          config.sequence_length = 16;
          config.batch_size = 64;
          config.steps = 400;
        },
    .create = make_corpus_task<MaskedTextTask>,
    .reads_corpus = true,
};

}  // namespace phasor
