#pragma once
// Instruction set levels for matrix products. The library is compiled for the baseline of an
// architecture; selected functions are compiled with wider instructions, for training and native
// attention (docs/decisions/0028-wide-products.md, 0037-wide-attention.md).

namespace phasor::kernels {

enum class Level {
  portable,  ///< four lanes, every product rounded separately: the same bits on every machine
  neon,      ///< AArch64: four lanes, fused multiply-adds
  avx2,      ///< x86: eight lanes, fused multiply-adds
  avx512,    ///< x86: sixteen lanes, fused multiply-adds
};
inline constexpr Level kLevels[] = {Level::portable, Level::neon, Level::avx2, Level::avx512};

/// Whether this processor has the instructions of the level and this library was compiled with
/// them.
bool runs_here(Level level);
/// The widest level that runs here. Only a LevelLimit changes it while a program runs.
Level widest_level();
/// For tests: limits widest_level() to this level during its lifetime. Not thread-safe.
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
