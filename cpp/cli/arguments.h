#pragma once
// The command line: `phasor_train TASK --encoding rope --encoding.base 500 --seeds 3 --lr 0.003`.

#include <string>
#include <vector>

#include "phasor/phasor.h"
#include "phasor/train.h"

namespace train_program {

struct Arguments {
  std::string task;
  phasor::EncodingConfig encoding{};
  phasor::Params fields{};  ///< TrainConfig fields set on the command line
  /// Number of models to train; their seeds are consecutive, starting with the config's seed
  int seeds = 1;
  std::vector<int> lengths{};
  phasor::OutOfRange out_of_range = phasor::OutOfRange::error;
  /// Training steps between learning-curve points; 0: 1/20 of the total
  int curve_interval = 0;
  std::string out_path, corpus_path, image_path, checkpoint_path, weights_path;
  bool should_save_f16 = false;
  bool should_resume = false;
  bool should_show_help = false;
};

/// Parses the command line. Rejects unknown options and invalid values.
phasor::Result<Arguments> read_arguments(const std::vector<std::string>& args);

/// Lists all options, derived from the library's registries.
std::string format_usage();

}  // namespace train_program
