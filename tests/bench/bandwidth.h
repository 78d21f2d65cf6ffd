#pragma once
// The bandwidth of memory for reads of one thread.

#include <cstddef>
#include <vector>

#include "turns.h"

namespace bench {

/// GB/s of a sum over 256 MiB, with eight accumulators of four lanes.
inline double bandwidth() {
  using f32x4 = float __attribute__((vector_size(16)));
  const std::vector<float> memory(std::size_t{1} << 26, 0.5f);
  volatile float kept = 0;
  std::vector<Task> tasks;
  tasks.push_back({"sum",
                   [&] {
                     f32x4 sums[8] = {};
                     for (std::size_t i = 0; i < memory.size(); i += 32) {
                       for (std::size_t n = 0; n < 8; ++n) {
                         f32x4 four;
                         __builtin_memcpy(&four, memory.data() + i + 4 * n, sizeof four);
                         sums[n] += four;
                       }
                     }
                     for (const f32x4& sum : sums) kept = kept + sum[0];
                   },
                   {}});
  take_turns(tasks);
  return 4e-6 * static_cast<double>(memory.size()) / median(tasks.front());
}

}  // namespace bench
