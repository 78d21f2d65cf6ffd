// Which of two words, A or B, comes first among other words? Tests the claim that attention without
// an encoding sees a bag of words: an encoder with no encoding, or with symmetric ALiBi, guesses.
// All other encodings solve the task, as does a causal mask alone (Haviv et al. 2022, arXiv
// 2203.16634).

#include "task_base/order_task.h"

namespace phasor {

void set_order_defaults(TrainConfig& config) {
  config.embed_dim = 32;
  config.batch_size = 64;
  config.sequence_length = 16;
  config.steps = 400;
}

Result<std::unique_ptr<Task>> make_order_task(const TrainConfig&) {
  return std::unique_ptr<Task>(std::make_unique<OrderTask>());
}

PHASOR_TASK(order) = {
    .info = {.id = "order",
             .summary = "Which of two words came first, A or B?",
             .claim = "An encoder without positions sees a bag of words; a causal mask, or any "
                      "encoding but a symmetric bias, reveals the order",
             .score = "accuracy"},
    .set_defaults = set_order_defaults,
    .create = make_order_task,
};

}  // namespace phasor
