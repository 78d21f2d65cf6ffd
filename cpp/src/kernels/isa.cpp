#include "kernels/isa.h"

#include <cstdlib>

#include "kernels/wide.h"

namespace phasor::kernels {

bool is_level_supported(IsaLevel level) {
#if defined(__x86_64__) || defined(__i386__)
  // __builtin_cpu_supports also checks that the operating system saves the registers of AVX.
  __builtin_cpu_init();
  if (level == IsaLevel::avx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (level == IsaLevel::avx512) return __builtin_cpu_supports("avx512f");
#elif defined(__aarch64__)
  if (level == IsaLevel::neon) return true;
#endif
  return level == IsaLevel::portable;
}

namespace {

IsaLevel level_limit = IsaLevel::avx512;

}  // namespace

LevelLimit::LevelLimit(IsaLevel max_level) : previous_limit_(level_limit) {
  level_limit = max_level;
}
LevelLimit::~LevelLimit() { level_limit = previous_limit_; }

IsaLevel best_level() {
  IsaLevel supported_level = IsaLevel::portable;
  for (const IsaLevel level : kLevels) {
    if (level <= level_limit && is_level_supported(level)) supported_level = level;
  }
  return supported_level;
}

const char* level_name(IsaLevel level) {
  constexpr const char* kNames[] = {"portable", "neon", "avx2", "avx512"};
  return kNames[static_cast<int>(level)];
}

const WideKernels& wide_kernels(IsaLevel level) {
  if (!is_level_supported(level)) std::abort();
#if defined(__x86_64__) || defined(__i386__)
  if (level == IsaLevel::avx2) return avx2::kWideKernels;
  if (level == IsaLevel::avx512) return avx512::kWideKernels;
#elif defined(__aarch64__)
  if (level == IsaLevel::neon) return neon::kWideKernels;
#endif
  return portable::kWideKernels;
}

}  // namespace phasor::kernels
