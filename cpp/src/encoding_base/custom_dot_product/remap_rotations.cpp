#include "encoding_base/custom_dot_product/remap_rotations.h"

#include <limits>
#include <optional>

#include "kernels/kernels.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor {

void RemapRotations::turn(const RemapConfig& config, const MatrixRef& rows, Direction direction,
                          bool keeps, std::span<const double> places) {
  const int pairs = static_cast<int>(config.frequencies.size());
  const std::size_t kept = keeps ? places.size() : 1, size = kept * config.frequencies.size();
  const auto kernel = config.layout == PairLayout::interleaved ? kernels::active::rotate_interleaved
                                                               : kernels::active::rotate_half_split;
  places_.resize(kept, std::numeric_limits<double>::quiet_NaN());
  cosine_.resize(size);
  sine_.resize(size);
  std::optional<SinusoidRows> sines;
  std::vector<float> back(direction == Direction::transposed ? config.frequencies.size() : 0);
  for (int r = 0; r < rows.rows; ++r) {
    const int at = keeps ? r : 0;
    float *cosine = cosine_.data() + static_cast<std::ptrdiff_t>(at) * pairs,
          *sine = sine_.data() + static_cast<std::ptrdiff_t>(at) * pairs;
    const double place = places[static_cast<std::size_t>(r)];
    if (double& known = places_[static_cast<std::size_t>(at)]; known != place) {
      if (!sines) sines.emplace(config.frequencies);
      sines->write(place, config.attention_factor, cosine, sine);
      known = place;
    }
    for (std::size_t t = 0; t < back.size(); ++t) back[t] = -sine[t];
    kernel(rows.row(r), cosine, back.empty() ? sine : back.data(), pairs);
  }
}

}  // namespace phasor
