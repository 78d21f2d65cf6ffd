// Delayed copy: the target of a token is the token three positions earlier. Tests whether an
// encoding can address exactly that position. RoPE and T5's bias can, even beyond the training
// length. Learned tables and sinusoids can only within it. ALiBi, which prefers recent tokens, and
// models without an encoding cannot (compare Kazemnejad et al. 2023, arXiv 2305.19466).

#include "task_base/copy_task.h"

namespace phasor {

PHASOR_TASK(copy) = {
    .info = {.id = "copy",
             .summary = "Which token came three places before this one?",
             .claim = "RoPE and T5 address exact relative positions; ALiBi cannot, and absolute "
                      "tables do so only within the trained length",
             .score = "accuracy"},
    .set_defaults = [](TrainConfig& config) { config.causal = true; },
    .create = make_copy_task,
};

}  // namespace phasor
