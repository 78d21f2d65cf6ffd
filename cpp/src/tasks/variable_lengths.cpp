// Delayed copy with a learned table of 64 rows, with a length from 8 to 64 per step. Tests the
// claim that "the model favours the initial positions": with texts of all lengths, late rows of a
// table are trained less often, and late tokens stay less accurate for a long time. With
// min_sequence_length 0 all texts have 64 tokens, for comparison.

#include "task_base/copy_task.h"

namespace phasor {

PHASOR_TASK(variable_lengths) = {
    .info = {.id = "variable_lengths",
             .summary = "Delayed copy, with texts of 8 to 64 tokens",
             .claim = "Late rows of a learned table occur in few texts, so they are learned late",
             .score = "accuracy"},
    .defaults =
        [](TrainConfig& spec) {
          spec.causal = true;
          spec.sequence_length = 64;
          spec.min_sequence_length = 8;
          spec.batch_size = 16;
          spec.steps = 500;
        },
    .create = make_copy,
};

}  // namespace phasor
