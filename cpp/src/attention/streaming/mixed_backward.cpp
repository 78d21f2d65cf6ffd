// The backward pass for encodings that mix heads: processes all heads together, tile by tile.

#include "attention/streaming/backward_pass.h"
#include "attention/streaming/tile_inputs.h"
#include "core/format_error.h"
#include "kernels/vector_ops.h"

namespace phasor {

Status BackwardPass::run_heads_together() {
  const Tiling tiles = tiling(job_);
  MultiHeadKeyBlocks blocks(kv_heads_, tiles.block, head_dim_, v_head_dim_);
  MultiHeadPass multi_pass(job_, tiles, transformed_q_, kv_heads_);
  const auto each_block = [&](auto&& f) {
    for (int first = 0; first < keys_; first += tiles.block)
      f(blocks.pack(transformed_k_, matrices(view(v_)), first,
                    std::min(tiles.block, keys_ - first)));
  };
  Tensor output;
  if (forward_ != nullptr) {
    multi_pass.restore(*forward_);
  } else {
    output = Tensor({heads_, queries_, v_head_dim_});
    multi_pass.start(output, unused_result_, {0, queries_});
    each_block([&](const std::vector<KeyBlock>& key_blocks) { multi_pass.block(key_blocks); });
    PHASOR_TRY(multi_pass.finish());
  }
  const std::size_t count = static_cast<std::size_t>(heads_);
  std::vector<HeadGradient::Head> heads(count);
  std::vector<std::unique_ptr<HeadGradient>> gradients(count);
  for (std::size_t h = 0; h < count; ++h) {
    const int head = static_cast<int>(h);
    heads[h] =
        of_head(head, forward_ != nullptr ? ConstMatrixRef{} : matrix(std::as_const(output), head),
                nullptr);
    gradients[h] =
        std::make_unique<HeadGradient>(job_, encoding_, tiles, grad_uses_float64_, nullptr);
  }
  Buffer d_added_buffer(static_cast<std::size_t>(heads_ * tiles.rows) *
                        static_cast<std::size_t>(tiles.keys));
  each_block([&](const std::vector<KeyBlock>& key_blocks) {
    for (std::size_t h = 0; h < count; ++h)
      gradients[h]->open(heads[h], key_blocks[multi_pass.kv_head(static_cast<int>(h))]);
    mixed_block(multi_pass, key_blocks, heads, gradients, d_added_buffer);
  });
  if (forward_ != nullptr && !multi_pass.matches_forward()) return forward_mismatch();
  for (const HeadGradient::Head& h : heads) finish_sink(multi_pass.pass(h.head), h);
  return {};
}

void BackwardPass::mixed_block(MultiHeadPass& multi_pass, const std::vector<KeyBlock>& key_blocks,
                               std::vector<HeadGradient::Head>& heads,
                               std::vector<std::unique_ptr<HeadGradient>>& gradients,
                               Buffer& d_added_buffer) {
  multi_pass.each_tile(key_blocks, [&](int row, int rows, int key, int columns) {
    std::vector<MatrixRef> d_scores(heads.size());
    for (std::size_t h = 0; h < heads.size(); ++h) {
      d_scores[h] = gradients[h]->score_grad(
          heads[h], multi_pass.pass(static_cast<int>(h)), row, rows, key, columns,
          {d_added_buffer.data() + static_cast<std::ptrdiff_t>(h) * rows * columns, rows, columns,
           columns});
    }
    const MatrixRef d_products = multi_pass.mix().scratch();
    kernels::fill(d_products.data, 0, heads_ * d_products.columns);
    const ConstMatrixRef d_added{d_added_buffer.data(), heads_, d_products.columns,
                                 d_products.columns};
    multi_pass.mix().zero_unused_grad(d_added);
    encoding_.as_mixing()->mix_backward(multi_pass.mix().tile(), d_added, d_products);
    for (std::size_t h = 0; h < heads.size(); ++h) {
      kernels::add_row(d_scores[h].data, d_products.row(static_cast<int>(h)), d_products.columns);
      gradients[h]->backprop_tile(heads[h], multi_pass.pass(static_cast<int>(h)), row, key,
                                  d_scores[h]);
    }
  });
}

}  // namespace phasor
