#include <algorithm>
#include <limits>

#include "core/format_error.h"
#include "phasor/analysis.h"

namespace phasor {

Result<DistanceProfile> distance_profile(const Tensor& square) {
  return Result<DistanceProfile>::from([&](DistanceProfile& out) -> Status {
    if (square.rank() != 2 || square.empty() || square.shape[0] != square.shape[1]) {
      return invalid("matrix: its shape is {}; length x length is needed", square.shape);
    }
    PHASOR_TRY(check_tensor("matrix", square));
    PHASOR_TRY(check_room("matrix", 3 * bytes_of({2 * square.shape[0]})));
    const int length = square.shape[0], entries = 2 * length - 1;
    out = {
        .mean = Tensor({entries}), .min = Tensor({entries}), .max = Tensor({entries}), .spread = 0};
    for (int e = 0; e < entries; ++e) {
      const int distance = e - (length - 1);
      double total = 0;
      float lowest = std::numeric_limits<float>::infinity(), highest = -lowest;
      const int first = std::max(0, -distance), last = std::min(length, length - distance);
      for (int i = first; i < last; ++i) {
        const float value = matrix(square).row(i)[i + distance];
        total += static_cast<double>(value);
        lowest = std::min(lowest, value);
        highest = std::max(highest, value);
      }
      const std::size_t entry = static_cast<std::size_t>(e);
      out.mean.data[entry] = static_cast<float>(total / (last - first));
      out.min.data[entry] = lowest;
      out.max.data[entry] = highest;
      out.spread = std::max(out.spread, static_cast<double>(highest) - static_cast<double>(lowest));
    }
    return {};
  });
}

}  // namespace phasor
