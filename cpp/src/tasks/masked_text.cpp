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

  // the last symbol is the mask token
  int symbol_count() const override { return corpus.symbol_count() + 1; }
  ScoreKind score_kind() const override { return ScoreKind::perplexity; }
  double chance_score() const override { return exponential(corpus.unigram_nats()); }

  void fill_batch(Generator& random, Batch& out) const override {
    for (int item = 0; item < out.items; ++item) {
      corpus.sample_window(random, out.tokens, out.item_input(item));
      mask(random, out, item);
    }
  }
  void fill_evaluation_batch(Generator& random, Batch& out) const override {
    for (int item = 0; item < out.items; ++item) {
      corpus.sample_test_window(random, out.tokens, out.item_input(item));
      mask(random, out, item);
    }
  }
  int evaluation_item_count() const override { return 512; }

  Status check_length(int length) const override { return corpus.check_length(length); }
  Result<std::vector<int>> tokenize(std::string_view text) const override {
    return corpus.tokenize(text);
  }

 private:
  static constexpr double kMaskedFraction = 0.2;

  void mask(Generator& random, Batch& out, int item) const {
    int *tokens = out.item_input(item), *targets = out.item_target(item);
    for (int t = 0; t < out.tokens; ++t) {
      if (!random.bernoulli(kMaskedFraction)) continue;
      targets[t] = tokens[t];
      tokens[t] = corpus.symbol_count();
    }
  }
};

}  // namespace

PHASOR_TASK(masked_text) = {
    .info = {.id = "masked_text",
             .summary = "Which characters of a text were masked out?",
             .claim = "An encoder without positions learns little more than character frequencies",
             .score = "perplexity",
             .higher_is_better = false},
    .set_defaults =
        [](TrainConfig& config) {
          config.sequence_length = 16;
          config.batch_size = 64;
          config.steps = 400;
        },
    .create = make_corpus_task<MaskedTextTask>,
    .reads_corpus = true,
};

}  // namespace phasor
