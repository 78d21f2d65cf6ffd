#include "nn/attention.h"

namespace phasor::nn {

void AttentionWorkspace::reserve(const AttentionJob& job, bool training) {
  const std::size_t tile =
      static_cast<std::size_t>(job.tile_rows()) * static_cast<std::size_t>(job.size.tokens);
  if (tile_.size() < tile) {
    tile_ = Buffer(tile);
    bias_ = Buffer(tile);
    products_ = Buffer(training ? tile : 0);
  }
  if (training && job.moves()) {
    const std::vector<int> shape = {job.heads, job.size.rows(), job.head_width};
    for (Tensor* t : {&d_q, &d_k, &before}) {
      if (t->shape != shape) *t = Tensor(shape);
    }
  }
}

double AttentionWorkspace::bytes(const AttentionJob& job, bool training) {
  const double tile = static_cast<double>(job.tile_rows()) * job.size.tokens;
  const double moved = job.moves() && training ? 3.0 * job.size.rows() * job.width() : 0;
  const double content = job.encoding->working_bytes(
      {job.tile_rows(), job.size.tokens, 2 * job.size.tokens, job.head_width, job.head_width});
  return sizeof(float) * (tile * (training ? 3 : 2) + moved) + content;
}

double saved_bytes(const AttentionJob& job, bool training) {
  const double weights = training ? static_cast<double>(job.heads) * job.size.rows() *
                                        static_cast<double>(job.size.tokens)
                                  : 0;
  return sizeof(float) * (weights + (job.moves() ? 2.0 * job.size.rows() * job.width() : 0));
}

}  // namespace phasor::nn
