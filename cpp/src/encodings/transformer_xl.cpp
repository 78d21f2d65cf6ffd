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
#include <limits>

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
  // gap asks for, next to each other.
  Status prepare(int length) {
    const std::vector<int> shape = {2 * length - 1, t_.w_r.value.shape[0]};
    PHASOR_TRY(check_size("encoding", "its distances", shape));
    prepared_ = Tensor(shape);
    return recompute();
  }

  Status recompute() override {
    const ConstMatrixRef w_r = matrix(std::as_const(t_.w_r.value));
    PHASOR_TRY(check_room(
        "encoding", packed_matrix_bytes(w_r.rows, w_r.columns) + waves_bytes(prepared_.shape[0]) +
                        sizeof(double) * static_cast<double>(prepared_.shape[0])));
    const PackedMatrix packed(Transpose::yes, w_r);
    each_strip(
        distances_from(furthest(), prepared_.shape[0]), [&](int start, ConstMatrixRef waves) {
          gemm(Transpose::no, 1, waves, packed, 0, rows_of(matrix(prepared_), start, waves.rows));
        });
    return {};
  }

  // Projected distances, as a matrix and packed, backward also what the loss asks of them and the
  // waves they come from; queries with v, their products with the distances, and keys, each also
  // transposed or packed. What is gathered backward stays for the next pass.
  double working_bytes(const TileSizes& tile) const override {
    const double all = t_.w_r.value.shape[0];
    return 3 * packed_matrix_bytes(tile.distances, tile.width) + 2 * waves_bytes(tile.distances) +
           2 * packed_matrix_bytes(tile.queries, tile.distances) +
           packed_matrix_bytes(2 * tile.queries + tile.keys, tile.width) +
           sizeof(double) * std::max<double>(tile.distances, prepared_.shape[0]) +
           2 * matrix_bytes(2, tile.distances + tile.keys) + matrix_bytes(kStrip, all) +
           (gathered_.empty() ? matrix_bytes(prepared_.shape[0], all) : 0);
  }

  std::vector<Parameter*> parameters() override { return {&t_.u, &t_.v, &t_.w_r}; }

  void add_content(const ContentTile& tile, MatrixRef scores) const override {
    const RelativePositions distances(tile.queries, tile.keys);
    const Relative relative = relative_rows(tile.head, distances);
    const Tensor moved = moved_queries(tile);
    // (rows, distances)
    const Tensor products =
        gemm(tile.scale, matrix(moved), PackedMatrix(Transpose::yes, relative.rows));
    const float* u = row_of(t_.u.value, tile.head).data;
    std::vector<float> alone(static_cast<std::size_t>(scores.columns));
    for (int c = 0; c < scores.columns; ++c)
      alone[static_cast<std::size_t>(c)] =
          tile.scale * kernels::dot(u, tile.k.row(c), tile.k.columns);
    for (int r = 0; r < scores.rows; ++r) {
      kernels::add_row(scores.row(r), matrix(products).row(r) + distances.index(r, 0),
                       scores.columns);
      kernels::add_row(scores.row(r), alone.data(), scores.columns);
    }
  }

  void content_backward(const ContentTile& tile, ConstMatrixRef, ConstMatrixRef d_scores,
                        MatrixRef d_q, MatrixRef d_k) override {
    const RelativePositions distances(tile.queries, tile.keys);
    // What the loss asks of (q + v) . R, and the distances it asks anything of: under a causal
    // mask half of those of a tile on the diagonal.
    Tensor d_products({d_scores.rows, distances.count()});
    int first = distances.count(), last = 0;
    for (int r = 0; r < d_scores.rows; ++r) {
      const float* from = d_scores.row(r);
      int begin = 0, end = d_scores.columns;
      while (begin < end && from[begin] == 0) ++begin;
      while (begin < end && from[end - 1] == 0) --end;
      if (begin == end) continue;
      const int at = distances.index(r, begin);
      kernels::add_scaled(matrix(d_products).row(r) + at, tile.scale, from + begin, end - begin);
      first = std::min(first, at);
      last = std::max(last, at + end - begin);
    }
    if (first >= last) return;
    const ConstMatrixRef asked = kernels::columns_of(ConstMatrixRef(matrix(d_products)), first,
                                                     last - first);  // (rows, distances)
    const Relative relative = relative_rows(tile.head, distances);
    const int width = tile.q.columns, column = tile.head * width;
    // To the query, and to v, which stands beside each.
    Tensor d_moved({d_scores.rows, width});
    kernels::accumulate_in_stretches(
        asked, PackedMatrix(Transpose::no, rows_of(relative.rows, first, asked.columns)),
        matrix(d_moved));
    float* d_v = matrix(t_.v.gradient()).row(tile.head);
    for (int r = 0; r < d_scores.rows; ++r) {
      kernels::add_row(d_q.row(r), matrix(d_moved).row(r), width);
      kernels::add_row(d_v, matrix(d_moved).row(r), width);
    }
    // To W_r: what is prepared is gathered, the rest goes there at once.
    Tensor own;
    MatrixRef d_relative;  // (distances, width)
    if (relative.first >= 0) {
      if (gathered_.empty()) gathered_ = Tensor(prepared_.shape);
      const int row = relative.first + first;
      asked_first_ = std::min(asked_first_, row);
      asked_last_ = std::max(asked_last_, row + asked.columns);
      d_relative =
          kernels::columns_of(rows_of(matrix(gathered_), row, asked.columns), column, width);
    } else {
      own = Tensor({asked.columns, width});
      d_relative = matrix(own);
    }
    gemm(Transpose::yes, Transpose::no, 1, asked, matrix(moved_queries(tile)), 1, d_relative);
    if (relative.first < 0) {
      std::vector<double> backs(static_cast<std::size_t>(asked.columns));
      for (int n = 0; n < asked.columns; ++n)
        backs[static_cast<std::size_t>(n)] = -distances.value(first + n);
      waves_backward(backs, d_relative, rows_of(matrix(t_.w_r.gradient()), column, width));
    }

    // u . k: to u and to the keys.
    const float* u = row_of(t_.u.value, tile.head).data;
    float* d_u = matrix(t_.u.gradient()).row(tile.head);
    std::vector<float> sums(static_cast<std::size_t>(d_scores.columns));
    for (int r = 0; r < d_scores.rows; ++r)
      kernels::add_row(sums.data(), d_scores.row(r), d_scores.columns);
    for (int c = 0; c < tile.k.rows; ++c) {
      const float share = tile.scale * sums[static_cast<std::size_t>(c)];
      kernels::add_scaled(d_u, share, tile.k.row(c), width);
      kernels::add_scaled(d_k.row(c), share, u, width);
    }
  }

  // Through the sinusoids to W_r, once for all tiles and heads that a distance is in.
  void finish_backward() override {
    if (asked_first_ >= asked_last_) return;
    const MatrixRef rows = rows_of(matrix(gathered_), asked_first_, asked_last_ - asked_first_);
    waves_backward(distances_from(furthest() - asked_first_, rows.rows), rows,
                   matrix(t_.w_r.gradient()));
    kernels::fill(rows.data, 0, rows.rows * rows.columns);
    asked_first_ = std::numeric_limits<int>::max();
    asked_last_ = 0;
  }

 private:
  // Waves of so many distances at a time, because D may be much wider than a head.
  static constexpr int kStrip = 64;

  int channels() const { return t_.w_r.value.shape[1]; }  // D
  // A strip of waves, as a matrix and packed, and where sines come from.
  double waves_bytes(int distances) const {
    return 2 * packed_matrix_bytes(std::min(distances, kStrip), channels()) +
           SineRows::kBytesOfFrequency * channels() / 2;
  }

  // first, first - 1, ...
  static std::vector<double> distances_from(int first, int count) {
    std::vector<double> all(static_cast<std::size_t>(count));
    for (double& distance : all) distance = first--;
    return all;
  }

  // Calls f(first, waves) for all distances i - j. waves (some distances, D)
  template <class F>
  void each_strip(std::span<const double> distances, F&& f) const {
    const int count = static_cast<int>(distances.size());
    SineRows sines(frequencies_);
    Tensor waves({std::min(count, kStrip), channels()});
    for (int first = 0; first < count; first += kStrip) {
      const MatrixRef part = rows_of(matrix(waves), 0, std::min(kStrip, count - first));
      for (int n = 0; n < part.rows; ++n)
        wave(sines, distances[static_cast<std::size_t>(first + n)], row_span(part, n));
      f(first, part);
    }
  }

  // Adds to the gradient of rows of W_r what comes through the sinusoids of these distances.
  // d_relative (distances, rows)
  void waves_backward(std::span<const double> distances, ConstMatrixRef d_relative,
                      MatrixRef d_w_r) const {
    each_strip(distances, [&](int start, ConstMatrixRef waves) {
      gemm(Transpose::yes, Transpose::no, 1, rows_of(d_relative, start, waves.rows), waves, 1,
           d_w_r);
    });
  }

  // The sinusoid of one distance i - j. out (D)
  void wave(SineRows& sines, double distance, std::span<float> out) const {
    const double m = clamp_len_ > 0 ? std::clamp(distance, -clamp_len_, clamp_len_) : distance;
    sines.write(
        m, 1, layout_ == Layout::concatenated ? WaveLayout::concatenated : WaveLayout::interleaved,
        0, sines.count(), out);
  }

  // W_r r_{i-j} of one head for each distance j - i.
  struct Relative {
    Tensor own{};           // where they are not all next to each other in prepared_
    ConstMatrixRef rows{};  // (distances, width)
    int first = -1;         // the row of prepared_ of the first of them; -1: none
  };
  Relative relative_rows(int head, const RelativePositions& distances) const {
    const int width = t_.u.value.shape[1], count = distances.count();
    const double start = distances.value(0);
    Relative out;
    if (distances.consecutive() && is_prepared(start) && is_prepared(start + count - 1)) {
      out.first = static_cast<int>(start) + furthest();
      out.rows =
          kernels::columns_of(rows_of(matrix(prepared_), out.first, count), head * width, width);
      return out;
    }
    out.own = Tensor({count, width});
    std::vector<float> r(static_cast<std::size_t>(channels()));
    SineRows sines(frequencies_);
    for (int n = 0; n < count; ++n) {
      const double distance = distances.value(n);
      float* to = matrix(out.own).row(n);
      if (is_prepared(distance)) {
        std::copy_n(matrix(prepared_).row(static_cast<int>(distance) + furthest()) + head * width,
                    width, to);
        continue;
      }
      wave(sines, -distance, r);
      for (int c = 0; c < width; ++c) {
        const float* weights = matrix(t_.w_r.value).row(head * width + c);
        for (std::size_t x = 0; x < r.size(); ++x) to[c] += weights[x] * r[x];
      }
    }
    out.rows = matrix(std::as_const(out.own));
    return out;
  }

  int furthest() const { return (prepared_.shape[0] - 1) / 2; }
  bool is_prepared(double distance) const {
    return std::fabs(distance) <= furthest() && distance == std::floor(distance);
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

  static ConstMatrixRef row_of(const Tensor& t, int row) {
    return {matrix(t).row(row), 1, t.shape[1], t.shape[1]};
  }

  Weights t_;
  std::vector<double> frequencies_;
  Layout layout_;
  double clamp_len_;
  Tensor prepared_;  // (2 length - 1, heads * width): of distances j - i, from 1 - length on
  // What the loss asks of prepared_, of its shape, 0 but in rows [asked_first_, asked_last_); empty
  // until a backward pass
  Tensor gathered_;
  int asked_first_ = std::numeric_limits<int>::max(), asked_last_ = 0;
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
                        "Sets the slowest frequency, which is near 1 / base"),
    ParamSpec::choice(
        "layout", "concatenated, interleaved",
        "All sines come first (paper, XLNet), or sine and cosine alternate (Conformer)"),
    ParamSpec::integer("clamp_len", 0, 0, 1048576, "tokens",
                       "Distances from here on are treated alike; 0: none"),
    ParamSpec::tensor("u", "heads x width", "Trained vector in place of the query, for keys"),
    ParamSpec::tensor("v", "heads x width", "Trained vector in place of the query, for distances"),
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
