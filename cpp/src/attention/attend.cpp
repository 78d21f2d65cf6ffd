// One pass over tiles of query rows. A tile needs memory for its rows times all keys, so nothing is quadratic unless the
// caller asks for the weights. Virtual calls happen once a tile.

#include "attention/attend.h"

#include <algorithm>
#include <limits>

#include "kernels/kernels.h"
#include "math/eigen_map.h"
#include "math/sentence.h"

namespace phasor {

namespace {

constexpr int kTileRows = 16;

void apply_mask(const AttendJob& job, Positions queries, MatrixRef scores) {
  constexpr float kHidden = -std::numeric_limits<float>::infinity();
  for (int r = 0; r < scores.rows; ++r) {
    float* row = scores.row(r);
    if (job.mask == Mask::causal) {
      for (int c = 0; c < scores.columns; ++c) {
        if (job.keys[c] > queries[r]) row[c] = kHidden;
      }
    }
    if (job.key_mask != nullptr) {
      for (int c = 0; c < scores.columns; ++c) {
        if ((*job.key_mask)[static_cast<std::size_t>(c)] == 0) row[c] = kHidden;
      }
    }
  }
}

// The hooks that enter at the scores. tile (rows, keys) holds scale * q.k on entry and the scores on exit; bias (rows, keys)
// gets what was added, if its data is not null.
void add_position(const AttendJob& job, const ContentTile& content, MatrixRef tile, MatrixRef bias) {
  const bool wanted = bias.data != nullptr;
  if (wanted) eigen(bias) = eigen(tile);
  // A score encoding may override this too; the default does nothing.
  if (job.injection != Injection::none) job.encoding->add_content(content, tile);
  // What came in is the difference, because it may have depended on the scores under it. A bias is added to its own zeros,
  // so that it is returned without the rounding of the sum.
  if (wanted) eigen(bias) = eigen(tile) - eigen(bias);
  if (job.injection == Injection::score) {
    job.encoding->add_bias(content.head, content.queries, content.keys, tile);
    if (wanted) job.encoding->add_bias(content.head, content.queries, content.keys, bias);
  }
}

void copy_rows(ConstMatrixRef from, Tensor& to, int head, int first_row) {
  for (int r = 0; r < from.rows; ++r) std::copy_n(from.row(r), from.columns, matrix(to, head).row(first_row + r));
}

}  // namespace

Status attend(Tensor& q, Tensor& k, const Tensor& v, const AttendJob& job, AttentionResult& out) {
  const int heads = q.shape[0], queries = q.shape[1], width = q.shape[2];
  const int kv_heads = k.shape[0], keys = k.shape[1], value_width = v.shape[2];
  const std::vector<int> square = {heads, queries, keys};
  PHASOR_TRY(check_size("output", {heads, queries, value_width}));
  if (job.want.weights) PHASOR_TRY(check_size("weights", square));
  if (job.want.scores) PHASOR_TRY(check_size("scores", square));
  if (job.want.bias) PHASOR_TRY(check_size("bias", square));
  out.output = Tensor({heads, queries, value_width});
  out.weights = job.want.weights ? Tensor(square) : Tensor();
  out.scores = job.want.scores ? Tensor(square) : Tensor();
  out.bias = job.want.bias ? Tensor(square) : Tensor();

  if (job.injection == Injection::query_key) {
    job.encoding->transform(Role::query, job.queries, q);
    job.encoding->transform(Role::key, job.keys, k);
  }

  std::vector<float> packed_keys(kernels::packed_size(width, keys)), packed_values(kernels::packed_size(keys, value_width));
  std::vector<float> tile_data(static_cast<std::size_t>(kTileRows) * static_cast<std::size_t>(keys));
  int packed_head = -1;
  for (int head = 0; head < heads; ++head) {
    const int kv_head = head / (heads / kv_heads);  // neighbouring query heads share keys and values
    if (kv_head != packed_head) {
      kernels::pack_transposed(matrix(k, kv_head), packed_keys.data());
      kernels::pack(matrix(v, kv_head), packed_values.data());
      packed_head = kv_head;
    }
    for (int row = 0; row < queries; row += kTileRows) {
      const int rows = std::min(kTileRows, queries - row);
      const Positions positions = job.queries.part(row, rows);
      const MatrixRef tile{tile_data.data(), rows, keys, keys};  // (rows, keys)
      const MatrixRef q_rows{matrix(q, head).row(row), rows, width, width};

      kernels::active::product(q_rows, packed_keys.data(), job.scale, tile);
      MatrixRef bias;
      if (job.want.bias) bias = {matrix(out.bias, head).row(row), rows, keys, keys};
      add_position(job,
                   {.head = head,
                    .queries = positions,
                    .keys = job.keys,
                    .q = q_rows,
                    .k = matrix(std::as_const(k), kv_head),
                    .scale = job.scale,
                    .key_mask = job.key_mask},
                   tile, bias);
      apply_mask(job, positions, tile);
      if (job.want.scores) copy_rows(tile, out.scores, head, row);
      for (int r = 0; r < rows; ++r) kernels::active::softmax(tile.row(r), keys);
      if (job.want.weights) copy_rows(tile, out.weights, head, row);
      const MatrixRef output{matrix(out.output, head).row(row), rows, value_width, value_width};
      kernels::active::product(tile, packed_values.data(), 1.0f, output);
      if (job.injection == Injection::key_value) job.encoding->add_values(head, positions, job.keys, tile, output);
    }
  }
  // Finite inputs give finite outputs unless a score overflowed: infinity minus infinity in the softmax is NaN.
  if (!check_finite("output", out.output.data).ok()) {
    out = {};
    return Status::invalid("q: scale * q k^T leaves the range of float32");
  }
  return {};
}

}  // namespace phasor
