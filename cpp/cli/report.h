#pragma once
// Converts the results of training runs to JSON.

#include <string>
#include <vector>

#include "phasor/train.h"

namespace train_program {

struct CurvePoint {
  int step;
  double loss, lr, grad_norm;
  double score;  ///< score at the training length
  double seconds;
};

/// One seed.
struct Run {
  std::uint32_t seed = 0;
  std::vector<CurvePoint> curve{};
  phasor::Evaluation evaluation{};
  double seconds = 0;  ///< CPU time of the training steps, excluding evaluations
};

/// {task, encoding, score, higher_is_better, chance, steps, causal, lengths: [{length, mean,
/// deviation}], metrics: {name: {mean, deviation}}, runs: [{seed, seconds, curve, lengths,
/// metrics}]}
std::string report_to_json(const phasor::TrainConfig& config, const phasor::TaskInfo& task,
                           const std::vector<Run>& runs);

/// Mean and sample standard deviation.
struct MeanAndDeviation {
  double mean, deviation;
};
MeanAndDeviation compute_mean_and_deviation(const std::vector<double>& values);

}  // namespace train_program
