#include <bit>

#include "core/format_error.h"
#include "math/power.h"
#include "phasor/relative.h"

namespace phasor {

Result<std::vector<double>> alibi_slopes(int heads, double bias_max) {
  return Result<std::vector<double>>::from([&](std::vector<double>& out) -> Status {
    PHASOR_TRY(check_extent("heads", heads));
    PHASOR_TRY(check_range(argument("bias_max"), bias_max, 0, 1000));
    PHASOR_TRY(check_room("heads", sizeof(double) * static_cast<double>(heads)));
    const int lower = static_cast<int>(std::bit_floor(static_cast<unsigned>(heads)));
    out.reserve(static_cast<std::size_t>(heads));
    for (int h = 1; h <= lower; ++h) out.push_back(power(2, -bias_max * h / lower));
    for (int h = 1; static_cast<int>(out.size()) < heads; h += 2)
      out.push_back(power(2, -bias_max * h / (2 * lower)));
    return {};
  });
}

}  // namespace phasor
