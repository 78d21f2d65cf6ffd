// Delayed copy: the target of each token is the token three before it. Tests whether an encoding
// can address "exactly three back": RoPE and T5's bias can, even at longer lengths; learned tables
// and sinusoids can only up to the training length; ALiBi, a recency prior, and no encoding cannot
// (compare Kazemnejad et al. 2023, arXiv 2305.19466).

#include "task_base/copy_task.h"

namespace phasor {

PHASOR_TASK(copy) = {
    .info = {.id = "copy",
             .summary = "Which token came three places before this one?",
             .claim = "RoPE and T5 address exact relative positions, ALiBi cannot, and absolute "
                      "tables can only within the trained length",
             .score = "accuracy"},
    .defaults = [](TrainConfig& spec) { spec.causal = true; },
    .create = make_copy,
};

}  // namespace phasor
