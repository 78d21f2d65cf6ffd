// Tests whether a learned table acquires the 8 x 8 grid of its 64 tokens (Dosovitskiy et al. 2020,
// arXiv 2010.11929, figure 7). The data are smooth random fields, flattened row by row, with 30%
// of the tokens masked. The model has no other information about the grid. cosine_1 is the mean
// cosine of rows at Manhattan distance 1.

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/format_error.h"
#include "task_base/masked_geometry.h"

namespace phasor {
namespace {

class Geometry2d final : public GeometryTask {
 public:
  int grid_columns() const override { return kGridSize; }
  Status check_length(int length) const override {
    if (length == kGridSize * kGridSize) return {};
    return invalid("length: {} is not {}, the number of tokens in a grid of {} x {}", length,
                   kGridSize * kGridSize, kGridSize, kGridSize);
  }

 protected:
  // Sums uniform noise over windows of 5 x 5, and quantises the sums to 8 symbols that are about
  // equally frequent.
  void draw_tokens(Generator& random, int count, int* tokens) const override {
    constexpr int kWindow = 5, kNoiseSize = kGridSize + kWindow - 1;
    std::array<double, kNoiseSize * kNoiseSize> noise;
    for (double& x : noise) x = random.uniform();
    constexpr double kSumMean = kWindow * kWindow / 2.0, kSumDeviation = 1.4433756729740645;
    constexpr double kOctiles[] = {
        -1.1503493803760079, -0.67448975019608171, -0.31863936396437514, 0,
        0.31863936396437514, 0.67448975019608171,  1.1503493803760079};
    for (int t = 0; t < count; ++t) {
      double sum = 0;
      for (int y = 0; y < kWindow; ++y) {
        for (int x = 0; x < kWindow; ++x) {
          const int noise_index = (t / kGridSize + y) * kNoiseSize + t % kGridSize + x;
          sum += noise[static_cast<std::size_t>(noise_index)];
        }
      }
      const double z = (sum - kSumMean) / kSumDeviation;
      tokens[t] = static_cast<int>(std::upper_bound(std::begin(kOctiles), std::end(kOctiles), z) -
                                   std::begin(kOctiles));
    }
  }
  int distance(int a, int b) const override {
    return std::abs(a / kGridSize - b / kGridSize) + std::abs(a % kGridSize - b % kGridSize);
  }
  std::vector<int> distances() const override { return {1, 2, 4, 8}; }

 private:
  static constexpr int kGridSize = 8;
};

}  // namespace

PHASOR_TASK(geometry_2d) = {
    .info = {.id = "geometry_2d",
             .summary = "What are the masked cells of a smooth 8 x 8 field?",
             .claim = "The rows of a learned table acquire the two-dimensional structure of a grid "
                      "from data alone",
             .score = "accuracy"},
    .set_defaults = set_geometry_defaults,
    .create = [](const TrainConfig&) -> Result<std::unique_ptr<Task>> {
      return std::unique_ptr<Task>(std::make_unique<Geometry2d>());
    },
};

}  // namespace phasor
