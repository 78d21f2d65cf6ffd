// Tests whether a learned table becomes "similar for near positions" in training. The data are
// random walks over 8 symbols, reflected at both ends, with 30% of the tokens masked. Steps are
// -1, 0 or 1; without 0, rows would mainly encode whether a position is even. cosine_1, the mean
// cosine of neighbouring rows, is 0 before training.

#include <cstdlib>

#include "task_base/masked_geometry.h"

namespace phasor {
namespace {

class Geometry1d final : public GeometryTask {
 protected:
  void draw_tokens(Generator& random, int count, int* tokens) const override {
    int symbol = random.uniform_integer(kSymbolCount);
    for (int t = 0; t < count; ++t) {
      tokens[t] = symbol;
      symbol += random.uniform_integer(3) - 1;
      if (symbol < 0) symbol = 1;
      if (symbol == kSymbolCount) symbol = kSymbolCount - 2;
    }
  }
  int distance(int a, int b) const override { return std::abs(a - b); }
  std::vector<int> distances() const override { return {1, 2, 4, 16}; }
};

}  // namespace

PHASOR_TASK(geometry_1d) = {
    .info = {.id = "geometry_1d",
             .summary = "What are the masked symbols of a random walk?",
             .claim = "Nearby rows of a learned table become similar from data alone",
             .score = "accuracy"},
    .set_defaults = set_geometry_defaults,
    .create = [](const TrainConfig&) -> Result<std::unique_ptr<Task>> {
      return std::unique_ptr<Task>(std::make_unique<Geometry1d>());
    },
};

}  // namespace phasor
