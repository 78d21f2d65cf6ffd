#include "encoding_base/custom_dot_product/remap_rotations.h"

#include <limits>
#include <optional>

#include "kernels/kernels.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor {

void RemapRotations::rotate(const RemapConfig& config, const MatrixRef& rows,
                            RotationDirection direction, bool stores_all_rows,
                            std::span<const double> positions) {
  const int pairs = static_cast<int>(config.frequencies.size());
  const std::size_t stored_rows = stores_all_rows ? positions.size() : 1,
                    size = stored_rows * config.frequencies.size();
  const auto kernel = config.layout == PairLayout::interleaved ? kernels::active::rotate_interleaved
                                                               : kernels::active::rotate_half_split;
  positions_.resize(stored_rows, std::numeric_limits<double>::quiet_NaN());
  cosine_.resize(size);
  sine_.resize(size);
  std::optional<SinusoidRows> sines;
  std::vector<float> negative_sine(
      direction == RotationDirection::transposed ? config.frequencies.size() : 0);
  for (int r = 0; r < rows.rows; ++r) {
    const int slot = stores_all_rows ? r : 0;
    float *cosine = cosine_.data() + static_cast<std::ptrdiff_t>(slot) * pairs,
          *sine = sine_.data() + static_cast<std::ptrdiff_t>(slot) * pairs;
    const double position = positions[static_cast<std::size_t>(r)];
    if (double& stored_position = positions_[static_cast<std::size_t>(slot)];
        stored_position != position) {
      if (!sines) sines.emplace(config.frequencies);
      sines->write(position, config.attention_factor, cosine, sine);
      stored_position = position;
    }
    for (std::size_t t = 0; t < negative_sine.size(); ++t) negative_sine[t] = -sine[t];
    kernel(rows.row(r), cosine, negative_sine.empty() ? sine : negative_sine.data(), pairs);
  }
}

}  // namespace phasor
