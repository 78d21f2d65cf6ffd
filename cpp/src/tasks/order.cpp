// "Who came first?" Two words, A and B, occur once each among others: which one comes first? Tests
// the claim that attention without an encoding sees a bag of words: an encoder without one, or with
// a symmetric ALiBi, stays at chance, while every other encoding, or a causal mask alone, solves it
// (Haviv et al. 2022, arXiv 2203.16634). The task order_long evaluates longer texts: learned tables
// and sinusoids fall to chance, relative encodings do not, and random positions help the others
// (Ruoss et al. 2023, arXiv 2305.16843).

#include "task_base/order_task.h"

namespace phasor {

void order_defaults(TrainConfig& spec) {
  spec.embed_dim = 32;
  spec.batch_size = 64;
  spec.sequence_length = 16;
  spec.steps = 400;
}

Result<std::unique_ptr<Task>> make_order(const TrainConfig&) {
  return std::unique_ptr<Task>(std::make_unique<OrderTask>());
}

PHASOR_TASK(order) = {
    .info = {.id = "order",
             .summary = "Which of two words came first, A or B?",
             .claim = "An encoder without positions is a bag of words; a causal mask, or any "
                      "encoding but a symmetric bias, tells the order",
             .score = "accuracy"},
    .defaults = order_defaults,
    .create = make_order,
};

}  // namespace phasor
