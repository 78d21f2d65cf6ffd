#pragma once
// Instruction set levels for matrix products. Most of the library is compiled for the baseline of
// an architecture, and a few functions for training and native attention with wider instructions
// (docs/decisions/0028-wide-products.md, 0037-wide-attention.md).

namespace phasor::kernels {

enum class Level {
  portable,  ///< four lanes, every product rounded separately: the same bits on every machine
  neon,      ///< AArch64: four lanes, fused multiply-adds
  avx2,      ///< x86: eight lanes, fused multiply-adds
  avx512,    ///< x86: sixteen lanes, fused multiply-adds
};
inline constexpr Level kLevels[] = {Level::portable, Level::neon, Level::avx2, Level::avx512};

/// True if this processor has the instructions and the library was compiled with them.
bool runs_here(Level level);
/// The widest level that runs here, up to the limit of a LevelLimit.
Level widest_level();
/// Limits widest_level() during its lifetime, for tests. Not thread-safe.
class LevelLimit {
 public:
  explicit LevelLimit(Level max_level);
  ~LevelLimit();
  LevelLimit(const LevelLimit&) = delete;
  LevelLimit& operator=(const LevelLimit&) = delete;

 private:
  Level previous_limit_;
};

/// The name of the enumerator.
const char* name_of(Level level);

}  // namespace phasor::kernels
