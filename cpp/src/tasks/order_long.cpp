// The task `order`, trained with 16 tokens and evaluated with up to 128. Tests claims about
// extrapolation: learned tables and sinusoids fail beyond the training length, RoPE does not
// extrapolate as claimed ("great extrapolation capability"), and T5's bias does. The remedy of
// Ruoss et al. 2023 (arXiv 2305.16843) is randomized_positions = 128.

#include "task_base/order_task.h"

namespace phasor {

PHASOR_TASK(order_long) = {
    .info = {.id = "order_long",
             .summary = "Which of two words came first, in texts longer than those in training?",
             .claim = "Absolute encodings fail beyond the trained length, relative ones "
                      "extrapolate, and randomised positions help",
             .score = "accuracy"},
    .set_defaults =
        [](TrainConfig& config) {
          set_order_defaults(config);
          config.steps = 300;
        },
    .create = make_order_task,
};

}  // namespace phasor
