#pragma once
// A text as integers: letters in lower case, white space as single spaces, one integer per symbol.

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
  /// The maximum number of symbols: enough for Chinese text or for token ids.
  static constexpr int kMaxSymbols = 4096;

  /// Rejects a text that is empty, is not UTF-8, has more symbols than kMaxSymbols, or whose test
  /// part, the last twentieth, has fewer than `min_test_size` symbols.
  static Status read(std::string_view text, int min_test_size, Corpus& out);

  int symbols() const { return static_cast<int>(alphabet_.size()); }
  /// The text as integers. Rejects a symbol that the corpus does not have.
  Result<std::vector<int>> tokens(std::string_view text) const;

  /// `count` tokens at a random position of the training part.
  void window(Generator& random, int count, int* to) const;
  /// `count` tokens of the test part that end at a random position, the same for every count up to
  /// kMaxContext, so that lengths can be compared.
  void test_window(Generator& random, int count, int* to) const;
  static constexpr int kMaxContext = 1025;
  Status check_length(int length) const;

  /// The cross entropy of the test symbols under the symbol frequencies of the training part, in
  /// nats.
  double unigram_nats() const;

 private:
  std::vector<char32_t> alphabet_;  // ascending
  std::vector<int> training_, test_;
};

/// Creates a task T with the corpus of the config, whose test part must be longer than an item.
template <class T>
Result<std::unique_ptr<Task>> make_corpus_task(const TrainConfig& spec) {
  return Result<std::unique_ptr<Task>>::from([&](std::unique_ptr<Task>& out) -> Status {
    auto task = std::make_unique<T>();
    PHASOR_TRY(Corpus::read(spec.corpus, spec.sequence_length + 1, task->corpus));
    out = std::move(task);
    return {};
  });
}

}  // namespace phasor
