#include "encoding_base/custom_dot_product/remap_rotations.h"

#include <limits>
#include <optional>

#include "kernels/kernels.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor {

void RemapRotations::rotate(const RemapConfig& config, const MatrixRef& rows, Direction direction,
                            bool keeps, std::span<const double> positions) {
  const int pairs = static_cast<int>(config.frequencies.size());
  const std::size_t kept = keeps ? positions.size() : 1, size = kept * config.frequencies.size();
  const auto kernel = config.layout == PairLayout::interleaved ? kernels::active::rotate_interleaved
                                                               : kernels::active::rotate_half_split;
  positions_.resize(kept, std::numeric_limits<double>::quiet_NaN());
  cosine_.resize(size);
  sine_.resize(size);
  std::optional<SinusoidRows> sines;
  std::vector<float> back(direction == Direction::transposed ? config.frequencies.size() : 0);
  for (int r = 0; r < rows.rows; ++r) {
    const int at = keeps ? r : 0;
    float *cosine = cosine_.data() + static_cast<std::ptrdiff_t>(at) * pairs,
          *sine = sine_.data() + static_cast<std::ptrdiff_t>(at) * pairs;
    const double position = positions[static_cast<std::size_t>(r)];
    if (double& known = positions_[static_cast<std::size_t>(at)]; known != position) {
      if (!sines) sines.emplace(config.frequencies);
      sines->write(position, config.attention_factor, cosine, sine);
      known = position;
    }
    for (std::size_t t = 0; t < back.size(); ++t) back[t] = -sine[t];
    kernel(rows.row(r), cosine, back.empty() ? sine : back.data(), pairs);
  }
}

}  // namespace phasor
