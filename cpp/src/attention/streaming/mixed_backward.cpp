// The backward pass of an encoding that mixes the scores of all heads, which processes all heads
// together, tile by tile.

#include "attention/streaming/backward_pass.h"
#include "attention/streaming/tile_inputs.h"
#include "core/format_error.h"
#include "kernels/vector_ops.h"

namespace phasor {

Status BackwardPass::together() {
  const Tiling cut = tiling(job_);
  MultiHeadKeyBlocks blocks(kv_heads_, cut.block, head_dim_, v_head_dim_);
  MultiHeadPass all(job_, cut, moved_q_, kv_heads_);
  const auto each_block = [&](auto&& f) {
    for (int first = 0; first < keys_; first += cut.block)
      f(blocks.pack(moved_k_, matrices(view(v_)), first, std::min(cut.block, keys_ - first)));
  };
  Tensor output;
  if (forward_ != nullptr) {
    all.restore(*forward_);
  } else {
    output = Tensor({heads_, queries_, v_head_dim_});
    all.start(output, discarded_, {0, queries_});
    each_block([&](const std::vector<KeyBlock>& keys_of) { all.block(keys_of); });
    PHASOR_TRY(all.finish());
  }
  const std::size_t count = static_cast<std::size_t>(heads_);
  std::vector<HeadGradient::Head> each(count);
  std::vector<std::unique_ptr<HeadGradient>> gradients(count);
  for (std::size_t h = 0; h < count; ++h) {
    const int head = static_cast<int>(h);
    each[h] =
        of_head(head, forward_ != nullptr ? ConstMatrixRef{} : matrix(std::as_const(output), head),
                nullptr);
    gradients[h] = std::make_unique<HeadGradient>(job_, encoding_, cut, by_v_, nullptr);
  }
  Buffer through(static_cast<std::size_t>(heads_ * cut.rows) * static_cast<std::size_t>(cut.keys));
  each_block([&](const std::vector<KeyBlock>& keys_of) {
    for (std::size_t h = 0; h < count; ++h)
      gradients[h]->open(each[h], keys_of[all.kv_head(static_cast<int>(h))]);
    mixed_block(all, keys_of, each, gradients, through);
  });
  if (forward_ != nullptr && !all.matches_forward()) return other_arguments();
  for (const HeadGradient::Head& h : each) finish_sink(all.pass(h.head), h);
  return {};
}

void BackwardPass::mixed_block(MultiHeadPass& all, const std::vector<KeyBlock>& keys_of,
                               std::vector<HeadGradient::Head>& each,
                               std::vector<std::unique_ptr<HeadGradient>>& gradients,
                               Buffer& through) {
  all.each_tile(keys_of, [&](int row, int rows, int key, int columns) {
    std::vector<MatrixRef> slopes(each.size());
    for (std::size_t h = 0; h < each.size(); ++h) {
      slopes[h] = gradients[h]->score_grad(
          each[h], all.pass(static_cast<int>(h)), row, rows, key, columns,
          {through.data() + static_cast<std::ptrdiff_t>(h) * rows * columns, rows, columns,
           columns});
    }
    const MatrixRef d_products = all.mix().free();
    kernels::fill(d_products.data, 0, heads_ * d_products.columns);
    const ConstMatrixRef d_added{through.data(), heads_, d_products.columns, d_products.columns};
    all.mix().zero_unused_grad(d_added);
    encoding_.as_mixing()->mix_backward(all.mix().tile(), d_added, d_products);
    for (std::size_t h = 0; h < each.size(); ++h) {
      kernels::add_row(slopes[h].data, d_products.row(static_cast<int>(h)), d_products.columns);
      gradients[h]->backprop_tile(each[h], all.pass(static_cast<int>(h)), row, key, slopes[h]);
    }
  });
}

}  // namespace phasor
