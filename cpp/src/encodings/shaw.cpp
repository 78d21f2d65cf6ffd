// Relative positions as vectors (Shaw, Uszkoreit and Vaswani 2018, arXiv 1803.02155): a trained
// vector per clipped distance is added to keys and to values,
//   S_ij = q_i . (k_j + aK[r]) / sqrt(d),
//   out_i = sum_j W_ij (v_j + aV[r]),
//   r = clip(j - i, -clip, clip) + clip.
// The sum over j is computed once per distance, not once per pair. `direction`: the paper and
// tensor2tensor count keys on the right as positive, Hugging Face's relative_key (also Conformer's)
// counts them as negative. Without `values` only keys are changed (Music Transformer, Hugging
// Face). All heads share the tables in the paper; later tensor2tensor has a table per head. Initial
// tables are N(0, init_std^2), with 1 as in OpenNMT's Embedding.

#include <algorithm>

#include "encoding_base/parameter_init.h"
#include "encoding_base/registry_entry.h"
#include "kernels/gemm.h"
#include "kernels/vector_ops.h"
#include "phasor/explain.h"
#include "relative_position/buckets.h"
#include "relative_position/relative_positions.h"

namespace phasor::encoding::shaw {
namespace {

using kernels::gemm;
using kernels::matrix_bytes;
using kernels::packed_matrix_bytes;
using kernels::Transpose;

enum class Direction { right_positive, left_positive };

class Shaw final : public KeyValueEncoding, public ExplainableBias {
 public:
  Shaw(int clip, Direction direction, Tensor table_k, Tensor table_v)
      : clip_(clip),
        direction_(direction),
        table_k_{"table_k", std::move(table_k)},
        table_v_{"table_v", std::move(table_v)} {
    interfaces_.explainable = this;
  }

  Status recompute() override {
    PHASOR_TRY(check_memory(
        "table_k",
        table_count(table_k_) * packed_matrix_bytes(rows(), table_k_.value.shape.back())));
    packed_tables_.resize(static_cast<std::size_t>(table_count(table_k_)));
    for (int t = 0; kernels::PackedMatrix & packed_table : packed_tables_)
      packed_table.pack(Transpose::yes, matrix(table_k_.value, t++));
    return {};
  }

  // Counts rows_ and ends_ (one int per distance each), sums and products per table row, and a
  // packed table or packed queries.
  double working_bytes(const TileSizes& tile) const override {
    return 2 * sizeof(int) * static_cast<double>(tile.distances) +
           3 * matrix_bytes(tile.queries, rows()) +
           packed_matrix_bytes(rows() + tile.queries, std::max(tile.head_dim, tile.v_head_dim));
  }

  std::vector<Parameter*> parameters() override {
    if (table_v_.empty()) return {&table_k_};
    return {&table_k_, &table_v_};
  }

  void add_content(const ContentTile& tile, MatrixRef scores) const override {
    const Runs runs(*this, tile.queries, tile.keys);
    Tensor products({tile.q.rows, rows()});
    // Multiplies only the table panels that this tile uses.
    const kernels::Panels table =
        packed_tables_[static_cast<std::size_t>(table_index(table_k_, tile.head))];
    const int first = runs.row_begin() / kernels::kPanelColumns * kernels::kPanelColumns,
              used_row_count = runs.row_end() - first;
    gemm(Transpose::no, tile.scale, tile.q, table.slice_columns(first, used_row_count), 0,
         kernels::columns_of(matrix(products), first, used_row_count));
    const ConstMatrixRef row_products = matrix(products);
    runs.for_each([&](int r, int c, int count, int row) {
      kernels::add_constant(scores.row(r) + c, row_products.row(r)[row], count);
    });
  }

  void content_backward(const ContentTile& tile, ConstMatrixRef, ConstMatrixRef d_scores,
                        MatrixRef d_q, MatrixRef) override {
    const Tensor sums = sum_by_row(Runs(*this, tile.queries, tile.keys), d_scores);
    const int table = table_index(table_k_, tile.head);
    gemm(Transpose::no, Transpose::no, tile.scale, matrix(sums), matrix(table_k_.value, table), 1,
         d_q);
    gemm(Transpose::yes, Transpose::no, tile.scale, matrix(sums), tile.q, 1,
         matrix(table_k_.gradient(), table));
  }

  void add_values(int head, Positions queries, Positions keys, ConstMatrixRef weights,
                  MatrixRef output) const override {
    if (table_v_.empty()) return;
    const Runs runs(*this, queries, keys);
    const Tensor sums = sum_by_row(runs, weights);
    const ConstMatrixRef table = matrix(table_v_.value, table_index(table_v_, head));
    const int first = runs.row_begin(), count = runs.row_end() - first;
    gemm(Transpose::no, Transpose::no, 1, kernels::columns_of(matrix(sums), first, count),
         rows_of(table, first, count), 1, output);
  }

  void values_backward(int head, Positions queries, Positions keys, ConstMatrixRef weights,
                       ConstMatrixRef d_output, MatrixRef d_weights) override {
    if (table_v_.empty()) return;
    const int table = table_index(table_v_, head);
    const Tensor products =
        gemm(1, d_output, kernels::PackedMatrix(Transpose::yes, matrix(table_v_.value, table)));
    const Runs runs(*this, queries, keys);
    const ConstMatrixRef row_products = matrix(products);
    runs.for_each([&](int r, int c, int count, int row) {
      kernels::add_constant(d_weights.row(r) + c, row_products.row(r)[row], count);
    });
    const Tensor sums = sum_by_row(runs, weights);
    gemm(Transpose::yes, Transpose::no, 1, matrix(sums), d_output, 1,
         matrix(table_v_.gradient(), table));
  }

  std::vector<Step> steps(const ContentTile& pair) const override {
    const double distance = pair.keys[0] - pair.queries[0];
    const int row = shaw_row(direction_ == Direction::right_positive ? distance : -distance, clip_);
    const float* vector = matrix(table_k_.value, table_index(table_k_, pair.head)).row(row);
    const double product = kernels::dot_in_double(pair.q.row(0), vector, pair.q.columns);
    return {{"clipped distance", static_cast<double>(row - clip_)},
            {"row", static_cast<double>(row)},
            {"q.a", product},
            {"bias", static_cast<double>(pair.scale) * product}};
  }

 private:
  int rows() const { return 2 * clip_ + 1; }
  static int table_count(const Parameter& p) { return p.value.rank() == 3 ? p.value.shape[0] : 1; }
  static int table_index(const Parameter& p, int head) { return p.value.rank() == 3 ? head : 0; }

  // Splits the keys of a tile into runs that use the same table row. Keys beyond the clip distance
  // form long runs.
  class Runs {
   public:
    Runs(const Shaw& shaw, Positions queries, Positions keys)
        : distances_(queries, keys),
          queries_(queries.count()),
          keys_(keys.count()),
          row_begin_(2 * shaw.clip_),
          row_end_(0) {
      rows_.resize(static_cast<std::size_t>(distances_.count()));
      const double sign = shaw.direction_ == Direction::right_positive ? 1 : -1;
      for (int n = 0; n < distances_.count(); ++n) {
        const int row = shaw_row(sign * distances_.get_difference(n), shaw.clip_);
        rows_[static_cast<std::size_t>(n)] = row;
        row_begin_ = std::min(row_begin_, row);
        row_end_ = std::max(row_end_, row + 1);
      }
      ends_.resize(rows_.size());
      for (std::size_t n = rows_.size(); n-- > 0;) {
        ends_[n] = n + 1 < rows_.size() && rows_[n + 1] == rows_[n] ? ends_[n + 1]
                                                                    : static_cast<int>(n) + 1;
      }
    }

    /// The tile uses only table rows [row_begin, row_end).
    int row_begin() const { return row_begin_; }
    int row_end() const { return row_end_; }

    /// Calls f(query, first key, number of keys, table row) for every run.
    template <class F>
    void for_each(F&& f) const {
      for (int r = 0; r < queries_; ++r) {
        for (int c = 0; c < keys_;) {
          const int n = distances_.index(r, c),
                    count = std::min(ends_[static_cast<std::size_t>(n)] - n, keys_ - c);
          f(r, c, count, rows_[static_cast<std::size_t>(n)]);
          c += count;
        }
      }
    }

   private:
    RelativePositions distances_;
    int queries_, keys_, row_begin_, row_end_;
    // For each distance: its table row, and the end of the run that contains it.
    std::vector<int> rows_, ends_;
  };

  // Sums x over all keys that use the same table row. x (queries, keys) -> (queries, 2 clip + 1)
  Tensor sum_by_row(const Runs& runs, ConstMatrixRef x) const {
    Tensor sums({x.rows, rows()});
    const MatrixRef out = matrix(sums);
    runs.for_each([&](int r, int c, int count, int row) {
      out.row(r)[row] += kernels::sum(x.row(r) + c, count);
    });
    return sums;
  }

  int clip_;
  Direction direction_;
  // (2 clip + 1, dim) or (heads, 2 clip + 1, dim). table_v is empty if `values` is false.
  Parameter table_k_, table_v_;
  std::vector<kernels::PackedMatrix> packed_tables_;  // table_k transposed, one matrix per table
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  const int clip = values.integer("clip"),
            v_head_dim = dims.v_head_dim > 0 ? dims.v_head_dim : dims.dim;
  const bool has_head_tables = values.boolean("per_head"), has_values = values.boolean("values");
  if (!has_values && values.tensor("table_v") != nullptr)
    return invalid("table_v: has no effect if values is false");
  const auto table_shape = [&](int dim) {
    return has_head_tables ? std::vector<int>{dims.heads, 2 * clip + 1, dim}
                           : std::vector<int>{2 * clip + 1, dim};
  };
  const char* axes = has_head_tables ? "heads x (2 clip + 1) x dim" : "(2 clip + 1) x dim";
  Tensor table_k, table_v;
  PHASOR_TRY(init_normal_param(values, "table_k", axes, table_shape(dims.dim),
                               values.real("init_std"), 0, table_k));
  if (has_values)
    PHASOR_TRY(init_normal_param(values, "table_v", axes, table_shape(v_head_dim),
                                 values.real("init_std"), 1, table_v));
  auto shaw = std::make_unique<Shaw>(clip, values.choice<Direction>("direction"),
                                     std::move(table_k), std::move(table_v));
  PHASOR_TRY(shaw->recompute());
  return EncodingResult(std::move(shaw));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::integer("clip", 16, 1, 4096, "tokens",
                       "Keys at or beyond this distance share one vector per side"),
    ParamInfo::choice("direction", "right_positive, left_positive",
                      "Table rows are ordered by j - i (paper), or by i - j (Hugging Face)"),
    ParamInfo::boolean(
        "values", true,
        "Vectors are added to keys and values (paper), or only to keys (BERT, Music Transformer)"),
    ParamInfo::boolean("per_head", false,
                       "Separate tables per head (later versions of tensor2tensor)"),
    ParamInfo::tensor("table_k", "(2 clip + 1) x dim, or heads x (2 clip + 1) x dim",
                      "Trained vectors added to keys"),
    ParamInfo::tensor("table_v", "(2 clip + 1) x v_head_dim, or heads x (2 clip + 1) x v_head_dim",
                      "Trained vectors added to values")
        .only_with("values", "true"),
    ParamInfo::real("init_std", 1, 0, 100, "", "Standard deviation of random initial values"),
    seed_param(),
};

}  // namespace

PHASOR_ENCODING(shaw) = {
    .id = "shaw",
    .injection = Shaw::kInjection,
    .learned = true,
    .relative = true,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::shaw
