// Transformer-XL's relative positions (Dai et al. 2019, arXiv 1901.02860): sinusoids of the
// distance, projected by a trained matrix, met by the query, and two trained vectors per head that
// meet content and position alone,
//   S_ij = ((q_i + u_h) . k_j + (q_i + v_h) . (W_r r_{i-j})_h) / sqrt(d_h),   r_m = [sin(m w) |
//   cos(m w)],  w_t = base^(-2t/D).
// The distance is i - j, counted through the memory: keys start earlier than queries. The paper is
// causal; a key on the right has a negative distance here, as in XLNet. Conformer and ESPnet
// interleave sines and cosines (`layout`). clamp_len > 0 lets distances stop there. The paper's
// rel_shift is a way to lay out memory (phasor::relative_shift); it is not needed here. W_r starts
// from N(0, 1/D), u and v from N(0, 0.02^2) as in the authors' code.

#include <algorithm>
#include <cmath>

#include "encoding/learned.h"
#include "encoding/registry_entry.h"
#include "kernels/gemm.h"
#include "kernels/rows.h"
#include "math/inverse_frequencies.h"
#include "relative/relative_positions.h"
#include "waves/sine_rows.h"

namespace phasor::encoding::transformer_xl {
namespace {

using kernels::gemm;
using kernels::matrix_bytes;
using kernels::packed_matrix_bytes;
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
      : t_(std::move(trained)),
        frequencies_(std::move(frequencies)),
        layout_(layout),
        clamp_len_(clamp_len) {}

  // The projected sinusoids of the distances 1 - length .. length - 1, which every text without a
  // gap asks for.
  Status prepare(int length) {
    const std::vector<int> shape = {2 * length - 1, t_.w_r.value.shape[0]};
    PHASOR_TRY(check_size("encoding", "its distances", shape));
    prepared_ = Tensor(shape);
    return recompute();
  }

  Status recompute() override {
    const ConstMatrixRef w_r = matrix(std::as_const(t_.w_r.value));
    PHASOR_TRY(check_room(
        "encoding", packed_matrix_bytes(w_r.rows, w_r.columns) + waves_bytes(prepared_.shape[0])));
    const PackedMatrix packed(Transpose::yes, w_r);
    const int first = -(prepared_.shape[0] - 1) / 2;
    each_strip(
        prepared_.shape[0], [&](int n) { return static_cast<double>(first + n); },
        [&](int start, ConstMatrixRef waves) {
          gemm(Transpose::no, 1, waves, packed, 0, rows_of(matrix(prepared_), start, waves.rows));
        });
    return {};
  }

  // Projected distances, as a matrix and packed, backward also what the loss asks of them and the
  // waves they come from; queries with v, their products with the distances, and keys, each also
  // transposed or packed.
  double working_bytes(const TileSizes& tile) const override {
    return 3 * packed_matrix_bytes(tile.distances, tile.width) + 2 * waves_bytes(tile.distances) +
           2 * packed_matrix_bytes(tile.queries, tile.distances) +
           packed_matrix_bytes(2 * tile.queries + tile.keys, tile.width) +
           2 * matrix_bytes(2, tile.distances + tile.keys);
  }

  std::vector<Parameter*> parameters() override { return {&t_.u, &t_.v, &t_.w_r}; }

  void add_content(const ContentTile& tile, MatrixRef scores) const override {
    const RelativePositions distances(tile.queries, tile.keys);
    const Tensor relative = relative_rows(tile.head, distances), moved = moved_queries(tile);
    // (rows, distances)
    const Tensor products =
        gemm(tile.scale, matrix(moved), PackedMatrix(Transpose::yes, matrix(relative)));
    // (1, keys)
    const Tensor alone =
        gemm(tile.scale, row_of(t_.u.value, tile.head), PackedMatrix(Transpose::yes, tile.k));
    for (int r = 0; r < scores.rows; ++r) {
      const float* from = matrix(products).row(r) + distances.index(r, 0);
      for (int c = 0; c < scores.columns; ++c)
        scores.row(r)[c] += from[c] + alone.data[static_cast<std::size_t>(c)];
    }
  }

  void content_backward(const ContentTile& tile, ConstMatrixRef, ConstMatrixRef d_scores,
                        MatrixRef d_q, MatrixRef d_k) override {
    const RelativePositions distances(tile.queries, tile.keys);
    const int rows = d_scores.rows, width = tile.q.columns;
    const Tensor relative = relative_rows(tile.head, distances), moved = moved_queries(tile);
    Tensor d_products({rows, distances.count()});
    for (int r = 0; r < rows; ++r) {
      float* row = matrix(d_products).row(r);
      for (int c = 0; c < d_scores.columns; ++c)
        row[distances.index(r, c)] += tile.scale * d_scores.row(r)[c];
    }
    // (q + v) . R: to the query and v, and to W_r through the sinusoids.
    Tensor d_relative({distances.count(), width});
    gemm(Transpose::no, Transpose::no, 1, matrix(d_products), matrix(relative), 1, d_q);
    gemm(Transpose::no, Transpose::no, 1, matrix(column_sums(matrix(d_products))), matrix(relative),
         1, row_of(t_.v.gradient(), tile.head));
    gemm(Transpose::yes, Transpose::no, 1, matrix(d_products), matrix(moved), 0,
         matrix(d_relative));
    const MatrixRef d_w_r = rows_of(matrix(t_.w_r.gradient()), tile.head * width, width);
    each_strip(
        distances.count(), [&](int n) { return -distances.value(n); },
        [&](int start, ConstMatrixRef waves) {
          gemm(Transpose::yes, Transpose::no, 1,
               rows_of(matrix(std::as_const(d_relative)), start, waves.rows), waves, 1, d_w_r);
        });
    // u . k: to u and to the keys.
    const Tensor sums = column_sums(d_scores);
    gemm(Transpose::no, Transpose::no, tile.scale, matrix(sums), tile.k, 1,
         row_of(t_.u.gradient(), tile.head));
    gemm(Transpose::yes, Transpose::no, tile.scale, matrix(sums), row_of(t_.u.value, tile.head), 1,
         d_k);
  }

 private:
  // (1, columns)
  static Tensor column_sums(ConstMatrixRef m) {
    Tensor sums({1, m.columns});
    for (int r = 0; r < m.rows; ++r) kernels::add_row(sums.data.data(), m.row(r), m.columns);
    return sums;
  }

  // Waves of so many distances at a time, because D may be much wider than a head.
  static constexpr int kStrip = 64;

  int channels() const { return t_.w_r.value.shape[1]; }  // D
  // A strip of waves, as a matrix and packed, and where sines come from.
  double waves_bytes(int distances) const {
    return 2 * packed_matrix_bytes(std::min(distances, kStrip), channels()) +
           SineRows::kBytesOfFrequency * channels() / 2;
  }

  // Calls f(first, waves) for all `count` distances i - j, number n of which is distance(n). waves
  // (some distances, D)
  template <class Distance, class F>
  void each_strip(int count, Distance distance, F&& f) const {
    SineRows sines(frequencies_);
    Tensor waves({std::min(count, kStrip), channels()});
    for (int first = 0; first < count; first += kStrip) {
      const MatrixRef part = rows_of(matrix(waves), 0, std::min(kStrip, count - first));
      for (int n = 0; n < part.rows; ++n) wave(sines, distance(first + n), row_span(part, n));
      f(first, part);
    }
  }

  // The sinusoid of one distance i - j. out (D)
  void wave(SineRows& sines, double distance, std::span<float> out) const {
    const double m = clamp_len_ > 0 ? std::clamp(distance, -clamp_len_, clamp_len_) : distance;
    sines.write(
        m, 1, layout_ == Layout::concatenated ? WaveLayout::concatenated : WaveLayout::interleaved,
        0, sines.count(), out);
  }

  // W_r r_{i-j} of one head for each distance j - i. (distances, width)
  Tensor relative_rows(int head, const RelativePositions& distances) const {
    const int width = t_.u.value.shape[1], last = (prepared_.shape[0] - 1) / 2;
    Tensor rows({distances.count(), width});
    std::vector<float> r(static_cast<std::size_t>(t_.w_r.value.shape[1]));
    SineRows sines(frequencies_);
    for (int n = 0; n < distances.count(); ++n) {
      const double back = -distances.value(n);
      float* out = matrix(rows).row(n);
      if (std::fabs(back) <= last && back == std::floor(back)) {
        std::copy_n(matrix(prepared_).row(static_cast<int>(back) + last) + head * width, width,
                    out);
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

  static MatrixRef row_of(Tensor& t, int row) {
    return {matrix(t).row(row), 1, t.shape[1], t.shape[1]};
  }
  static ConstMatrixRef row_of(const Tensor& t, int row) {
    return {matrix(t).row(row), 1, t.shape[1], t.shape[1]};
  }

  Weights t_;
  std::vector<double> frequencies_;
  Layout layout_;
  double clamp_len_;
  Tensor prepared_;  // (2 length - 1, heads * width)
};

Made create(const Values& values, const Geometry& geometry) {
  PHASOR_TRY(check_size("u", "an array", {geometry.heads, geometry.width}));
  const int all = geometry.heads * geometry.width;
  int width = all + all % 2;  // D: the model width, to the next even number
  if (const Tensor* given = values.tensor("w_r"); given != nullptr && given->rank() == 2) {
    width = given->shape[1];
    if (width % 2 != 0)
      return invalid("w_r: its rows have {} numbers; sines and cosines come in pairs", width);
  }
  Weights t;
  const std::vector<int> per_head = {geometry.heads, geometry.width};
  PHASOR_TRY(given_or_gaussian(values, "u", "heads x width", per_head, 0.02, 0, t.u.value));
  PHASOR_TRY(given_or_gaussian(values, "v", "heads x width", per_head, 0.02, 1, t.v.value));
  PHASOR_TRY(given_or_gaussian(values, "w_r", "heads times width x D", {all, width},
                               1 / std::sqrt(static_cast<double>(width)), 2, t.w_r.value));
  auto made = std::make_unique<TransformerXl>(
      std::move(t), inverse_frequencies(width / 2, width, values.real("base")),
      values.choice<Layout>("layout"), values.integer("clamp_len"));
  PHASOR_TRY(made->prepare(geometry.length));
  return Made(std::move(made));
}

constexpr ParamSpec kParams[] = {
    ParamSpec::log_real("base", 10000, 1.001, 1e9, "",
                        "How slow the slowest wave is: its frequency is near 1 / base"),
    ParamSpec::choice(
        "layout", "concatenated, interleaved",
        "All sines come first (paper, XLNet), or sine and cosine alternate (Conformer)"),
    ParamSpec::integer("clamp_len", 0, 0, 1048576, "tokens",
                       "Distance from which on all are the same; 0: none"),
    ParamSpec::tensor("u", "heads x width", "Trained vector that meets keys in place of the query"),
    ParamSpec::tensor("v", "heads x width",
                      "Trained vector that meets distances in place of the query"),
    ParamSpec::tensor("w_r", "heads times width x D",
                      "Trained projection of the sinusoids of D channels"),
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
