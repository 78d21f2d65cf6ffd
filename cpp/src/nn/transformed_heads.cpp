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

float* get_inverse_rms(const BatchedAttentionParams& params, SavedAttention& saved, int qkv_index,
                       int head) {
  const std::ptrdiff_t index = qkv_index * params.heads + head;
  return saved.inverse_rms.data() + index * params.size.rows();
}

// The backward pass of gather_heads(), where d is the gradient of its result. With a norm, adds to
// d_qkv and to the gradients of the norm. Without a norm, copies d to d_qkv.
void scatter_heads(const BatchedAttentionParams& params, const ConstMatrixRef& qkv, int qkv_index,
                   SavedAttention& saved, const Tensor& d, const MatrixRef& d_qkv) {
  const LearnedParams& learned = params.learned_params;
  for (int h = 0; h < params.heads; ++h) {
    const MatrixRef to = select_head(params, d_qkv, qkv_index, h);
    if (!params.has_qk_norm) {
      copy_rows(matrix(d, h), to);
      continue;
    }
    rms_norm_backward(select_head(params, qkv, qkv_index, h),
                      qkv_index == 0 ? learned.q_norm : learned.k_norm,
                      get_inverse_rms(params, saved, qkv_index, h), matrix(d, h), to,
                      qkv_index == 0 ? learned.d_q_norm : learned.d_k_norm);
  }
}

}  // namespace

void gather_heads(const BatchedAttentionParams& params, const ConstMatrixRef& qkv, int qkv_index,
                  SavedAttention& saved, Tensor& to) {
  for (int h = 0; h < params.heads; ++h) {
    const ConstMatrixRef from = select_head(params, qkv, qkv_index, h);
    if (!params.has_qk_norm) {
      copy_rows(from, matrix(to, h));
      continue;
    }
    rms_norm(from, qkv_index == 0 ? params.learned_params.q_norm : params.learned_params.k_norm,
             kQkNormEps, matrix(to, h), get_inverse_rms(params, saved, qkv_index, h));
  }
}

void transform_heads(const BatchedAttentionParams& params, const ConstMatrixRef& qkv,
                     SavedAttention& saved) {
  const std::vector<int> shape = {params.heads, params.size.rows(), params.head_dim};
  for (Tensor* t : {&saved.q, &saved.k}) {
    if (t->shape != shape) *t = Tensor(shape);
  }
  const std::size_t vector_count =
      params.has_qk_norm ? 2 * saved.q.data.size() / static_cast<std::size_t>(params.head_dim) : 0;
  if (saved.inverse_rms.size() < vector_count) saved.inverse_rms = Buffer(vector_count);
  gather_heads(params, qkv, 0, saved, saved.q);
  gather_heads(params, qkv, 1, saved, saved.k);
  if (const QueryKeyEncoding* query_key_encoding = params.encoding->as_query_key()) {
    query_key_encoding->transform(Role::query, params.repeated_positions, saved.q);
    query_key_encoding->transform(Role::key, params.repeated_positions, saved.k);
  }
}

void transform_heads_backward(const BatchedAttentionParams& params, const ConstMatrixRef& qkv,
                              SavedAttention& saved, AttentionWorkspace& workspace,
                              const MatrixRef& d_qkv) {
  QueryKeyEncoding* query_key_encoding = params.encoding->as_query_key();
  const bool needs_inputs =
      query_key_encoding != nullptr &&
      (!query_key_encoding->is_linear() || !params.encoding->parameters().empty());
  for (const int qkv_index : {0, 1}) {
    Tensor& d = qkv_index == 0 ? workspace.d_q : workspace.d_k;
    if (needs_inputs) gather_heads(params, qkv, qkv_index, saved, workspace.untransformed_inputs);
    if (query_key_encoding != nullptr) {
      query_key_encoding->transform_backward(qkv_index == 0 ? Role::query : Role::key,
                                             params.repeated_positions,
                                             workspace.untransformed_inputs, d);
    }
    scatter_heads(params, qkv, qkv_index, saved, d, d_qkv);
  }
}

}  // namespace phasor::nn
