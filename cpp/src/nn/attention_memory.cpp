#include "nn/batched_attention.h"
#include "nn/token_inputs.h"

namespace phasor::nn {

void AttentionWorkspace::reserve(const BatchedAttentionParams& job, bool training) {
  const std::size_t tile =
      static_cast<std::size_t>(job.tile_rows()) * static_cast<std::size_t>(job.size.tokens);
  if (tile_.size() < tile) {
    tile_ = Buffer(tile);
    bias_ = Buffer(tile);
    products_ = Buffer(training ? tile : 0);
  }
  if (training && job.transforms()) {
    const int transformed = job.transformed_dim();
    for (Tensor* t : {&d_q, &d_k, &untransformed}) {
      const std::vector<int> shape = {job.heads, job.size.rows(),
                                      t == &untransformed ? job.head_dim : transformed};
      if (t->shape != shape) *t = Tensor(shape);
    }
  }
}

double AttentionWorkspace::bytes(const BatchedAttentionParams& job, bool training) {
  const double tile = static_cast<double>(job.tile_rows()) * job.size.tokens;
  // Gradients of transformed q and k, and a copy of the inputs. If head_dim changes, also gradients
  // with the original dim.
  const double vectors = static_cast<double>(job.heads) * job.size.rows();
  const double transformed =
      !job.transforms() || !training
          ? 0
          : vectors * (2.0 * job.transformed_dim() +
                       (job.transformed_dim() == job.head_dim ? 1.0 : 2.0) * job.head_dim);
  const double content_bytes = job.encoding->working_bytes(
      {job.tile_rows(), job.size.tokens, 2 * job.size.tokens, job.head_dim, job.head_dim});
  return sizeof(float) * (tile * (training ? 3 : 2) + transformed) + content_bytes +
         TokenTerms::bytes(job, training);
}

double saved_bytes(const BatchedAttentionParams& job, bool training) {
  const double weights = training ? static_cast<double>(job.heads) * job.size.rows() *
                                        static_cast<double>(job.size.tokens)
                                  : 0;
  // Transformed q and k. If head_dim changes, also a temporary array.
  const double transformed =
      static_cast<double>(job.heads) * job.size.rows() *
      (2.0 * job.transformed_dim() +
       (job.transformed_dim() == job.head_dim ? 0.0 : 1.0 * job.transformed_dim()));
  const double norm_count = job.normalises ? 2.0 * job.heads * job.size.rows() : 0;
  return sizeof(float) * (weights + (job.transforms() ? transformed : 0) + norm_count) +
         TokenTerms::tensor_bytes(job, training);
}

}  // namespace phasor::nn
