// Transformer-XL's relative positions (Dai et al. 2019, arXiv 1901.02860): sinusoids of the
// distance, projected by a trained matrix, and two trained vectors per head for content and
// position,
//   S_ij = ((q_i + u_h) . k_j + (q_i + v_h) . (W_r r_{i-j})_h) / sqrt(d_h),
//   r_m = [sin(m w) | cos(m w)],  w_t = base^(-2t/D).
// The distance is i - j; keys in memory precede all queries. The paper is causal; a key on the
// right has a negative distance here, as in XLNet. Conformer and ESPnet interleave sines and
// cosines (`layout`). clamp_len > 0 clamps distances. The paper's rel_shift is a memory layout
// (phasor::relative_shift) that is not needed here. Initially W_r is N(0, 1/D), and u and v are
// N(0, 0.02^2) as in the authors' code.

#include <algorithm>
#include <cmath>

#include "encoding_base/parameter_init.h"
#include "encoding_base/parts/projected_sinusoids.h"
#include "encoding_base/registry_entry.h"
#include "kernels/gemm.h"
#include "kernels/vector_ops.h"
#include "relative_position/relative_positions.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor::encoding::transformer_xl {
namespace {

using kernels::gemm;
using kernels::matrix_bytes;
using kernels::packed_matrix_bytes;
using kernels::PackedMatrix;
using kernels::Transpose;

enum class Layout { concatenated, interleaved };

struct Weights {
  Parameter u{"u"}, v{"v"};  // (heads, dim)
  Parameter w_r{"w_r"};      // (heads * dim, D)
};

class TransformerXl final : public ContentEncoding {
 public:
  TransformerXl(Weights weights, ProjectedSinusoids sinusoids)
      : weights_(std::move(weights)), sinusoids_(std::move(sinusoids)) {}

  Status prepare(int length) { return sinusoids_.prepare(weights_.w_r.value, length); }
  Status recompute() override { return sinusoids_.recompute(weights_.w_r.value); }

  // Counts projected sinusoids, shifted queries, their products, and keys, each with gradients and
  // packed or transposed copies.
  double working_bytes(const TileSizes& tile) const override {
    return sinusoids_.working_bytes(tile.distances) +
           3 * packed_matrix_bytes(tile.distances, tile.head_dim) +
           2 * packed_matrix_bytes(tile.queries, tile.distances) +
           packed_matrix_bytes(2 * tile.queries + tile.keys, tile.head_dim) +
           2 * matrix_bytes(2, tile.distances + tile.keys);
  }

  std::vector<Parameter*> parameters() override {
    return {&weights_.u, &weights_.v, &weights_.w_r};
  }

  void add_content(const ContentTile& tile, MatrixRef scores) const override {
    const RelativePositions distances(tile.queries, tile.keys);
    const ProjectedSinusoids::HeadRows distance_rows = project_rows(tile, distances);
    const Tensor q_plus_v = shift_queries(tile);
    const Tensor products =
        gemm(tile.scale, matrix(q_plus_v), PackedMatrix(Transpose::yes, distance_rows.rows));
    const float* u = row_matrix(weights_.u.value, tile.head).data;
    std::vector<float> key_terms(static_cast<std::size_t>(scores.columns));
    for (int c = 0; c < scores.columns; ++c)
      key_terms[static_cast<std::size_t>(c)] =
          tile.scale * kernels::dot(u, tile.k.row(c), tile.k.columns);
    for (int r = 0; r < scores.rows; ++r) {
      kernels::add_row(scores.row(r), matrix(products).row(r) + distances.index(r, 0),
                       scores.columns);
      kernels::add_row(scores.row(r), key_terms.data(), scores.columns);
    }
  }

  void content_backward(const ContentTile& tile, ConstMatrixRef, ConstMatrixRef d_scores,
                        MatrixRef d_q, MatrixRef d_k) override {
    const RelativePositions distances(tile.queries, tile.keys);
    // Gradient of (q + v) . R. It is nonzero only for distances in [grad_begin, grad_end), because
    // a causal mask removes half of the distances of a diagonal tile.
    Tensor d_products({d_scores.rows, distances.count()});
    int grad_begin = distances.count(), grad_end = 0;
    for (int r = 0; r < d_scores.rows; ++r) {
      const float* from = d_scores.row(r);
      int begin = 0, end = d_scores.columns;
      while (begin < end && from[begin] == 0) ++begin;
      while (begin < end && from[end - 1] == 0) --end;
      if (begin == end) continue;
      const int index = distances.index(r, begin);
      kernels::add_scaled(matrix(d_products).row(r) + index, tile.scale, from + begin, end - begin);
      grad_begin = std::min(grad_begin, index);
      grad_end = std::max(grad_end, index + end - begin);
    }
    if (grad_begin >= grad_end) return;
    const ConstMatrixRef grads = kernels::columns_of(ConstMatrixRef(matrix(d_products)), grad_begin,
                                                     grad_end - grad_begin);  // (rows, distances)
    const ProjectedSinusoids::HeadRows distance_rows = project_rows(tile, distances);
    const int dim = tile.q.columns;
    // The gradient of q + v is added to the gradients of both q and v.
    Tensor d_q_plus_v({d_scores.rows, dim});
    kernels::accumulate_in_chunks(
        grads, PackedMatrix(Transpose::no, rows_of(distance_rows.rows, grad_begin, grads.columns)),
        matrix(d_q_plus_v));
    float* d_v = matrix(weights_.v.gradient()).row(tile.head);
    for (int r = 0; r < d_scores.rows; ++r) {
      kernels::add_row(d_q.row(r), matrix(d_q_plus_v).row(r), dim);
      kernels::add_row(d_v, matrix(d_q_plus_v).row(r), dim);
    }
    sinusoids_.backward(distance_rows, tile.head, distances, grad_begin, grads,
                        matrix(shift_queries(tile)), matrix(weights_.w_r.gradient()));

    // u . k contributes to the gradients of u and of the keys.
    const float* u = row_matrix(weights_.u.value, tile.head).data;
    float* d_u = matrix(weights_.u.gradient()).row(tile.head);
    std::vector<float> sums(static_cast<std::size_t>(d_scores.columns));
    for (int r = 0; r < d_scores.rows; ++r)
      kernels::add_row(sums.data(), d_scores.row(r), d_scores.columns);
    for (int c = 0; c < tile.k.rows; ++c) {
      const float d_product = tile.scale * sums[static_cast<std::size_t>(c)];
      kernels::add_scaled(d_u, d_product, tile.k.row(c), dim);
      kernels::add_scaled(d_k.row(c), d_product, u, dim);
    }
  }

  void finish_backward() override { sinusoids_.finish_backward(matrix(weights_.w_r.gradient())); }

 private:
  ProjectedSinusoids::HeadRows project_rows(const ContentTile& tile,
                                            const RelativePositions& distances) const {
    return sinusoids_.project_head(weights_.w_r.value, tile.head, weights_.u.value.shape[1],
                                   distances);
  }

  Tensor shift_queries(const ContentTile& tile) const {
    Tensor q_plus_v({tile.q.rows, tile.q.columns});
    for (int r = 0; r < q_plus_v.shape[0]; ++r) {
      kernels::add_row(matrix(q_plus_v).row(r), tile.q.row(r), tile.q.columns);
      kernels::add_row(matrix(q_plus_v).row(r), row_matrix(weights_.v.value, tile.head).data,
                       tile.q.columns);
    }
    return q_plus_v;
  }

  static ConstMatrixRef row_matrix(const Tensor& t, int row) {
    return {matrix(t).row(row), 1, t.shape[1], t.shape[1]};
  }

  Weights weights_;
  ProjectedSinusoids sinusoids_;
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  PHASOR_TRY(check_size("u", "an array", {dims.heads, dims.dim}));
  const int rows = dims.heads * dims.dim;
  int dim = rows + rows % 2;  // D: embed_dim rounded up to an even number
  if (const Tensor* provided_w_r = values.tensor("w_r");
      provided_w_r != nullptr && provided_w_r->rank() == 2) {
    dim = provided_w_r->shape[1];
    if (dim % 2 != 0) return invalid("w_r: has {} columns; expected an even number", dim);
  }
  Weights weights;
  const std::vector<int> head_shape = {dims.heads, dims.dim};
  PHASOR_TRY(init_normal_param(values, "u", "heads x dim", head_shape, 0.02, 0, weights.u.value));
  PHASOR_TRY(init_normal_param(values, "v", "heads x dim", head_shape, 0.02, 1, weights.v.value));
  PHASOR_TRY(init_normal_param(values, "w_r", "(heads times dim) x D", {rows, dim},
                               1 / std::sqrt(static_cast<double>(dim)), 2, weights.w_r.value));
  auto encoding = std::make_unique<TransformerXl>(
      std::move(weights), ProjectedSinusoids(inverse_frequencies(dim / 2, dim, values.real("base")),
                                             values.choice<Layout>("layout") == Layout::concatenated
                                                 ? SinusoidLayout::concatenated
                                                 : SinusoidLayout::interleaved,
                                             values.integer("clamp_len")));
  PHASOR_TRY(encoding->prepare(dims.length));
  return EncodingResult(std::move(encoding));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::log_real("base", 10000, 1.001, 1e9, "",
                        "Sets the lowest frequency, which is near 1 / base"),
    ParamInfo::choice(
        "layout", "concatenated, interleaved",
        "All sines come first (paper, XLNet), or sine and cosine alternate (Conformer)"),
    ParamInfo::integer("clamp_len", 0, 0, 1048576, "tokens",
                       "Distances are clamped to this; 0: no clamping"),
    ParamInfo::tensor("u", "heads x dim",
                      "Trained vector added to queries in the product with keys"),
    ParamInfo::tensor("v", "heads x dim",
                      "Trained vector added to queries in the product with projected sinusoids"),
    ParamInfo::tensor("w_r", "(heads times dim) x D",
                      "Trained projection of the sinusoids, which have D channels"),
    seed_param(),
};

}  // namespace

PHASOR_ENCODING(transformer_xl) = {
    .id = "transformer_xl",
    .injection = TransformerXl::kInjection,
    .learned = true,
    .relative = true,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::transformer_xl
