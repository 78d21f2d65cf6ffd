#pragma once
// A text as numbers: letters in lower case, white space as single spaces, one number a symbol.

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
  /// As many symbols as a model of characters is made for.
  static constexpr int kMostSymbols = 96;

  /// Rejected: a text that is empty, is no UTF-8, has more symbols than kMostSymbols, or whose last
  /// twentieth, which is kept from training, has less than `shortest` symbols.
  static Status read(std::string_view text, int shortest, Corpus& out);

  int symbols() const { return static_cast<int>(alphabet_.size()); }
  /// The text as numbers. Rejected is a symbol that the corpus does not have.
  Result<std::vector<int>> tokens(std::string_view text) const;

  /// `count` tokens from a random place of the training part.
  void window(Generator& random, int count, int* to) const;
  /// `count` tokens of the other part that end at a random place, the same one for every count up
  /// to kMostContext, so that lengths can be compared.
  void test_window(Generator& random, int count, int* to) const;
  static constexpr int kMostContext = 1025;
  Status check_length(int length) const;

  /// Of the symbols of the test part, how often each is in the training part: nats for each.
  double unigram_nats() const;

 private:
  std::vector<char32_t> alphabet_;  // ascending
  std::vector<int> training_, test_;
};

/// A T with the corpus of the spec, in which the symbols of an item and the one after them must be.
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
