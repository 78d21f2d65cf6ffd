#include <bit>

#include "math/power.h"
#include "phasor/relative.h"

namespace phasor {

std::vector<double> alibi_slopes(int heads, double bias_max) {
  const int lower = static_cast<int>(std::bit_floor(static_cast<unsigned>(heads)));
  std::vector<double> m;
  for (int h = 1; h <= lower; ++h) m.push_back(power(2, -bias_max * h / lower));
  for (int h = 1; static_cast<int>(m.size()) < heads; h += 2) m.push_back(power(2, -bias_max * h / (2 * lower)));
  return m;
}

}  // namespace phasor
