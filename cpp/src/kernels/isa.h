#pragma once
// Instruction set levels for matrix products. Most of the library is compiled for the baseline of
// an architecture. A few functions for training and native attention are also compiled for wider
// instructions (docs/decisions/0028-wide-products.md, 0037-wide-attention.md).

namespace phasor::kernels {

enum class IsaLevel {
  portable,  ///< four lanes, every product rounded separately: the same bits on every machine
  neon,      ///< AArch64: four lanes, fused multiply-adds
  avx2,      ///< x86: eight lanes, fused multiply-adds
  avx512,    ///< x86: sixteen lanes, fused multiply-adds
};
inline constexpr IsaLevel kLevels[] = {IsaLevel::portable, IsaLevel::neon, IsaLevel::avx2,
                                       IsaLevel::avx512};

/// True if the library was compiled with these instructions and this processor has them.
bool is_level_supported(IsaLevel level);
/// The widest level that this machine supports, up to the limit of a LevelLimit.
IsaLevel best_level();
/// Limits best_level() while it exists. For tests; not thread-safe.
class LevelLimit {
 public:
  explicit LevelLimit(IsaLevel max_level);
  ~LevelLimit();
  LevelLimit(const LevelLimit&) = delete;
  LevelLimit& operator=(const LevelLimit&) = delete;

 private:
  IsaLevel previous_limit_;
};

const char* level_name(IsaLevel level);

}  // namespace phasor::kernels
