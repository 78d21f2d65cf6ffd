#include "nn/transformed_heads.h"

#include <algorithm>
#include <vector>

#include "nn/norms.h"

namespace phasor::nn {

namespace {

constexpr double kQkNormEps = 1e-6;  // as in QkNorm

void copy_rows(const ConstMatrixRef& from, const MatrixRef& to) {
  for (int r = 0; r < from.rows; ++r) std::copy_n(from.row(r), from.columns, to.row(r));
}

// The saved 1 / root mean square of each row of a head.
float* inverse_rms_of(const BatchedAttentionParams& job, SavedAttention& saved, int part,
                      int head) {
  const std::ptrdiff_t index = part * job.heads + head;
  return saved.inverse_rms.data() + index * job.size.rows();
}

// Adds the gradient d of the gathered heads to d_qkv and to the gradients of the norm. Without a
// norm, d replaces the values in d_qkv.
void scatter_heads(const BatchedAttentionParams& job, const ConstMatrixRef& qkv, int part,
                   SavedAttention& saved, const Tensor& d, const MatrixRef& d_qkv) {
  const LearnedOptions& learned = job.learned;
  for (int h = 0; h < job.heads; ++h) {
    const MatrixRef to = head_of(job, d_qkv, part, h);
    if (!job.normalises) {
      copy_rows(matrix(d, h), to);
      continue;
    }
    rms_norm_backward(head_of(job, qkv, part, h), part == 0 ? learned.q_norm : learned.k_norm,
                      inverse_rms_of(job, saved, part, h), matrix(d, h), to,
                      part == 0 ? learned.d_q_norm : learned.d_k_norm);
  }
}

}  // namespace

void gather_heads(const BatchedAttentionParams& job, const ConstMatrixRef& qkv, int part,
                  SavedAttention& saved, Tensor& to) {
  for (int h = 0; h < job.heads; ++h) {
    const ConstMatrixRef from = head_of(job, qkv, part, h);
    if (!job.normalises) {
      copy_rows(from, matrix(to, h));
      continue;
    }
    rms_norm(from, part == 0 ? job.learned.q_norm : job.learned.k_norm, kQkNormEps, matrix(to, h),
             inverse_rms_of(job, saved, part, h));
  }
}

void transform_heads(const BatchedAttentionParams& job, const ConstMatrixRef& qkv,
                     SavedAttention& saved) {
  const std::vector<int> shape = {job.heads, job.size.rows(), job.head_dim};
  for (Tensor* t : {&saved.q, &saved.k}) {
    if (t->shape != shape) *t = Tensor(shape);
  }
  const std::size_t vector_count =
      job.normalises ? 2 * saved.q.data.size() / static_cast<std::size_t>(job.head_dim) : 0;
  if (saved.inverse_rms.size() < vector_count) saved.inverse_rms = Buffer(vector_count);
  gather_heads(job, qkv, 0, saved, saved.q);
  gather_heads(job, qkv, 1, saved, saved.k);
  if (const QueryKeyEncoding* transform = job.encoding->as_query_key()) {
    transform->transform(Role::query, job.all_positions, saved.q);
    transform->transform(Role::key, job.all_positions, saved.k);
  }
}

void transform_heads_backward(const BatchedAttentionParams& job, const ConstMatrixRef& qkv,
                              SavedAttention& saved, AttentionWorkspace& work,
                              const MatrixRef& d_qkv) {
  QueryKeyEncoding* transform = job.encoding->as_query_key();
  const bool needs_inputs =
      transform != nullptr && (!transform->is_linear() || !job.encoding->parameters().empty());
  for (const int part : {0, 1}) {
    Tensor& d = part == 0 ? work.d_q : work.d_k;
    if (needs_inputs) gather_heads(job, qkv, part, saved, work.untransformed);
    if (transform != nullptr) {
      transform->transform_backward(part == 0 ? Role::query : Role::key, job.all_positions,
                                    work.untransformed, d);
    }
    scatter_heads(job, qkv, part, saved, d, d_qkv);
  }
}

}  // namespace phasor::nn
