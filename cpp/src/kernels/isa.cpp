#include "kernels/isa.h"

#include <cstdlib>

#include "kernels/wide.h"

namespace phasor::kernels {

bool runs_here(Level level) {
#if defined(__x86_64__) || defined(__i386__)
  // __builtin_cpu_supports also checks that the operating system saves the registers.
  __builtin_cpu_init();
  if (level == Level::avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (level == Level::avx512) return __builtin_cpu_supports("avx512f");
#elif defined(__aarch64__)
  if (level == Level::neon) return true;
#endif
  return level == Level::portable;
}

namespace {

Level level_limit = Level::avx512;

}  // namespace

LevelLimit::LevelLimit(Level max_level) : previous_limit_(level_limit) { level_limit = max_level; }
LevelLimit::~LevelLimit() { level_limit = previous_limit_; }

Level widest_level() {
  Level supported_level = Level::portable;
  for (const Level level : kLevels) {
    if (level <= level_limit && runs_here(level)) supported_level = level;
  }
  return supported_level;
}

const char* name_of(Level level) {
  constexpr const char* kNames[] = {"portable", "neon", "avx2", "avx512"};
  return kNames[static_cast<int>(level)];
}

const WideKernels& wide_kernels(Level level) {
  if (!runs_here(level)) std::abort();
#if defined(__x86_64__) || defined(__i386__)
  if (level == Level::avx2) return avx2::kWideKernels;
  if (level == Level::avx512) return avx512::kWideKernels;
#elif defined(__aarch64__)
  if (level == Level::neon) return neon::kWideKernels;
#endif
  return portable::kWideKernels;
}

}  // namespace phasor::kernels
