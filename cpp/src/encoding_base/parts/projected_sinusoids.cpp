#include "encoding_base/parts/projected_sinusoids.h"

#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "kernels/gemm.h"
#include "kernels/vector_ops.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor {

using kernels::gemm;
using kernels::matrix_bytes;
using kernels::packed_matrix_bytes;
using kernels::PackedMatrix;
using kernels::Transpose;

namespace {

// Sinusoids are computed in blocks of distances, because D may be much larger than head_dim.
constexpr int kBlockDistances = 64;

std::vector<double> make_descending_distances(int first, int count) {
  std::vector<double> distances(static_cast<std::size_t>(count));
  for (double& distance : distances) distance = first--;
  return distances;
}

}  // namespace

bool ProjectedSinusoids::is_precomputed(double distance) const {
  return std::fabs(distance) <= max_distance() && distance == std::floor(distance);
}

// Includes one block of sinusoids, plain and packed, and a SinusoidRows.
double ProjectedSinusoids::sinusoid_bytes(int distances) const {
  return 2 * packed_matrix_bytes(std::min(distances, kBlockDistances), channels()) +
         SinusoidRows::kBytesPerFrequency * channels() / 2;
}

double ProjectedSinusoids::working_bytes(int distances) const {
  const int rows = projected_rows_.shape[0], columns = projected_rows_.shape[1];
  return 2 * sinusoid_bytes(distances) + sizeof(double) * std::max<double>(distances, rows) +
         matrix_bytes(kBlockDistances, columns) +
         (d_projected_rows_.empty() ? matrix_bytes(rows, columns) : 0);
}

// Writes the sinusoid of one distance i - j to out (D).
void ProjectedSinusoids::write_sinusoid(SinusoidRows& sines, double distance,
                                        std::span<float> out) const {
  const double m = clamp_len_ > 0 ? std::clamp(distance, -clamp_len_, clamp_len_) : distance;
  sines.write(m, 1, layout_, 0, sines.count(), out);
}

// Calls f(first, sinusoids) for each block of distances. Row n of sinusoids (block distances, D)
// belongs to distances[first + n].
template <class F>
void ProjectedSinusoids::for_each_block(std::span<const double> distances, F&& f) const {
  const int count = static_cast<int>(distances.size());
  SinusoidRows sines(frequencies_);
  Tensor sinusoids({std::min(count, kBlockDistances), channels()});
  for (int first = 0; first < count; first += kBlockDistances) {
    const MatrixRef block = rows_of(matrix(sinusoids), 0, std::min(kBlockDistances, count - first));
    for (int n = 0; n < block.rows; ++n)
      write_sinusoid(sines, distances[static_cast<std::size_t>(first + n)], row_span(block, n));
    f(first, block);
  }
}

Status ProjectedSinusoids::prepare(const Tensor& w_r, int length) {
  const std::vector<int> shape = {2 * length - 1, w_r.shape[0]};
  PHASOR_TRY(check_size("encoding", "a table of distances", shape));
  projected_rows_ = Tensor(shape);
  return recompute(w_r);
}

Status ProjectedSinusoids::recompute(const Tensor& w_r) {
  const ConstMatrixRef weights = matrix(w_r);
  PHASOR_TRY(
      check_memory("encoding", packed_matrix_bytes(weights.rows, weights.columns) +
                                   sinusoid_bytes(projected_rows_.shape[0]) +
                                   sizeof(double) * static_cast<double>(projected_rows_.shape[0])));
  const PackedMatrix packed_weights(Transpose::yes, weights);
  for_each_block(make_descending_distances(max_distance(), projected_rows_.shape[0]),
                 [&](int start, ConstMatrixRef sinusoids) {
                   gemm(Transpose::no, 1, sinusoids, packed_weights, 0,
                        rows_of(matrix(projected_rows_), start, sinusoids.rows));
                 });
  return {};
}

ProjectedSinusoids::HeadRows ProjectedSinusoids::project_head(
    const Tensor& w_r, int head, int head_dim, const RelativePositions& distances) const {
  const int count = distances.count();
  const double first_distance = distances.get_difference(0);
  HeadRows out;
  if (distances.has_consecutive_positions() && is_precomputed(first_distance) &&
      is_precomputed(first_distance + count - 1)) {
    out.first_row = static_cast<int>(first_distance) + max_distance();
    out.rows = kernels::columns_of(rows_of(matrix(projected_rows_), out.first_row, count),
                                   head * head_dim, head_dim);
    return out;
  }
  out.storage = Tensor({count, head_dim});
  std::vector<float> r(static_cast<std::size_t>(channels()));
  SinusoidRows sines(frequencies_);
  for (int n = 0; n < count; ++n) {
    const double distance = distances.get_difference(n);
    float* row = matrix(out.storage).row(n);
    if (is_precomputed(distance)) {
      std::copy_n(matrix(projected_rows_).row(static_cast<int>(distance) + max_distance()) +
                      head * head_dim,
                  head_dim, row);
      continue;
    }
    write_sinusoid(sines, -distance, r);
    for (int c = 0; c < head_dim; ++c) {
      const float* weights = matrix(w_r).row(head * head_dim + c);
      for (std::size_t d = 0; d < r.size(); ++d) row[c] += weights[d] * r[d];
    }
  }
  out.rows = matrix(std::as_const(out.storage));
  return out;
}

// Adds d_rows^T . sinusoids to d_w_r. d_rows (distances, rows of d_w_r)
void ProjectedSinusoids::sinusoids_backward(std::span<const double> distances,
                                            ConstMatrixRef d_rows, MatrixRef d_w_r) const {
  for_each_block(distances, [&](int start, ConstMatrixRef sinusoids) {
    gemm(Transpose::yes, Transpose::no, 1, rows_of(d_rows, start, sinusoids.rows), sinusoids, 1,
         d_w_r);
  });
}

void ProjectedSinusoids::backward(const HeadRows& head_rows, int head,
                                  const RelativePositions& distances, int first,
                                  ConstMatrixRef grads, ConstMatrixRef queries, MatrixRef d_w_r) {
  const int head_dim = queries.columns, column = head * head_dim;
  Tensor storage;
  MatrixRef d_rows;  // (distances, dim)
  if (head_rows.first_row >= 0) {
    if (d_projected_rows_.empty()) d_projected_rows_ = Tensor(projected_rows_.shape);
    const int row = head_rows.first_row + first;
    gradient_begin_ = std::min(gradient_begin_, row);
    gradient_end_ = std::max(gradient_end_, row + grads.columns);
    d_rows = kernels::columns_of(rows_of(matrix(d_projected_rows_), row, grads.columns), column,
                                 head_dim);
  } else {
    storage = Tensor({grads.columns, head_dim});
    d_rows = matrix(storage);
  }
  gemm(Transpose::yes, Transpose::no, 1, grads, queries, 1, d_rows);
  if (head_rows.first_row >= 0) return;
  std::vector<double> negated_distances(static_cast<std::size_t>(grads.columns));
  for (int n = 0; n < grads.columns; ++n)
    negated_distances[static_cast<std::size_t>(n)] = -distances.get_difference(first + n);
  sinusoids_backward(negated_distances, d_rows, rows_of(d_w_r, column, head_dim));
}

void ProjectedSinusoids::finish_backward(MatrixRef d_w_r) {
  if (gradient_begin_ >= gradient_end_) return;
  const MatrixRef rows =
      rows_of(matrix(d_projected_rows_), gradient_begin_, gradient_end_ - gradient_begin_);
  sinusoids_backward(make_descending_distances(max_distance() - gradient_begin_, rows.rows), rows,
                     d_w_r);
  kernels::fill(rows.data, 0, rows.rows * rows.columns);
  gradient_begin_ = std::numeric_limits<int>::max();
  gradient_end_ = 0;
}

}  // namespace phasor
