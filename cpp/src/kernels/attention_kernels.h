#pragma once
// The inner loops of attention at one instruction set level (kernels/isa.h). They have the
// contracts of kernels.h. The result of a row does not depend on other rows, so rows may be grouped
// in any way.

#include "kernels/isa.h"
#include "kernels/kernels.h"

namespace phasor::kernels {

struct AttentionKernels {
  void (*product)(const ConstMatrixRef& a, const Panels& b, float scale, const MatrixRef& c);
  void (*accumulate)(const ConstMatrixRef& a, const Panels& b, const MatrixRef& c);
  float (*row_max)(const float* row, int n);
  double (*exp_and_sum)(float* row, int n, float row_max);
  void (*softcap)(float* row, int n, float cap);
  /// The size of the fastest tile of scores, which is at most twice the L1 cache.
  int tile_rows, tile_keys;

  /// Like `accumulate`, but sums 256 terms at a time, because a longer sum in float32 loses more
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

/// The kernels of a level; aborts if the level does not run here. IsaLevel::portable selects the
/// `active` kernels, with the same bits on every machine.
const AttentionKernels& attention_kernels(IsaLevel level);

}  // namespace phasor::kernels
