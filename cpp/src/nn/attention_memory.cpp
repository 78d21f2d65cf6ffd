#include "nn/batched_attention.h"
#include "nn/token_inputs.h"

namespace phasor::nn {

void AttentionWorkspace::reserve(const BatchedAttentionParams& job, bool training) {
  const std::size_t tile_size =
      static_cast<std::size_t>(job.tile_rows()) * static_cast<std::size_t>(job.size.tokens);
  if (tile_.size() < tile_size) {
    tile_ = Buffer(tile_size);
    bias_ = Buffer(tile_size);
    products_ = Buffer(training ? tile_size : 0);
  }
  if (training && job.transforms()) {
    const int transformed_dim = job.transformed_dim();
    for (Tensor* t : {&d_q, &d_k, &untransformed}) {
      const std::vector<int> shape = {job.heads, job.size.rows(),
                                      t == &untransformed ? job.head_dim : transformed_dim};
      if (t->shape != shape) *t = Tensor(shape);
    }
  }
}

double AttentionWorkspace::bytes(const BatchedAttentionParams& job, bool training) {
  const double tile_size = static_cast<double>(job.tile_rows()) * job.size.tokens;
  // Gradients of transformed q and k, and a copy of the inputs. If head_dim changes, also gradients
  // with the original dim.
  const double vector_count = static_cast<double>(job.heads) * job.size.rows();
  const double transformed_count =
      !job.transforms() || !training
          ? 0
          : vector_count * (2.0 * job.transformed_dim() +
                            (job.transformed_dim() == job.head_dim ? 1.0 : 2.0) * job.head_dim);
  const double content_bytes = job.encoding->working_bytes(
      {job.tile_rows(), job.size.tokens, 2 * job.size.tokens, job.head_dim, job.head_dim});
  return sizeof(float) * (tile_size * (training ? 3 : 2) + transformed_count) + content_bytes +
         TokenTerms::bytes(job, training);
}

double saved_bytes(const BatchedAttentionParams& job, bool training) {
  const double weight_count = training ? static_cast<double>(job.heads) * job.size.rows() *
                                             static_cast<double>(job.size.tokens)
                                       : 0;
  // Transformed q and k. If head_dim changes, also a temporary array.
  const double transformed_count =
      static_cast<double>(job.heads) * job.size.rows() *
      (2.0 * job.transformed_dim() +
       (job.transformed_dim() == job.head_dim ? 0.0 : 1.0 * job.transformed_dim()));
  const double norm_count = job.normalises ? 2.0 * job.heads * job.size.rows() : 0;
  return sizeof(float) * (weight_count + (job.transforms() ? transformed_count : 0) + norm_count) +
         TokenTerms::tensor_bytes(job, training);
}

}  // namespace phasor::nn
