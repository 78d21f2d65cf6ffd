#include "nn/batched_attention.h"
#include "nn/token_inputs.h"

namespace phasor::nn {

void AttentionWorkspace::reserve(const BatchedAttentionParams& params, bool training) {
  const std::size_t tile_size =
      static_cast<std::size_t>(params.tile_rows()) * static_cast<std::size_t>(params.size.tokens);
  if (tile_.size() < tile_size) {
    tile_ = Buffer(tile_size);
    bias_ = Buffer(tile_size);
    products_ = Buffer(training ? tile_size : 0);
  }
  if (training && params.has_transformed_heads()) {
    const int transformed_dim = params.transformed_dim();
    for (Tensor* t : {&d_q, &d_k, &untransformed_inputs}) {
      const std::vector<int> shape = {
          params.heads, params.size.rows(),
          t == &untransformed_inputs ? params.head_dim : transformed_dim};
      if (t->shape != shape) *t = Tensor(shape);
    }
  }
}

double AttentionWorkspace::bytes(const BatchedAttentionParams& params, bool training) {
  const double tile_size = static_cast<double>(params.tile_rows()) * params.size.tokens;
  // Counts the gradients of transformed q and k and a copy of the untransformed inputs, plus the
  // gradients of those inputs if transformed_dim differs from head_dim.
  const double vector_count = static_cast<double>(params.heads) * params.size.rows();
  const double transformed_count =
      !params.has_transformed_heads() || !training
          ? 0
          : vector_count *
                (2.0 * params.transformed_dim() +
                 (params.transformed_dim() == params.head_dim ? 1.0 : 2.0) * params.head_dim);
  const double content_bytes =
      params.encoding->working_bytes({params.tile_rows(), params.size.tokens,
                                      2 * params.size.tokens, params.head_dim, params.head_dim});
  return sizeof(float) * (tile_size * (training ? 3 : 2) + transformed_count) + content_bytes +
         TokenTerms::bytes(params, training);
}

double saved_bytes(const BatchedAttentionParams& params, bool training) {
  const double weight_count = training ? static_cast<double>(params.heads) * params.size.rows() *
                                             static_cast<double>(params.size.tokens)
                                       : 0;
  // Counts transformed q and k, plus a temporary array if transformed_dim differs from head_dim.
  const double transformed_count =
      static_cast<double>(params.heads) * params.size.rows() *
      (2.0 * params.transformed_dim() +
       (params.transformed_dim() == params.head_dim ? 0.0 : 1.0 * params.transformed_dim()));
  const double norm_count = params.has_qk_norm ? 2.0 * params.heads * params.size.rows() : 0;
  return sizeof(float) * (weight_count + (params.has_transformed_heads() ? transformed_count : 0) +
                          norm_count) +
         TokenTerms::tensor_bytes(params, training);
}

}  // namespace phasor::nn
