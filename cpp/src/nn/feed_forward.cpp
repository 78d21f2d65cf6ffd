#include "nn/feed_forward.h"

#include "kernels/vector_ops.h"
#include "nn/activations.h"
#include "nn/layers.h"

namespace phasor::nn {

namespace {

std::size_t element_count(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

MatrixRef as_matrix(float* data, int rows, int columns) { return {data, rows, columns, columns}; }

void activate(kernels::IsaLevel level, Activation activation, const MatrixRef& pre_activation,
              const MatrixRef& post_activation) {
  const int n = pre_activation.rows * pre_activation.columns;
  switch (activation) {
    case Activation::gelu: return gelu(level, pre_activation.data, post_activation.data, n);
    case Activation::gelu_tanh: return gelu_tanh(pre_activation.data, post_activation.data, n);
    case Activation::relu: return relu(pre_activation.data, post_activation.data, n);
    case Activation::swiglu: return swiglu(pre_activation, post_activation);
  }
}

}  // namespace

void SavedFeedForward::reserve(const FeedForward& block, int rows) {
  const auto ensure_size = [&](Buffer& buffer, int columns) {
    if (buffer.size() < element_count(rows, columns)) buffer = Buffer(element_count(rows, columns));
  };
  ensure_size(normed, block.up.columns);
  ensure_size(pre_activation, block.up.rows);
  ensure_size(post_activation, block.inner_dim());
  ensure_size(norm, 2);
}

void feed_forward(kernels::Workspace& workspace, const FeedForward& block, const ConstMatrixRef& x,
                  SavedFeedForward& saved, const MatrixRef& y) {
  saved.reserve(block, x.rows);
  const MatrixRef normed = as_matrix(saved.normed.data(), x.rows, x.columns),
                  pre_activation = as_matrix(saved.pre_activation.data(), x.rows, block.up.rows),
                  post_activation =
                      as_matrix(saved.post_activation.data(), x.rows, block.inner_dim());
  block.norm.forward(x, normed, saved.norm.data());
  linear(workspace, normed, block.up, block.up_bias, pre_activation);
  activate(workspace.level(), block.activation, pre_activation, post_activation);
  linear(workspace, post_activation, block.down, block.down_bias, y);
  for (int r = 0; r < x.rows; ++r) kernels::add_row(y.row(r), x.row(r), x.columns);
}

void feed_forward_backward(kernels::Workspace& workspace, const FeedForward& block,
                           const ConstMatrixRef& x, SavedFeedForward& saved, float* scratch,
                           const MatrixRef& d_x) {
  const MatrixRef normed = as_matrix(saved.normed.data(), x.rows, x.columns),
                  pre_activation = as_matrix(saved.pre_activation.data(), x.rows, block.up.rows),
                  post_activation =
                      as_matrix(saved.post_activation.data(), x.rows, block.inner_dim()),
                  d_normed = as_matrix(scratch, x.rows, x.columns),
                  d_post_activation = as_matrix(scratch + element_count(x.rows, x.columns), x.rows,
                                                block.inner_dim()),
                  d_gates =
                      as_matrix(d_post_activation.data + element_count(x.rows, block.inner_dim()),
                                x.rows, block.up.rows);
  linear_backward(workspace, post_activation, block.down, d_x, d_post_activation, block.d_down,
                  block.d_down_bias);
  MatrixRef d_pre_activation = d_post_activation;
  if (block.activation == Activation::swiglu) {
    swiglu_backward(pre_activation, d_post_activation, d_gates);
    d_pre_activation = d_gates;
  } else {
    activation_backward(pre_activation.data, d_post_activation.data, x.rows * block.inner_dim());
  }
  linear_backward(workspace, normed, block.up, d_pre_activation, d_normed, block.d_up,
                  block.d_up_bias);
  block.norm.backward(x, saved.norm.data(), d_normed, d_x);
}

}  // namespace phasor::nn
