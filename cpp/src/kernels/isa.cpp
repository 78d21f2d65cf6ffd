#include "kernels/isa.h"

#include <cstdlib>

#include "kernels/wide.h"

namespace phasor::kernels {

namespace {

// The kernels of a level, or nullptr if it does not run.
const WideKernels* find(Level level) {
#if defined(__x86_64__) || defined(__i386__)
  // It also asks the operating system whether it saves these registers.
  __builtin_cpu_init();
  if (level == Level::avx2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return &avx2::kKernels;
  if (level == Level::avx512 && __builtin_cpu_supports("avx512f")) return &avx512::kKernels;
#elif defined(__aarch64__)
  if (level == Level::neon) return &neon::kKernels;
#endif
  return level == Level::portable ? &portable::kKernels : nullptr;
}

}  // namespace

bool runs_here(Level level) { return find(level) != nullptr; }

Level widest_level() {
  Level widest = Level::portable;
  for (const Level level : kLevels) {
    if (runs_here(level)) widest = level;
  }
  return widest;
}

const char* name_of(Level level) {
  constexpr const char* kNames[] = {"portable", "neon", "avx2", "avx512"};
  return kNames[static_cast<int>(level)];
}

const WideKernels& wide_kernels(Level level) {
  const WideKernels* found = find(level);
  if (found == nullptr) std::abort();
  return *found;
}

}  // namespace phasor::kernels
