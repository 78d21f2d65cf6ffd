#pragma once
// Chooses the positions of tokens, in training and in evaluation.

#include "task_base/task.h"
#include "train/transformer.h"

namespace phasor {

class PositionSampler {
 public:
  /// All arguments must outlive the sampler.
  PositionSampler(const TrainConfig& config, const Task& task, const TransformerNetwork& model)
      : config_(config), task_(task), model_(model) {}

  /// Rejects a position table that has fewer rows than training needs.
  Status check_table() const;
  std::vector<double> training_positions(Generator& random, int tokens) const;

  /// Parts of the error message for a text that is too long: the argument that sets the number of
  /// tokens, and an alternative to a table with more rows.
  struct LengthErrorHints {
    const char *argument, *remedy;
  };
  static constexpr LengthErrorHints kLengthsHints = {"lengths",
                                                     "clamp positions to the last row, or "},
                                    kTokensHints = {"tokens", ""};
  Result<std::vector<double>> evaluation_positions(const LengthErrorHints& hints, int tokens,
                                                   OutOfRange out_of_range) const;

 private:
  std::vector<double> to_coordinates(std::vector<double> numbers) const;
  std::vector<double> consecutive_coordinates(int tokens) const;

  const TrainConfig& config_;
  const Task& task_;
  const TransformerNetwork& model_;
};

}  // namespace phasor
