#pragma once
// Turning rows to their places in a range of a Remap, all heads of a call by the same cosines and
// sines.

#include <limits>
#include <optional>
#include <vector>

#include "encoding/remapped_products.h"
#include "kernels/kernels.h"
#include "waves/sine_rows.h"

namespace phasor {

class RemapTurns {
 public:
  /// What the cosines and sines of a row take, and its place.
  static double bytes_of_row(const RemapConfig& config) {
    return sizeof(double) + 2 * sizeof(float) * static_cast<double>(config.frequencies.size());
  }

  /// Turns row r to place_of(r). `keeps`: for other rows at the same places, which then find their
  /// cosines and sines here; else those of one place are kept.
  template <class Place>
  void turn(const RemapConfig& config, const MatrixRef& rows, Direction direction, bool keeps,
            Place place_of) {
    const std::size_t pairs = config.frequencies.size(),
                      kept = static_cast<std::size_t>(keeps ? rows.rows : 1);
    const auto kernel = config.layout == PairLayout::interleaved
                            ? kernels::active::rotate_interleaved
                            : kernels::active::rotate_half_split;
    places_.resize(kept, std::numeric_limits<double>::quiet_NaN());
    cosine_.resize(kept * pairs);
    sine_.resize(kept * pairs);
    std::optional<SineRows> sines;
    std::vector<float> back(direction == Direction::transposed ? pairs : 0);
    for (int r = 0; r < rows.rows; ++r) {
      const std::size_t at = keeps ? static_cast<std::size_t>(r) : 0;
      float *cosine = cosine_.data() + at * pairs, *sine = sine_.data() + at * pairs;
      if (const double place = place_of(r); places_[at] != place) {
        if (!sines) sines.emplace(config.frequencies);
        sines->write(place, config.attention_factor, cosine, sine);
        places_[at] = place;
      }
      for (std::size_t t = 0; t < back.size(); ++t) back[t] = -sine[t];
      kernel(rows.row(r), cosine, back.empty() ? sine : back.data(), static_cast<int>(pairs));
    }
  }

 private:
  std::vector<double> places_;  // NaN before the first
  std::vector<float> cosine_, sine_;
};

}  // namespace phasor
