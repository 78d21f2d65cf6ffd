#pragma once
// A text encoded as integers, one per character. ASCII letters are lower-case, and each run of
// white space is one space.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "math/generator.h"
#include "phasor/result.h"
#include "task_base/task.h"

namespace phasor {

class Corpus {
 public:
  /// The maximum number of distinct characters. It is large enough for Chinese.
  static constexpr int kMaxSymbols = 4096;

  /// Reads a text and reserves its last twentieth for the test split. Rejects a text that is empty
  /// or not UTF-8, has more than kMaxSymbols distinct characters, or is so short that the test
  /// split has fewer than `min_test_size` characters.
  static Status read(std::string_view text, int min_test_size, Corpus& out);

  int symbol_count() const { return static_cast<int>(alphabet_.size()); }
  /// Converts text to tokens. Rejects characters that do not occur in the corpus.
  Result<std::vector<int>> tokenize(std::string_view text) const;

  /// Copies `count` consecutive tokens, starting at a random position of the training split.
  void sample_window(Generator& random, int count, int* to) const;
  /// Copies `count` consecutive tokens of the test split. Given the same random state, windows of
  /// up to kMaxContext tokens end at the same position, so that losses at different lengths can be
  /// compared.
  void sample_test_window(Generator& random, int count, int* to) const;
  static constexpr int kMaxContext = 1025;
  Status check_length(int length) const;

  /// Cross entropy of the test split, in nats per character, under the character frequencies of the
  /// training split (with 1 added to each count).
  double unigram_nats() const;

 private:
  std::vector<char32_t> alphabet_;  // ascending
  std::vector<int> training_tokens_, test_tokens_;
};

/// Creates a task of type T that uses the corpus in the config. The test split must be longer than
/// an item.
template <class T>
Result<std::unique_ptr<Task>> make_corpus_task(const TrainConfig& config) {
  return Result<std::unique_ptr<Task>>::from([&](std::unique_ptr<Task>& out) -> Status {
    auto task = std::make_unique<T>();
    PHASOR_TRY(Corpus::read(config.corpus, config.sequence_length + 1, task->corpus));
    out = std::move(task);
    return {};
  });
}

}  // namespace phasor
