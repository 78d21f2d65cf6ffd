#include "nn/mlp.h"

#include <cmath>

#include "nn/activations.h"
#include "nn/layers.h"

namespace phasor::nn {

namespace {

std::size_t numel(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

}  // namespace

std::size_t Mlp::parameter_count() const {
  std::size_t sum = 0;
  for (int n = 0; n < layer_count(); ++n) sum += numel(layer_width(n) + 1, layer_width(n + 1));
  return sum;
}

double Mlp::bytes(const std::vector<int>& widths, int rows) {
  double sum = 0;
  for (const int width : widths) sum += width;
  return 3 * sizeof(float) * sum * rows;
}

void Mlp::init_parameters(Generator& random, float* values) const {
  for (int n = 0; n < layer_count(); ++n) {
    const double bound = 1 / std::sqrt(static_cast<double>(layer_width(n)));
    for (std::size_t i = numel(layer_width(n) + 1, layer_width(n + 1)); i > 0; --i)
      *values++ = static_cast<float>(bound * (2 * random.uniform() - 1));
  }
}

MatrixRef Mlp::forward(const float* values, const ConstMatrixRef& x) {
  const std::size_t count = static_cast<std::size_t>(layer_count());
  slopes_.resize(count);
  activations_.resize(count);
  activation_gradients_.resize(count);
  x_ = x;
  ConstMatrixRef in = x;
  MatrixRef out;
  for (int n = 0; n < layer_count(); ++n) {
    const std::size_t layer = static_cast<std::size_t>(n);
    const int columns = layer_width(n + 1);
    for (Buffer* buffer : {&slopes_[layer], &activations_[layer], &activation_gradients_[layer]}) {
      if (buffer->size() < numel(x.rows, columns)) *buffer = Buffer(numel(x.rows, columns));
    }
    out = {slopes_[layer].data(), x.rows, columns, columns};
    const std::ptrdiff_t weight_count = static_cast<std::ptrdiff_t>(columns) * layer_width(n);
    linear(workspace_, in, {values, columns, layer_width(n), layer_width(n)}, values + weight_count,
           out);
    values += weight_count + columns;
    if (n + 1 == layer_count()) break;
    relu(slopes_[layer].data(), activations_[layer].data(), x.rows * columns);
    in = {activations_[layer].data(), x.rows, columns, columns};
  }
  return out;
}

void Mlp::backward(const float* values, float* grads) {
  const float* layer_values = values + parameter_count();
  float* layer_grads = grads + parameter_count();
  MatrixRef d_y{slopes_.back().data(), x_.rows, layer_width(layer_count()),
                layer_width(layer_count())};
  for (int n = layer_count(); n-- > 0;) {
    const std::size_t layer = static_cast<std::size_t>(n);
    const int columns = layer_width(n + 1), inner = layer_width(n);
    const std::ptrdiff_t layer_size = static_cast<std::ptrdiff_t>(columns) * (inner + 1);
    layer_values -= layer_size;
    layer_grads -= layer_size;
    const ConstMatrixRef x =
        n == 0 ? x_ : ConstMatrixRef{activations_[layer - 1].data(), x_.rows, inner, inner};
    const MatrixRef d_x =
        n == 0 ? MatrixRef{}
               : MatrixRef{activation_gradients_[layer - 1].data(), x_.rows, inner, inner};
    linear_backward(workspace_, x, {layer_values, columns, inner, inner}, d_y, d_x,
                    {layer_grads, columns, inner, inner}, layer_grads + layer_size - columns);
    if (n > 0) activation_backward(slopes_[layer - 1].data(), d_x.data, x_.rows * inner);
    d_y = d_x;
  }
}

}  // namespace phasor::nn
