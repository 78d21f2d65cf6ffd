#include "encoding_base/custom_dot_product/remapped_products.h"

#include <algorithm>

#include "core/buffer.h"
#include "encoding_base/custom_dot_product/remap_ranges.h"
#include "encoding_base/custom_dot_product/remap_rotations.h"
#include "kernels/gemm.h"
#include "kernels/vector_ops.h"

namespace phasor {

namespace {

constexpr int kBlockKeys = RemapRanges::kBlockKeys;

using RowBuffer = std::vector<float>;

void copy_into(const ConstMatrixRef& from, const MatrixRef& to) {
  for (int r = 0; r < to.rows; ++r) std::copy_n(from.row(r), to.columns, to.row(r));
}

// Returns the bytes for one head, excluding cosines and sines.
double head_bytes(const RemapConfig& config, int queries, int keys, int head_dim,
                  bool requires_grad) {
  const double blocks = (keys + kBlockKeys - 1) / kBlockKeys, copies = config.remap.key_copies(),
               ranges = config.remap.ranges(), row_arrays = requires_grad ? 2 : 0;
  const double block_floats = static_cast<double>(kernels::packed_size(head_dim, kBlockKeys));
  return sizeof(float) * (copies * (blocks * block_floats + (row_arrays + 1) * keys * head_dim) +
                          ranges * queries * head_dim * (requires_grad ? 2 : 1)) +
         sizeof(double) * (2.0 * keys + (ranges + 1) * queries);
}

class RemappedProducts final : public DotProductState {
 public:
  RemappedProducts(const RemapConfig& config, int head_dim, bool requires_grad)
      : config_(config),
        remap_(config.remap),
        head_dim_(head_dim),
        requires_grad_(requires_grad),
        ranges_(config.remap) {
    key_copies_.resize(static_cast<std::size_t>(remap_.key_copies()));
    query_copies_.resize(static_cast<std::size_t>(remap_.ranges()));
  }

  void append(ConstMatrixRef k, Positions positions, const TokenTensors*) override {
    const int first_new_key = ranges_.keys();
    for (int j = 0; j < k.rows; ++j) ranges_.append(positions[j]);
    RowBuffer rotated_keys(buffer_size(k.rows));
    for (int n = 0; n < remap_.key_copies(); ++n) {
      KeyCopy& copy = key_copies_[static_cast<std::size_t>(n)];
      copy_into(k, slice_rows(rotated_keys, 0, k.rows));
      copy.rotations.rotate(config_, slice_rows(rotated_keys, 0, k.rows),
                            RotationDirection::forward, stores_rotations_,
                            key_positions(n, first_new_key));
      for (int j = 0; j < k.rows;) {
        const int block = (first_new_key + j) / kBlockKeys,
                  column = (first_new_key + j) % kBlockKeys,
                  count = std::min(k.rows - j, kBlockKeys - column);
        if (block == static_cast<int>(copy.blocks.size()))
          copy.blocks.emplace_back(kernels::packed_size(head_dim_, kBlockKeys));
        kernels::pack_transposed(slice_rows(rotated_keys, j, count), column,
                                 copy.blocks[static_cast<std::size_t>(block)].data());
        j += count;
      }
      if (requires_grad_)
        copy.rows.insert(copy.rows.end(), rotated_keys.begin(), rotated_keys.end());
    }
  }

  bool next_head() override {
    ranges_.truncate(0);
    for (KeyCopy& copy : key_copies_) {
      copy.rows.clear();
      copy.d_rows.clear();
    }
    stores_rotations_ = true;
    return true;
  }

  void truncate(int length) override {
    ranges_.truncate(length);
    const std::ptrdiff_t blocks = (length + kBlockKeys - 1) / kBlockKeys;
    for (KeyCopy& copy : key_copies_) {
      copy.blocks.erase(copy.blocks.begin() + blocks, copy.blocks.end());
      if (requires_grad_) copy.rows.resize(buffer_size(length));
    }
  }

  std::unique_ptr<DotProductState> copy() const override {
    return std::make_unique<RemappedProducts>(*this);
  }

  double bytes() const override {
    return head_bytes(config_, 0, ranges_.keys(), head_dim_, requires_grad_);
  }

  void set_queries(ConstMatrixRef q, Positions positions, int) override {
    q_ = q;
    for (QueryCopy& copy : query_copies_) copy.is_rotated = false;
    ranges_.set_queries(positions);
    query_positions_.assign(positions.values().begin(), positions.values().end());
  }

  void scores(int row, int first_key, double scale, bool use_float64, MatrixRef out) override {
    ranges_.visit_runs(
        row, out.rows, first_key, out.columns, [&](int key, int count, int nearest, int farthest) {
          const MatrixRef tile{out.data + (key - first_key), out.rows, count, out.stride};
          product(farthest, row, key, scale, use_float64, tile);
          for (int n = farthest - 1; n >= nearest; --n) {
            scratch_.resize(static_cast<std::size_t>(out.rows) * static_cast<std::size_t>(count));
            const MatrixRef nearer_scores{scratch_.data(), out.rows, count, count};
            product(n, row, key, scale, use_float64, nearer_scores);
            for (int r = 0; r < out.rows; ++r) {
              ranges_.visit_intervals(n, row + r, key, count, [&](int from, int to) {
                std::copy(nearer_scores.row(r) + from, nearer_scores.row(r) + to,
                          tile.row(r) + from);
              });
            }
          }
        });
  }

  void scores_backward(int row, int first_key, ConstMatrixRef d_products) override {
    const int rows = d_products.rows;
    ranges_.visit_runs(row, rows, first_key, d_products.columns,
                       [&](int key, int count, int nearest, int farthest) {
                         const ConstMatrixRef tile{d_products.data + (key - first_key), rows, count,
                                                   d_products.stride};
                         if (nearest == farthest) return product_backward(farthest, row, key, tile);
                         for (int n = nearest; n <= farthest; ++n)
                           product_backward(n, row, key, select_range(n, nearest, row, key, tile));
                       });
  }

  void finish_queries(MatrixRef d_q) override {
    for (int n = 0; n < remap_.ranges(); ++n) {
      QueryCopy& copy = query_copies_[static_cast<std::size_t>(n)];
      if (!copy.is_rotated) continue;  // no query has a key in this range
      RowBuffer& d_rows = copy.d_rows;
      copy.rotations.rotate(config_, slice_rows(d_rows, 0, d_q.rows), RotationDirection::transposed,
                            stores_rotations_, query_positions(n));
      for (int r = 0; r < d_q.rows; ++r) {
        float* row = slice_rows(d_rows, r, 1).data;
        scale_row(row, query_positions_[static_cast<std::size_t>(r)]);
        kernels::add_row(d_q.row(r), row, head_dim_);
      }
    }
  }

  void finish_keys(MatrixRef d_k, TokenTensors&) override {
    for (int n = 0; n < remap_.key_copies(); ++n) {
      KeyCopy& copy = key_copies_[static_cast<std::size_t>(n)];
      RowBuffer& d_rows = copy.d_rows;
      if (d_rows.empty()) continue;
      copy.rotations.rotate(config_, slice_rows(d_rows, 0, d_k.rows), RotationDirection::transposed,
                            stores_rotations_, key_positions(n, 0));
      for (int j = 0; j < d_k.rows; ++j)
        kernels::add_row(d_k.row(j), slice_rows(d_rows, j, 1).data, head_dim_);
    }
  }

 private:
  struct KeyCopy {
    std::vector<Buffer> blocks;  // packed, kBlockKeys keys each
    RowBuffer rows, d_rows;      // not packed, for the backward pass
    RemapRotations rotations;
  };
  struct QueryCopy {
    RowBuffer rows, d_rows;
    RemapRotations rotations;
    bool is_rotated = false;
  };

  std::size_t buffer_size(int rows) const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(head_dim_);
  }

  MatrixRef slice_rows(RowBuffer& rows, int first, int count) const {
    return {rows.data() + static_cast<std::ptrdiff_t>(first) * head_dim_, count, head_dim_,
            head_dim_};
  }

  // Rotates the queries on first use, because short sequences need only one range.
  QueryCopy& rotated_queries(int range) {
    QueryCopy& copy = query_copies_[static_cast<std::size_t>(range)];
    if (copy.is_rotated) return copy;
    copy.is_rotated = true;
    copy.rows.resize(buffer_size(q_.rows));
    copy_into(q_, slice_rows(copy.rows, 0, q_.rows));
    for (int r = 0; r < q_.rows; ++r)
      scale_row(slice_rows(copy.rows, r, 1).data, query_positions_[static_cast<std::size_t>(r)]);
    copy.rotations.rotate(config_, slice_rows(copy.rows, 0, q_.rows), RotationDirection::forward,
                          stores_rotations_, query_positions(range));
    if (requires_grad_) copy.d_rows.assign(copy.rows.size(), 0.0f);
    return copy;
  }

  std::vector<double> query_positions(int range) const {
    std::vector<double> positions = query_positions_;
    for (double& position : positions) position = remap_.query_position(range, position);
    return positions;
  }
  std::vector<double> key_positions(int copy, int first) const {
    std::vector<double> positions;
    positions.reserve(static_cast<std::size_t>(ranges_.keys() - first));
    for (int j = first; j < ranges_.keys(); ++j)
      positions.push_back(remap_.key_position(copy, ranges_.position(j)));
    return positions;
  }

  void scale_row(float* row, double position) const {
    const double factor = remap_.query_factor(position);
    if (factor != 1) kernels::multiply(row, static_cast<float>(factor), head_dim_);
  }

  void product(int range, int row, int key, double scale, bool use_float64, const MatrixRef& out) {
    QueryCopy& queries = rotated_queries(range);
    const ConstMatrixRef q{queries.rows.data() + static_cast<std::ptrdiff_t>(row) * head_dim_,
                           out.rows, head_dim_, head_dim_};
    const KeyCopy& copy = key_copies_[static_cast<std::size_t>(remap_.key_copy(range))];
    const kernels::Panels block = kernels::make_panels(
        copy.blocks[static_cast<std::size_t>(key / kBlockKeys)].data(), head_dim_, kBlockKeys);
    const kernels::Panels panels = block.slice_columns(key % kBlockKeys, out.columns);
    if (!use_float64) return kernels::active::product(q, panels, static_cast<float>(scale), out);
    for (int r = 0; r < out.rows; ++r) {
      for (int j = 0; j < out.columns; ++j) {
        double sum = 0;
        for (int c = 0; c < head_dim_; ++c)
          sum += static_cast<double>(q.row(r)[c]) * static_cast<double>(panels.at(c, j));
        out.row(r)[j] = static_cast<float>(scale * sum);
      }
    }
  }

  // Returns the score gradients of the pairs in `range`, with 0 for all other pairs.
  MatrixRef select_range(int range, int nearest, int row, int key, const ConstMatrixRef& grads) {
    scratch_.assign(static_cast<std::size_t>(grads.rows) * static_cast<std::size_t>(grads.columns),
                    0.0f);
    const MatrixRef range_grads{scratch_.data(), grads.rows, grads.columns, grads.columns};
    for (int r = 0; r < grads.rows; ++r) {
      ranges_.visit_intervals(range, row + r, key, grads.columns, [&](int from, int to) {
        std::copy(grads.row(r) + from, grads.row(r) + to, range_grads.row(r) + from);
      });
      if (range == nearest) continue;
      ranges_.visit_intervals(range - 1, row + r, key, grads.columns, [&](int from, int to) {
        std::fill(range_grads.row(r) + from, range_grads.row(r) + to, 0.0f);
      });
    }
    return range_grads;
  }

  void product_backward(int range, int row, int key, const ConstMatrixRef& grads) {
    using kernels::Transpose;
    QueryCopy& queries = rotated_queries(range);
    KeyCopy& copy = key_copies_[static_cast<std::size_t>(remap_.key_copy(range))];
    if (copy.d_rows.empty()) copy.d_rows.assign(copy.rows.size(), 0.0f);
    kernels::gemm(Transpose::no, Transpose::no, 1, grads, slice_rows(copy.rows, key, grads.columns),
                  1, slice_rows(queries.d_rows, row, grads.rows));
    kernels::gemm(Transpose::yes, Transpose::no, 1, grads,
                  slice_rows(queries.rows, row, grads.rows), 1,
                  slice_rows(copy.d_rows, key, grads.columns));
  }

  const RemapConfig& config_;
  const Remap& remap_;
  int head_dim_;
  bool requires_grad_, stores_rotations_ = false;
  ConstMatrixRef q_;
  RemapRanges ranges_;
  std::vector<double> query_positions_;
  std::vector<KeyCopy> key_copies_;
  std::vector<QueryCopy> query_copies_;
  RowBuffer scratch_;
};

}  // namespace

std::unique_ptr<DotProductState> create_remapped_products(const RemapConfig& config, int head_dim,
                                                          bool requires_grad) {
  return std::make_unique<RemappedProducts>(config, head_dim, requires_grad);
}

double compute_remapped_bytes(const RemapConfig& config, int queries, int keys, int head_dim,
                              bool requires_grad) {
  using kernels::matrix_bytes;
  using kernels::packed_matrix_bytes;
  const double key_copies = config.remap.key_copies(), ranges = config.remap.ranges();
  // One tile's scores in a second range, and the operands of the backward pass.
  const double rows = std::min(queries, 32), run = std::min(keys, kBlockKeys);
  const double tile =
      matrix_bytes(rows, run) +
      (requires_grad ? matrix_bytes(rows, run) + packed_matrix_bytes(std::max(rows, run), head_dim)
                     : 0);
  return head_bytes(config, queries, keys, head_dim, requires_grad) +
         RemapRotations::bytes_per_row(config) * (key_copies * keys + ranges * queries) + tile;
}

}  // namespace phasor
