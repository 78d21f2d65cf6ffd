// The task order, trained at 16 tokens to be evaluated at up to 128, 8 times the length. Tests the
// claims about extrapolation: learned tables end at their length, sinusoids "generalise" and RoPE
// has "great extrapolation capability" (refuted as stated), T5's bias extrapolates (confirmed),
// and the remedy of Ruoss et al. 2023 (randomized_positions = 128).

#include "task_base/order_task.h"

namespace phasor {

PHASOR_TASK(order_long) = {
    .info = {.id = "order_long",
             .summary = "Which of two words came first, trained at 16 tokens and evaluated at 128?",
             .claim = "Absolute encodings fail beyond the trained length, relative ones "
                      "extrapolate, randomised positions help",
             .score = "accuracy"},
    .defaults =
        [](TrainConfig& spec) {
          order_defaults(spec);
          spec.steps = 300;
        },
    .create = make_order,
};

}  // namespace phasor
