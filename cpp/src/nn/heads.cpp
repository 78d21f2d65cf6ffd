#include "nn/heads.h"

#include <algorithm>

#include "nn/rms_norm.h"

namespace phasor::nn {

namespace {

constexpr double kEps = 1e-6;  // that of QkNorm

void copy(const ConstMatrixRef& from, const MatrixRef& to) {
  for (int r = 0; r < from.rows; ++r) std::copy_n(from.row(r), from.columns, to.row(r));
}

// 1 / root mean square of each row of a head.
float* sizes_of(const AttentionJob& job, SavedAttention& saved, int part, int head) {
  const std::ptrdiff_t before = part * job.heads + head;
  return saved.sizes.data() + before * job.size.rows();
}

}  // namespace

void take(const AttentionJob& job, const ConstMatrixRef& qkv, int part, SavedAttention& saved,
          Tensor& to) {
  for (int h = 0; h < job.heads; ++h) {
    const ConstMatrixRef from = head_of(job, qkv, part, h);
    if (!job.normalises) {
      copy(from, matrix(to, h));
      continue;
    }
    rms_norm(from, part == 0 ? job.learned.q_norm : job.learned.k_norm, kEps, matrix(to, h),
             sizes_of(job, saved, part, h));
  }
}

void give_back(const AttentionJob& job, const ConstMatrixRef& qkv, int part, SavedAttention& saved,
               const Tensor& d, const MatrixRef& d_qkv) {
  const LearnedOptions& of = job.learned;
  for (int h = 0; h < job.heads; ++h) {
    const MatrixRef to = head_of(job, d_qkv, part, h);
    if (!job.normalises) {
      copy(matrix(d, h), to);
      continue;
    }
    rms_norm_backward(head_of(job, qkv, part, h), part == 0 ? of.q_norm : of.k_norm,
                      sizes_of(job, saved, part, h), matrix(d, h), to,
                      part == 0 ? of.d_q_norm : of.d_k_norm);
  }
}

}  // namespace phasor::nn
