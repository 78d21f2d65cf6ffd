// Transformer-XL's relative positions (Dai et al. 2019, arXiv 1901.02860): sinusoids of the distance, projected by a trained
// matrix, met by the query, and two trained vectors per head that meet content and position alone,
//   S_ij = ((q_i + u_h) . k_j + (q_i + v_h) . (W_r r_{i-j})_h) / sqrt(d_h),   r_m = [sin(m w) | cos(m w)],  w_t = base^(-2t/D).
// The distance is i - j, counted through the memory: keys start earlier than queries. The paper is causal; a key on the right has
// a negative distance here, as in XLNet. Conformer and ESPnet interleave sines and cosines (`layout`). clamp_len > 0 lets
// distances stop there. The paper's rel_shift is a way to lay out memory (phasor::relative_shift); it is not needed here. W_r starts
// from N(0, 1/D), u and v from N(0, 0.02^2) as in the authors' code.

#include <algorithm>
#include <cmath>

#include "encoding/encoding_type.h"
#include "encoding/learned.h"
#include "kernels/gemm.h"
#include "kernels/relative_positions.h"
#include "kernels/rows.h"
#include "kernels/sine_rows.h"
#include "math/frequencies.h"

namespace phasor {
namespace {

using kernels::gemm;
using kernels::PackedMatrix;
using kernels::Transpose;

enum class Layout { concatenated, interleaved };

struct Weights {
  Parameter u{"u"}, v{"v"};  // (heads, width)
  Parameter w_r{"w_r"};      // (heads * width, D)
};

class TransformerXl final : public ContentEncoding {
 public:
  TransformerXl(Weights trained, std::vector<double> frequencies, Layout layout, double clamp_len)
      : t_(std::move(trained)), frequencies_(std::move(frequencies)), layout_(layout), clamp_len_(clamp_len) {}

  // The projected sinusoids of the distances 1 - length .. length - 1, which every text without a gap asks for.
  Status prepare(int length) {
    const std::vector<int> shape = {2 * length - 1, t_.w_r.value.shape[0]};
    PHASOR_TRY(check_size("encoding", "its distances", shape));
    prepared_ = Tensor(shape);
    parameters_changed();
    return {};
  }

  void parameters_changed() override {
    const int length = (prepared_.shape[0] + 1) / 2;
    Tensor waves({prepared_.shape[0], t_.w_r.value.shape[1]});
    kernels::SineRows sines(frequencies_);
    for (int n = 0; n < prepared_.shape[0]; ++n) wave(sines, n - (length - 1), kernels::row_of(matrix(waves), n));
    prepared_ = gemm(1, matrix(waves), PackedMatrix(Transpose::yes, matrix(t_.w_r.value)));
  }

  std::vector<Parameter*> parameters() override { return {&t_.u, &t_.v, &t_.w_r}; }

  void add_content(const ContentTile& tile, MatrixRef scores) const override {
    const kernels::RelativePositions distances(tile.queries, tile.keys);
    const Tensor relative = relative_rows(tile.head, distances), moved = moved_queries(tile);
    const Tensor products = gemm(tile.scale, matrix(moved), PackedMatrix(Transpose::yes, matrix(relative)));     // (rows, distances)
    const Tensor alone = gemm(tile.scale, row_of(t_.u.value, tile.head), PackedMatrix(Transpose::yes, tile.k));  // (1, keys)
    for (int r = 0; r < scores.rows; ++r) {
      const float* from = matrix(products).row(r) + distances.index(r, 0);
      for (int c = 0; c < scores.columns; ++c) scores.row(r)[c] += from[c] + alone.data[static_cast<std::size_t>(c)];
    }
  }

  void content_backward(const ContentTile& tile, ConstMatrixRef, ConstMatrixRef d_scores, MatrixRef d_q, MatrixRef d_k) override {
    const kernels::RelativePositions distances(tile.queries, tile.keys);
    const int rows = d_scores.rows, width = tile.q.columns;
    const Tensor relative = relative_rows(tile.head, distances), moved = moved_queries(tile);
    Tensor d_products({rows, distances.count()});
    for (int r = 0; r < rows; ++r) {
      float* row = matrix(d_products).row(r);
      for (int c = 0; c < d_scores.columns; ++c) row[distances.index(r, c)] += tile.scale * d_scores.row(r)[c];
    }
    // (q + v) . R: to the query and v, and to W_r through the sinusoids.
    Tensor d_relative({distances.count(), width}), waves({distances.count(), t_.w_r.value.shape[1]});
    gemm(Transpose::no, Transpose::no, 1, matrix(d_products), matrix(relative), 1, d_q);
    gemm(Transpose::no, Transpose::no, 1, matrix(column_sums(matrix(d_products))), matrix(relative), 1, row_of(t_.v.gradient(), tile.head));
    gemm(Transpose::yes, Transpose::no, 1, matrix(d_products), matrix(moved), 0, matrix(d_relative));
    kernels::SineRows sines(frequencies_);
    for (int n = 0; n < distances.count(); ++n) wave(sines, -distances.value(n), kernels::row_of(matrix(waves), n));
    const MatrixRef d_w_r = rows_of(matrix(t_.w_r.gradient()), tile.head * width, width);
    gemm(Transpose::yes, Transpose::no, 1, matrix(d_relative), matrix(waves), 1, d_w_r);
    // u . k: to u and to the keys.
    const Tensor sums = column_sums(d_scores);
    gemm(Transpose::no, Transpose::no, tile.scale, matrix(sums), tile.k, 1, row_of(t_.u.gradient(), tile.head));
    gemm(Transpose::yes, Transpose::no, tile.scale, matrix(sums), row_of(t_.u.value, tile.head), 1, d_k);
  }

 private:
  // (1, columns)
  static Tensor column_sums(ConstMatrixRef m) {
    Tensor sums({1, m.columns});
    for (int r = 0; r < m.rows; ++r) kernels::add_row(sums.data.data(), m.row(r), m.columns);
    return sums;
  }

  // The sinusoid of one distance i - j. out (D)
  void wave(kernels::SineRows& sines, double distance, std::span<float> out) const {
    const double m = clamp_len_ > 0 ? std::clamp(distance, -clamp_len_, clamp_len_) : distance;
    sines.write(m, 1, layout_ == Layout::concatenated ? WaveLayout::concatenated : WaveLayout::interleaved, out);
  }

  // W_r r_{i-j} of one head for each distance j - i. (distances, width)
  Tensor relative_rows(int head, const kernels::RelativePositions& distances) const {
    const int width = t_.u.value.shape[1], last = (prepared_.shape[0] - 1) / 2;
    Tensor rows({distances.count(), width});
    std::vector<float> r(static_cast<std::size_t>(t_.w_r.value.shape[1]));
    kernels::SineRows sines(frequencies_);
    for (int n = 0; n < distances.count(); ++n) {
      const double back = -distances.value(n);
      float* out = matrix(rows).row(n);
      if (std::fabs(back) <= last && back == std::floor(back)) {
        std::copy_n(matrix(prepared_).row(static_cast<int>(back) + last) + head * width, width, out);
        continue;
      }
      wave(sines, back, r);
      for (int c = 0; c < width; ++c) {
        const float* weights = matrix(t_.w_r.value).row(head * width + c);
        for (std::size_t x = 0; x < r.size(); ++x) out[c] += weights[x] * r[x];
      }
    }
    return rows;
  }

  // q + v. (rows, width)
  Tensor moved_queries(const ContentTile& tile) const {
    Tensor moved({tile.q.rows, tile.q.columns});
    for (int r = 0; r < moved.shape[0]; ++r) {
      kernels::add_row(matrix(moved).row(r), tile.q.row(r), tile.q.columns);
      kernels::add_row(matrix(moved).row(r), row_of(t_.v.value, tile.head).data, tile.q.columns);
    }
    return moved;
  }

  static MatrixRef row_of(Tensor& t, int row) { return {matrix(t).row(row), 1, t.shape[1], t.shape[1]}; }
  static ConstMatrixRef row_of(const Tensor& t, int row) { return {matrix(t).row(row), 1, t.shape[1], t.shape[1]}; }

  Weights t_;
  std::vector<double> frequencies_;
  Layout layout_;
  double clamp_len_;
  Tensor prepared_;  // (2 length - 1, heads * width)
};

Status create(const Values& values, const Geometry& geometry, std::unique_ptr<Encoding>& out) {
  PHASOR_TRY(check_size("u", "an array", {geometry.heads, geometry.width}));
  const int all = geometry.heads * geometry.width;
  int width = all + all % 2;  // D: the model width, to the next even number
  if (const Tensor* given = values.tensor("w_r"); given != nullptr && given->rank() == 2) {
    width = given->shape[1];
    if (width % 2 != 0) return invalid("w_r: its rows have {} numbers; sines and cosines come in pairs", width);
  }
  Weights t;
  const std::vector<int> per_head = {geometry.heads, geometry.width};
  PHASOR_TRY(given_or_gaussian(values, "u", "heads x width", per_head, 0.02, 0, t.u.value));
  PHASOR_TRY(given_or_gaussian(values, "v", "heads x width", per_head, 0.02, 1, t.v.value));
  PHASOR_TRY(
      given_or_gaussian(values, "w_r", "heads times width x D", {all, width}, 1 / std::sqrt(static_cast<double>(width)), 2, t.w_r.value));
  auto made = std::make_unique<TransformerXl>(std::move(t), inverse_frequencies(width / 2, width, values.real("base")),
                                              values.choice<Layout>("layout"), values.integer("clamp_len"));
  PHASOR_TRY(made->prepare(geometry.length));
  out = std::move(made);
  return {};
}

constexpr ParamSpec kParams[] = {
    ParamSpec::log_real("base", 10000, 1.001, 1e9, "", "How slow the slowest wave is: its frequency is near 1 / base"),
    ParamSpec::choice("layout", "concatenated, interleaved",
                      "All sines come first (paper, XLNet), or sine and cosine alternate (Conformer)"),
    ParamSpec::integer("clamp_len", 0, 0, 1048576, "tokens", "Distance from which on all are the same; 0: none"),
    ParamSpec::tensor("u", "heads x width", "Trained vector that meets keys in place of the query"),
    ParamSpec::tensor("v", "heads x width", "Trained vector that meets distances in place of the query"),
    ParamSpec::tensor("w_r", "heads times width x D", "Trained projection of the sinusoids of D channels"),
    seed_param(),
};

}  // namespace

PHASOR_ENCODING(transformer_xl) = {
    .id = "transformer_xl",
    .injection = TransformerXl::kInjection,
    .learned = true,
    .relative = true,
    .prefix_stable = true,
    .packed_params = pack<kParams>,
    .create = create,
};

}  // namespace phasor
