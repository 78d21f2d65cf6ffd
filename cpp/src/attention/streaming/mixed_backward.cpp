// The backward pass for encodings that mix heads, such as DAPE: the term added to a score depends
// on the scores of all heads. All heads are therefore processed together, one tile of scores at a
// time.
#include "attention/streaming/backward_pass.h"
#include "attention/streaming/tile_inputs.h"
#include "core/format_error.h"
#include "kernels/vector_ops.h"

namespace phasor {

Status BackwardPass::run_heads_together() {
  const Tiling tiling = choose_tiling(params_);
  MultiHeadKeyBlockPacker packer(kv_heads_, tiling.block_keys, head_dim_, v_head_dim_);
  MultiHeadPass multi_head_pass(params_, tiling, transformed_q_, kv_heads_);
  const auto for_each_block = [&](auto&& f) {
    for (int first = 0; first < keys_; first += tiling.block_keys)
      f(packer.pack(transformed_k_, matrices(view(v_)), first,
                    std::min(tiling.block_keys, keys_ - first)));
  };
  Tensor output;
  if (forward_ != nullptr) {
    multi_head_pass.restore(*forward_);
  } else {
    output = Tensor({heads_, queries_, v_head_dim_});
    multi_head_pass.start(output, unused_result_, {0, queries_});
    for_each_block([&](const std::vector<KeyBlock>& key_blocks) {
      multi_head_pass.process_block(key_blocks);
    });
    PHASOR_TRY(multi_head_pass.finish());
  }
  const std::size_t count = static_cast<std::size_t>(heads_);
  std::vector<HeadGradient::HeadTensors> heads(count);
  std::vector<std::unique_ptr<HeadGradient>> gradients(count);
  for (std::size_t h = 0; h < count; ++h) {
    const int head = static_cast<int>(h);
    heads[h] = head_tensors(
        head, forward_ != nullptr ? ConstMatrixRef{} : matrix(std::as_const(output), head),
        nullptr);
    gradients[h] =
        std::make_unique<HeadGradient>(params_, encoding_, tiling, grad_uses_float64_, nullptr);
  }
  Buffer d_terms_buffer(static_cast<std::size_t>(heads_ * tiling.rows) *
                        static_cast<std::size_t>(tiling.keys));
  for_each_block([&](const std::vector<KeyBlock>& key_blocks) {
    for (std::size_t h = 0; h < count; ++h)
      gradients[h]->begin_block(heads[h], key_blocks[multi_head_pass.kv_head(static_cast<int>(h))]);
    backprop_mixed_block(multi_head_pass, key_blocks, heads, gradients, d_terms_buffer);
  });
  if (forward_ != nullptr && !multi_head_pass.matches_forward()) return forward_mismatch();
  for (const HeadGradient::HeadTensors& h : heads) finish_sink(multi_head_pass.pass(h.head), h);
  return {};
}

// `d_terms_buffer` receives the gradients of the added terms of one tile, (heads, rows * columns).
void BackwardPass::backprop_mixed_block(MultiHeadPass& multi_head_pass,
                                        const std::vector<KeyBlock>& key_blocks,
                                        std::vector<HeadGradient::HeadTensors>& heads,
                                        std::vector<std::unique_ptr<HeadGradient>>& gradients,
                                        Buffer& d_terms_buffer) {
  multi_head_pass.for_each_tile(key_blocks, [&](int row, int rows, int key, int columns) {
    std::vector<MatrixRef> d_scores(heads.size());
    for (std::size_t h = 0; h < heads.size(); ++h) {
      d_scores[h] = gradients[h]->score_grad(
          heads[h], multi_head_pass.pass(static_cast<int>(h)), row, rows, key, columns,
          {d_terms_buffer.data() + static_cast<std::ptrdiff_t>(h) * rows * columns, rows, columns,
           columns});
    }
    const MatrixRef d_products = multi_head_pass.mixing_tile().scratch();
    kernels::fill(d_products.data, 0, heads_ * d_products.columns);
    const ConstMatrixRef d_terms{d_terms_buffer.data(), heads_, d_products.columns,
                                 d_products.columns};
    multi_head_pass.mixing_tile().zero_unused_grad(d_terms);
    encoding_.as_mixing()->mix_backward(multi_head_pass.mixing_tile().tile(), d_terms, d_products);
    for (std::size_t h = 0; h < heads.size(); ++h) {
      kernels::add_row(d_scores[h].data, d_products.row(static_cast<int>(h)), d_products.columns);
      gradients[h]->backprop_tile(heads[h], multi_head_pass.pass(static_cast<int>(h)), row, key,
                                  d_scores[h]);
    }
  });
}

}  // namespace phasor
