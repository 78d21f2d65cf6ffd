#include "kernels/attention_kernels.h"

#include <algorithm>
#include <cstdlib>

#include "kernels/gemm.h"

namespace phasor::kernels {

namespace {

constexpr AttentionKernels kPortableKernels{active::product,
                                            active::accumulate,
                                            active::row_max,
                                            active::exp_and_sum,
                                            active::softcap,
                                            32,
                                            256};

}  // namespace

void AttentionKernels::accumulate_in_chunks(const ConstMatrixRef& a, const Panels& b,
                                            const MatrixRef& c) const {
  constexpr int kTermsPerSum = 256;
  for (int first = 0; first < b.inner; first += kTermsPerSum) {
    const int terms = std::min(kTermsPerSum, b.inner - first);
    accumulate(columns_of(a, first, terms), b.slice_rows(first, terms), c);
  }
}

const AttentionKernels& attention_kernels(IsaLevel level) {
  if (!is_level_supported(level)) std::abort();
#if defined(__x86_64__) || defined(__i386__)
  if (level == IsaLevel::avx2) return avx2::kAttentionKernels;
  if (level == IsaLevel::avx512) return avx512::kAttentionKernels;
#elif defined(__aarch64__)
  if (level == IsaLevel::neon) return neon::kAttentionKernels;
#endif
  return kPortableKernels;
}

}  // namespace phasor::kernels
