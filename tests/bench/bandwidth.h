#pragma once
// The bandwidth of memory for reads of one thread.

#include <cstddef>
#include <vector>

#include "turns.h"

namespace bench {

/// GB/s of a sum over 256 MiB, with eight accumulators of four lanes.
inline double measure_bandwidth() {
  using f32x4 = float __attribute__((vector_size(16)));
  const std::vector<float> values(std::size_t{1} << 26, 0.5f);
  volatile float volatile_sum = 0;
  std::vector<Task> tasks;
  tasks.push_back({"sum",
                   [&] {
                     f32x4 sums[8] = {};
                     for (std::size_t i = 0; i < values.size(); i += 32) {
                       for (std::size_t n = 0; n < 8; ++n) {
                         f32x4 lanes;
                         __builtin_memcpy(&lanes, values.data() + i + 4 * n, sizeof lanes);
                         sums[n] += lanes;
                       }
                     }
                     for (const f32x4& sum : sums) volatile_sum = volatile_sum + sum[0];
                   },
                   {}});
  time_tasks(tasks);
  return 4e-6 * static_cast<double>(values.size()) / median(tasks.front());
}

}  // namespace bench
