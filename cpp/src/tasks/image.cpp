// A network learns an image as a function of pixel coordinates (Tancik et al. 2020, arXiv
// 2006.10739). It is trained on every second pixel of every second row, and evaluated on the pixels
// in between. Tests the claim that Fourier features let a small network learn high frequencies.
// Without them, the image is blurred; with frequencies that are too high, the pixels in between are
// noise. The encoding is a table of two coordinates (fourier, nerf) or none. The score is the peak
// signal-to-noise ratio of the evaluation pixels in decibels.

#include "task_base/task.h"

namespace phasor {

PHASOR_TASK(image) = {
    .info =
        {.id = "image",
         .summary = "Which colour does the pixel at these coordinates have?",
         .claim =
             "Fourier features let a small network draw sharp images, up to a maximum frequency",
         .score = "decibels"},
    .set_defaults =
        [](TrainConfig& config) {
          config.layers = 3;
          config.heads = 1;
          config.steps = 400;
          config.warmup_steps = 0;
          config.min_lr_ratio = 1;
          config.beta2 = 0.999;
          config.max_grad_norm = 0;
          config.batch_size = 1;
          config.sequence_length = 1;
        },
    .create = nullptr,
};

}  // namespace phasor
