// Delayed copy with a learned table of 64 rows and a random length from 8 to 64 in each step. Tests
// the claim that "the model favours the initial positions": late rows of the table are trained in
// fewer steps, so late tokens are predicted less accurately for a long time. With
// min_sequence_length 0, all sequences have 64 tokens.

#include "task_base/copy_task.h"

namespace phasor {

PHASOR_TASK(variable_lengths) = {
    .info =
        {.id = "variable_lengths",
         .summary = "Delayed copy, in sequences of 8 to 64 tokens",
         .claim =
             "Few sequences reach late positions, so the rows of those positions are learned late",
         .score = "accuracy"},
    .set_defaults =
        [](TrainConfig& config) {
          config.causal = true;
          config.sequence_length = 64;
          config.min_sequence_length = 8;
          config.batch_size = 16;
          config.steps = 500;
        },
    .create = make_copy_task,
};

}  // namespace phasor
