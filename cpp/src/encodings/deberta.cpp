// DeBERTa's disentangled attention (He, Liu, Gao and Chen 2021, arXiv 2006.03654; buckets from
// version 3, 2111.09543) adds two terms to q.k, content to position and position to content,
//   S_ij = (q_i . k_j + q_i . K^r[d(i, j)] + k_j . Q^r[d(i, j)]) / sqrt(d (1 + number of terms)).
// K^r = P W_k and Q^r = P W_q are projections of one table P of 2k relative positions; the
// parameters here are K^r and Q^r. The distance is i - j (T5 and Shaw have j - i), in logarithmic
// buckets (relative_position/buckets.h; k = position_buckets) or unchanged (position_buckets 0,
// Hugging Face's -1; k = max_relative_positions). Then d(i, j) = clip(distance + k, 0, 2k - 1).
// Both terms use row d(i, j); in the paper, position to content uses d(j, i). Initial tables are
// N(0, init_std^2); init_std 1 corresponds to a layer-normed table.

#include <algorithm>
#include <cmath>
#include <limits>

#include "encoding_base/parameter_init.h"
#include "encoding_base/parts/relative_position_table.h"
#include "encoding_base/registry_entry.h"
#include "kernels/gemm.h"
#include "kernels/vector_ops.h"
#include "phasor/explain.h"
#include "relative_position/buckets.h"
#include "relative_position/relative_positions.h"

namespace phasor::encoding::deberta {
namespace {

using kernels::packed_matrix_bytes;

int panel_start(int row) { return row / kernels::kPanelColumns * kernels::kPanelColumns; }

enum class Terms { both, c2p, p2c };

class Deberta final : public ContentEncoding, public ExplainableBias {
 public:
  Deberta(int span, std::optional<DebertaBuckets> buckets, Tensor pos_key, Tensor pos_query)
      : span_(span),
        buckets_(std::move(buckets)),
        pos_key_("pos_key", std::move(pos_key)),
        pos_query_("pos_query", std::move(pos_query)) {
    interfaces_.explainable = this;
  }

  Status recompute() override {
    PHASOR_TRY(pos_key_.pack());
    return pos_query_.pack();
  }

  // Includes table rows per distance, token products and packed rows, and for the backward pass the
  // gradients and transposes of the products.
  double working_bytes(const TileSizes& tile) const override {
    const double table_rows = std::min(tile.distances, 2 * span_) + kernels::kPanelColumns,
                 tokens = static_cast<double>(tile.queries) + kKeysPerGroup;
    return sizeof(int) * static_cast<double>(tile.distances) + sizeof(double) * table_rows +
           2 * packed_matrix_bytes(tokens, table_rows) +
           packed_matrix_bytes(tokens + table_rows, tile.head_dim);
  }

  std::optional<double> scale(int dim) const override {
    const int terms = (pos_key_.empty() ? 0 : 1) + (pos_query_.empty() ? 0 : 1);
    return 1 / std::sqrt(static_cast<double>(dim) * (1 + terms));
  }

  std::vector<Parameter*> parameters() override {
    if (pos_key_.empty()) return {&pos_query_.parameter};
    if (pos_query_.empty()) return {&pos_key_.parameter};
    return {&pos_key_.parameter, &pos_query_.parameter};
  }

  void add_content(const ContentTile& tile, MatrixRef scores) const override {
    const RelativePositions distances(tile.queries, tile.keys);
    const TableRows rows = find_rows(distances);
    const auto row_indices = [&](int r, int c) {
      return rows.row_of_distance.data() + distances.index(r, c);
    };
    if (!pos_key_.empty()) {
      const int first = panel_start(rows.begin);
      const Tensor products = pos_key_.multiply_rows(tile, tile.q, first, rows.end);
      for (int r = 0; r < scores.rows; ++r) {
        const float* from = matrix(products).row(r);
        const int* row = row_indices(r, 0);
        for (int c = 0; c < scores.columns; ++c) scores.row(r)[c] += from[row[c] - first];
      }
    }
    if (pos_query_.empty()) return;
    for_each_group(scores.columns, [&](int key, int keys) {
      const RowRange table_rows = find_used_rows(rows, distances, scores.rows, key, keys);
      const int first = panel_start(table_rows.begin);
      const Tensor products =
          pos_query_.multiply_rows(tile, phasor::rows_of(tile.k, key, keys), first, table_rows.end);
      const ConstMatrixRef key_products = matrix(products);
      for (int r = 0; r < scores.rows; ++r) {
        const int* row = row_indices(r, key);
        float* to = scores.row(r) + key;
        for (int c = 0; c < keys; ++c) to[c] += key_products.row(c)[row[c] - first];
      }
    });
  }

  // Sums the gradients per table row first, because many distant pairs share a row. Accumulates in
  // double, because a row may collect the gradients of all keys in a tile.
  void content_backward(const ContentTile& tile, ConstMatrixRef, ConstMatrixRef d_scores,
                        MatrixRef d_q, MatrixRef d_k) override {
    const RelativePositions distances(tile.queries, tile.keys);
    const TableRows rows = find_rows(distances);
    const auto row_indices = [&](int r, int c) {
      return rows.row_of_distance.data() + distances.index(r, c);
    };
    if (!pos_key_.empty()) {
      Tensor grads({d_scores.rows, rows.end - rows.begin});
      std::vector<double> sums(static_cast<std::size_t>(grads.shape[1]));
      for (int r = 0; r < d_scores.rows; ++r) {
        std::fill(sums.begin(), sums.end(), 0.0);
        const int* row = row_indices(r, 0);
        for (int c = 0; c < d_scores.columns; ++c)
          sums[static_cast<std::size_t>(row[c] - rows.begin)] +=
              static_cast<double>(d_scores.row(r)[c]);
        for (std::size_t n = 0; n < sums.size(); ++n)
          matrix(grads).row(r)[n] = static_cast<float>(static_cast<double>(tile.scale) * sums[n]);
      }
      pos_key_.product_backward(tile.head, matrix(grads), tile.q, rows.begin, d_q);
    }
    if (pos_query_.empty()) return;
    for_each_group(d_scores.columns, [&](int key, int keys) {
      const RowRange table_rows = find_used_rows(rows, distances, d_scores.rows, key, keys);
      Tensor grads({keys, table_rows.end - table_rows.begin});
      const MatrixRef key_grads = matrix(grads);
      for (int r = 0; r < d_scores.rows; ++r) {
        const int* row = row_indices(r, key);
        const float* from = d_scores.row(r) + key;
        for (int c = 0; c < keys; ++c)
          key_grads.row(c)[row[c] - table_rows.begin] += tile.scale * from[c];
      }
      pos_query_.product_backward(tile.head, matrix(grads), phasor::rows_of(tile.k, key, keys),
                                  table_rows.begin, phasor::rows_of(d_k, key, keys));
    });
  }

  std::vector<Step> steps(const ContentTile& pair) const override {
    const double distance = pair.queries[0] - pair.keys[0];
    std::vector<Step> out;
    if (buckets_) out.push_back({"bucket", static_cast<double>((*buckets_)(distance))});
    const int row = find_rows(RelativePositions(pair.queries, pair.keys)).begin;
    out.push_back({"row", static_cast<double>(row)});
    double sum = 0;
    const auto add_term = [&](const char* name, ConstMatrixRef vectors,
                              const RelativePositionTable& table) {
      if (table.empty()) return;
      const double product = kernels::dot_in_double(
          vectors.row(0), matrix(table.parameter.value, pair.head).row(row), vectors.columns);
      out.push_back({name, product});
      sum += product;
    };
    add_term("content to position", pair.q, pos_key_);
    add_term("position to content", pair.k, pos_query_);
    out.push_back({"bias", static_cast<double>(pair.scale) * sum});
    return out;
  }

 private:
  // Maps each distance to its table row. All rows are in [begin, end).
  struct TableRows {
    std::vector<int> row_of_distance;
    int begin = 0, end = 0;
  };

  TableRows find_rows(const RelativePositions& distances) const {
    TableRows rows{std::vector<int>(static_cast<std::size_t>(distances.count())), 2 * span_, 0};
    for (int n = 0; n < distances.count(); ++n) {
      const double distance = -distances.get_difference(n);  // i - j
      const double position = buckets_ ? static_cast<double>((*buckets_)(distance)) : distance;
      const int row =
          static_cast<int>(std::lround(std::clamp(position + span_, 0.0, 2.0 * span_ - 1)));
      rows.row_of_distance[static_cast<std::size_t>(n)] = row;
      rows.begin = std::min(rows.begin, row);
      rows.end = std::max(rows.end, row + 1);
    }
    return rows;
  }

  struct RowRange {
    int begin, end;
  };
  // Number of keys in a group. Groups are small so that they use few table rows.
  static constexpr int kKeysPerGroup = 16;

  template <class F>
  static void for_each_group(int keys, F&& f) {
    for (int key = 0; key < keys; key += kKeysPerGroup) f(key, std::min(kKeysPerGroup, keys - key));
  }

  // Finds the range of table rows that these queries and keys use. If positions are consecutive,
  // only the first and the last query are checked, because they have the outermost rows.
  static RowRange find_used_rows(const TableRows& rows, const RelativePositions& distances,
                                 int queries, int key, int keys) {
    RowRange table_rows{rows.end, rows.begin};
    const int step = distances.has_consecutive_positions() ? std::max(1, queries - 1) : 1;
    for (int r = 0; r < queries; r += step) {
      const int* row = rows.row_of_distance.data() + distances.index(r, key);
      for (int c = 0; c < keys; ++c)
        table_rows = {std::min(table_rows.begin, row[c]), std::max(table_rows.end, row[c] + 1)};
    }
    return table_rows;
  }

  int span_;  // k
  std::optional<DebertaBuckets> buckets_;
  // (heads, 2k, dim), or empty if the term is disabled
  RelativePositionTable pos_key_, pos_query_;
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  const int position_buckets = values.integer("position_buckets"),
            max_distance = values.integer("max_relative_positions");
  const int span = position_buckets > 0 ? position_buckets : max_distance;
  std::optional<DebertaBuckets> buckets;
  if (position_buckets > 0)
    PHASOR_TRY(DebertaBuckets::create(position_buckets, max_distance, span, buckets.emplace()));
  const Terms terms = values.choice<Terms>("terms");
  Tensor pos_key, pos_query;
  const auto init_table = [&](const char* name, Terms disabling_terms, int stream, Tensor& table) {
    if (terms != disabling_terms)
      return init_normal_param(values, name, "heads x 2k x dim", {dims.heads, 2 * span, dims.dim},
                               values.real("init_std"), stream, table);
    return values.tensor(name) == nullptr ? Status{}
                                          : invalid("{}: is not used by the selected terms", name);
  };
  PHASOR_TRY(init_table("pos_key", Terms::p2c, 0, pos_key));
  PHASOR_TRY(init_table("pos_query", Terms::c2p, 1, pos_query));
  auto deberta =
      std::make_unique<Deberta>(span, std::move(buckets), std::move(pos_key), std::move(pos_query));
  PHASOR_TRY(deberta->recompute());
  return EncodingResult(std::move(deberta));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::choice("terms", "c2p_p2c, c2p, p2c",
                      "Position terms: content to position and position to content (all published "
                      "models), or one of them"),
    ParamInfo::integer(
        "position_buckets", 256, 0, 4096, "buckets",
        "Number of logarithmic buckets, half of which hold one distance each; 0: one row per "
        "distance"),
    ParamInfo::integer(
        "max_relative_positions", 512, 1, 1048576, "tokens",
        "Larger distances share the last bucket, or the last row if there are no buckets"),
    ParamInfo::tensor("pos_key", "heads x 2k x dim",
                      "Trained relative embeddings, projected like keys; k is position_buckets or "
                      "max_relative_positions"),
    ParamInfo::tensor("pos_query", "heads x 2k x dim",
                      "Trained relative embeddings, projected like queries"),
    ParamInfo::real("init_std", 1, 0, 100, "", "Standard deviation of random initial values"),
    seed_param(),
};

}  // namespace

PHASOR_ENCODING(deberta) = {
    .id = "deberta",
    .injection = Deberta::kInjection,
    .learned = true,
    .relative = true,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::deberta
