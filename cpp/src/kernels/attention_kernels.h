#pragma once
// The inner loops of attention for one instruction set level (kernels/isa.h). Their contracts are
// documented in kernels.h. The result of a row does not depend on other rows.

#include "kernels/isa.h"
#include "kernels/kernels.h"

namespace phasor::kernels {

struct AttentionKernels {
  void (*product)(const ConstMatrixRef& a, const Panels& b, float scale, const MatrixRef& c);
  void (*accumulate)(const ConstMatrixRef& a, const Panels& b, const MatrixRef& c);
  float (*row_max)(const float* row, int n);
  double (*exp_and_sum)(float* row, int n, float row_max);
  void (*softcap)(float* row, int n, float cap);
  /// Shape of the fastest tile of scores. A tile takes at most twice the size of the L1 cache.
  int tile_rows, tile_keys;

  /// Like `accumulate`, but adds up 256 terms at a time, because a longer float32 sum loses more
  /// digits (docs/reliability.md).
  void accumulate_in_chunks(const ConstMatrixRef& a, const Panels& b, const MatrixRef& c) const;
};

namespace neon {
extern const AttentionKernels kAttentionKernels;
}
namespace avx2 {
extern const AttentionKernels kAttentionKernels;
}
namespace avx512 {
extern const AttentionKernels kAttentionKernels;
}

/// Returns the kernels of a level. Aborts if this machine does not support the level.
/// IsaLevel::portable selects the `active` kernels, whose results have the same bits on every
/// machine.
const AttentionKernels& attention_kernels(IsaLevel level);

}  // namespace phasor::kernels
