#include "encoding_base/parts/pair_network.h"

#include <algorithm>
#include <numeric>

#include "kernels/gemm.h"
#include "kernels/vector_ops.h"

namespace phasor {

namespace {

using kernels::columns_of;
using kernels::gemm;
using kernels::matrix_bytes;
using kernels::packed_matrix_bytes;
using kernels::Transpose;

constexpr int kPairsPerBlock = 1024;

MatrixRef reshape_units(Tensor& units, int count) {
  return {units.data.data(), units.shape[0], count, count};
}

template <class F>
void for_each_block(int pairs, F&& f) {
  for (int first = 0; first < pairs; first += kPairsPerBlock)
    f(first, std::min(kPairsPerBlock, pairs - first));
}

// Adds the row sums of d to the gradient. The sums are computed in double, because the terms of
// b2's gradient nearly cancel: softmax is invariant to a constant.
void add_row_sums(const ConstMatrixRef& d, Parameter& parameter) {
  for (int r = 0; r < d.rows; ++r) {
    const double sum = std::accumulate(d.row(r), d.row(r) + d.columns, 0.0);
    parameter.gradient().data[static_cast<std::size_t>(r)] += static_cast<float>(sum);
  }
}

}  // namespace

// Includes hidden units, their gradients and packed matrices.
double PairNetwork::working_bytes() const {
  return 2 * matrix_bytes(units(), kPairsPerBlock) +
         packed_matrix_bytes(kPairsPerBlock, units() + 2 * heads());
}

void PairNetwork::activate(const ConstMatrixRef& products, const ConstMatrixRef& biases,
                           const MatrixRef& units) const {
  const ConstMatrixRef w = matrix(w1.value);
  gemm(Transpose::no, Transpose::no, 1, columns_of(w, 0, heads()), products, 0, units);
  gemm(Transpose::no, Transpose::no, 1, columns_of(w, heads(), heads()), biases, 1, units);
  for (int u = 0; u < units.rows; ++u) {
    float* row = units.row(u);
    const float bias = b1.value.data[static_cast<std::size_t>(u)];
    for (int c = 0; c < units.columns; ++c) {
      const float x = row[c] + bias;
      row[c] = x < 0 ? negative_slope * x : x;
    }
  }
}

void PairNetwork::add_output(const ConstMatrixRef& products, const MatrixRef& terms) const {
  Tensor hidden_units({units(), kPairsPerBlock});
  for_each_block(terms.columns, [&](int first, int count) {
    const MatrixRef units = reshape_units(hidden_units, count),
                    out = columns_of(terms, first, count);
    activate(columns_of(products, first, count), out, units);
    gemm(Transpose::no, Transpose::no, 1, matrix(w2.value), units, 1, out);
    for (int h = 0; h < out.rows; ++h)
      kernels::add_constant(out.row(h), b2.value.data[static_cast<std::size_t>(h)], count);
  });
}

void PairNetwork::backward(const ConstMatrixRef& all_products, const ConstMatrixRef& all_biases,
                           const ConstMatrixRef& d_terms, const MatrixRef& d_products,
                           const MatrixRef& d_biases) {
  const ConstMatrixRef first_layer = matrix(std::as_const(w1.value)),
                       second_layer = matrix(std::as_const(w2.value));
  const MatrixRef d_w1 = matrix(w1.gradient());
  Tensor hidden_units({units(), kPairsPerBlock}), d_hidden_units(hidden_units.shape);
  for_each_block(d_terms.columns, [&](int first, int count) {
    const ConstMatrixRef products = columns_of(all_products, first, count),
                         biases = columns_of(all_biases, first, count),
                         d = columns_of(d_terms, first, count);
    const MatrixRef units = reshape_units(hidden_units, count),
                    d_units = reshape_units(d_hidden_units, count);
    activate(products, biases, units);
    gemm(Transpose::no, Transpose::yes, 1, d, units, 1, matrix(w2.gradient()));
    add_row_sums(d, b2);
    gemm(Transpose::yes, Transpose::no, 1, second_layer, d, 0, d_units);
    // LeakyReLU preserves signs, so its input is negative where its output is.
    for (int u = 0; u < units.rows; ++u) {
      for (int c = 0; c < count; ++c)
        if (units.row(u)[c] < 0) d_units.row(u)[c] *= negative_slope;
    }
    add_row_sums(d_units, b1);
    gemm(Transpose::no, Transpose::yes, 1, d_units, products, 1, columns_of(d_w1, 0, heads()));
    gemm(Transpose::no, Transpose::yes, 1, d_units, biases, 1, columns_of(d_w1, heads(), heads()));
    gemm(Transpose::yes, Transpose::no, 1, columns_of(first_layer, 0, heads()), d_units, 1,
         columns_of(d_products, first, count));
    gemm(Transpose::yes, Transpose::no, 1, columns_of(first_layer, heads(), heads()), d_units, 0,
         columns_of(d_biases, first, count));
  });
}

}  // namespace phasor
