// DeBERTa's disentangled attention (He, Liu, Gao and Chen 2021, arXiv 2006.03654; buckets from
// version 3, 2111.09543): besides content to content, content to position and position to content,
//   S_ij = (q_i . k_j + q_i . K^r[d(i, j)] + k_j . Q^r[d(i, j)]) / sqrt(d (1 + number of terms)),
// where K^r = P W_k and Q^r = P W_q are projections of one table P of 2k relative positions, given
// here already projected. The distance is i - j (T5 and Shaw have j - i), put into logarithmic
// buckets (math/buckets.h; k = position_buckets) or used as it is (position_buckets 0, Hugging
// Face's -1; k = max_relative_positions), then d = clip(i - j + k, 0, 2k - 1). Both terms use the
// same row: in the paper p2c looks at d(j, i) from the key's side. The tables are drawn from N(0,
// init_std^2); 1 is what a layer-normed table has.

#include <algorithm>
#include <cmath>
#include <limits>

#include "encoding/learned.h"
#include "encoding/registry_entry.h"
#include "kernels/gemm.h"
#include "kernels/rows.h"
#include "phasor/stepped_bias.h"
#include "relative/buckets.h"
#include "relative/relative_positions.h"

namespace phasor::encoding::deberta {
namespace {

using kernels::packed_matrix_bytes;

enum class Terms { both, c2p, p2c };

class Deberta final : public ContentEncoding, public SteppedBias {
 public:
  Deberta(int span, std::optional<DebertaBuckets> buckets, Tensor pos_key, Tensor pos_query)
      : span_(span),
        buckets_(std::move(buckets)),
        pos_key_{"pos_key", std::move(pos_key)},
        pos_query_{"pos_query", std::move(pos_query)} {
    enters_.stepped = this;
  }

  Status recompute() override {
    if (pos_key_.empty()) return {};
    const std::vector<int>& shape = pos_key_.value.shape;
    PHASOR_TRY(check_room("pos_key", shape[0] * packed_matrix_bytes(shape[1], shape[2])));
    packed_.resize(static_cast<std::size_t>(shape[0]));
    for (int h = 0; kernels::PackedMatrix & packed : packed_)
      packed.pack(kernels::Transpose::yes, matrix(pos_key_.value, h++));
    return {};
  }

  // The row of each distance; of the rows that are met the products with queries, or in double what
  // queries and keys have of each.
  double working_bytes(const TileSizes& tile) const override {
    const double met = std::min(tile.distances, 2 * span_) + kernels::kPanel,
                 tokens = static_cast<double>(tile.queries) + tile.keys;
    return sizeof(int) * static_cast<double>(tile.distances) +
           sizeof(double) * (met * tokens + tile.width);
  }

  std::optional<double> scale(int width) const override {
    const int terms = (pos_key_.empty() ? 0 : 1) + (pos_query_.empty() ? 0 : 1);
    return 1 / std::sqrt(static_cast<double>(width) * (1 + terms));
  }

  std::vector<Parameter*> parameters() override {
    if (pos_key_.empty()) return {&pos_query_};
    if (pos_query_.empty()) return {&pos_key_};
    return {&pos_key_, &pos_query_};
  }

  void add_content(const ContentTile& tile, MatrixRef scores) const override {
    const RelativePositions distances(tile.queries, tile.keys);
    const Rows rows = rows_of(distances);
    Tensor products;  // (rows, those of the table that are met), from the start of a panel on
    const int first = rows.first / kernels::kPanel * kernels::kPanel;
    if (!pos_key_.empty()) {
      const kernels::Panels table = packed_[static_cast<std::size_t>(tile.head)];
      products = kernels::gemm(tile.scale, tile.q, table.columns_from(first, rows.last - first));
    }
    const ConstMatrixRef by_key =
                             pos_key_.empty() ? ConstMatrixRef() : matrix(std::as_const(products)),
                         pos_query = pos_query_.empty() ? ConstMatrixRef()
                                                        : matrix(pos_query_.value, tile.head);
    for (int r = 0; r < scores.rows; ++r) {
      const int* row = rows.of_distance.data() + distances.index(r, 0);
      float* to = scores.row(r);
      for (int c = 0; c < scores.columns && by_key.rows > 0; ++c)
        to[c] += by_key.row(r)[row[c] - first];
      for (int c = 0; c < scores.columns && pos_query.rows > 0; ++c)
        to[c] += tile.scale * kernels::dot(tile.k.row(c), pos_query.row(row[c]), pos_query.columns);
    }
  }

  // What every pair of a query and a key adds is summed up in double, first by rows of the tables:
  // many pairs far apart share one.
  void content_backward(const ContentTile& tile, ConstMatrixRef, ConstMatrixRef d_scores,
                        MatrixRef d_q, MatrixRef d_k) override {
    const RelativePositions distances(tile.queries, tile.keys);
    const Rows rows = rows_of(distances);
    const std::size_t met = static_cast<std::size_t>(rows.last - rows.first);
    const auto part = [&](Parameter& table) {
      return phasor::rows_of(matrix(table.gradient(), tile.head), rows.first,
                             rows.last - rows.first);
    };
    const auto sums = [&](int count, auto&& token_of) {
      std::vector<double> all(static_cast<std::size_t>(count) * met);
      for (int r = 0; r < d_scores.rows; ++r) {
        for (int c = 0; c < d_scores.columns; ++c) {
          const int row =
              rows.of_distance[static_cast<std::size_t>(distances.index(r, c))] - rows.first;
          all[static_cast<std::size_t>(token_of(r, c)) * met + static_cast<std::size_t>(row)] +=
              static_cast<double>(d_scores.row(r)[c]);
        }
      }
      return all;
    };
    const double scale = static_cast<double>(tile.scale);
    const auto add = [&](const std::vector<double>& of_token, Parameter& table,
                         ConstMatrixRef tokens, MatrixRef d_tokens) {
      const ConstMatrixRef values = phasor::rows_of(matrix(std::as_const(table.value), tile.head),
                                                    rows.first, rows.last - rows.first);
      add_product(of_token.data(), met, 1, scale, values, d_tokens);
      add_product(of_token.data(), 1, met, scale, tokens, part(table));
    };
    if (!pos_key_.empty())
      add(sums(d_scores.rows, [](int r, int) { return r; }), pos_key_, tile.q, d_q);
    if (!pos_query_.empty())
      add(sums(d_scores.columns, [](int, int c) { return c; }), pos_query_, tile.k, d_k);
  }

  std::vector<Step> steps(const ContentTile& pair) const override {
    const double back = pair.queries[0] - pair.keys[0];
    std::vector<Step> out;
    if (buckets_) out.push_back({"bucket", static_cast<double>((*buckets_)(back))});
    const int row = rows_of(RelativePositions(pair.queries, pair.keys)).first;
    out.push_back({"row", static_cast<double>(row)});
    double sum = 0;
    const auto add = [&](const char* name, ConstMatrixRef content, const Parameter& table) {
      if (table.empty()) return;
      const double product = kernels::double_dot(
          content.row(0), matrix(table.value, pair.head).row(row), content.columns);
      out.push_back({name, product});
      sum += product;
    };
    add("content to position", pair.q, pos_key_);
    add("position to content", pair.k, pos_query_);
    out.push_back({"bias", static_cast<double>(pair.scale) * sum});
    return out;
  }

 private:
  // The row of the tables for each distance; all are in [first, last).
  struct Rows {
    std::vector<int> of_distance;
    int first = 0, last = 0;
  };

  Rows rows_of(const RelativePositions& distances) const {
    Rows rows{std::vector<int>(static_cast<std::size_t>(distances.count())), 2 * span_, 0};
    for (int n = 0; n < distances.count(); ++n) {
      const double back = -distances.value(n);  // i - j
      const double position = buckets_ ? static_cast<double>((*buckets_)(back)) : back;
      const int row =
          static_cast<int>(std::lround(std::clamp(position + span_, 0.0, 2.0 * span_ - 1)));
      rows.of_distance[static_cast<std::size_t>(n)] = row;
      rows.first = std::min(rows.first, row);
      rows.last = std::max(rows.last, row + 1);
    }
    return rows;
  }

  // to (n, width) += factor a (n, b.rows) b, summed up in double; element (i, j) of a is a[i * down
  // + j * right].
  static void add_product(const double* a, std::size_t down, std::size_t right, double factor,
                          ConstMatrixRef b, MatrixRef to) {
    std::vector<double> sums(static_cast<std::size_t>(b.columns));
    for (int i = 0; i < to.rows; ++i) {
      std::fill(sums.begin(), sums.end(), 0.0);
      for (int j = 0; j < b.rows; ++j) {
        const double share =
            a[static_cast<std::size_t>(i) * down + static_cast<std::size_t>(j) * right];
        if (share != 0) kernels::add_scaled(sums.data(), factor * share, b.row(j), b.columns);
      }
      for (int x = 0; x < b.columns; ++x)
        to.row(i)[x] += static_cast<float>(sums[static_cast<std::size_t>(x)]);
    }
  }

  int span_;  // k
  std::optional<DebertaBuckets> buckets_;
  // (heads, 2k, width), empty when the term is left out
  Parameter pos_key_, pos_query_;
  std::vector<kernels::PackedMatrix> packed_;  // pos_key of each head, transposed
};

Made create(const Values& values, const Geometry& geometry) {
  const int position_buckets = values.integer("position_buckets"),
            furthest = values.integer("max_relative_positions");
  const int span = position_buckets > 0 ? position_buckets : furthest;
  std::optional<DebertaBuckets> buckets;
  if (position_buckets > 0)
    PHASOR_TRY(DebertaBuckets::create(position_buckets, furthest, span, buckets.emplace()));
  const Terms terms = values.choice<Terms>("terms");
  Tensor pos_key, pos_query;
  const auto take = [&](const char* name, Terms without, int stream, Tensor& table) {
    if (terms != without)
      return given_or_gaussian(values, name, "heads x 2k x width",
                               {geometry.heads, 2 * span, geometry.width}, values.real("init_std"),
                               stream, table);
    return values.tensor(name) == nullptr
               ? Status{}
               : invalid("{}: it is given, but terms leaves it out", name);
  };
  PHASOR_TRY(take("pos_key", Terms::p2c, 0, pos_key));
  PHASOR_TRY(take("pos_query", Terms::c2p, 1, pos_query));
  auto deberta =
      std::make_unique<Deberta>(span, std::move(buckets), std::move(pos_key), std::move(pos_query));
  PHASOR_TRY(deberta->recompute());
  return Made(std::move(deberta));
}

constexpr ParamSpec kParams[] = {
    ParamSpec::choice(
        "terms", "c2p_p2c, c2p, p2c",
        "Content to position and position to content (all published models), or one of them"),
    ParamSpec::integer(
        "position_buckets", 256, 0, 4096, "buckets",
        "Logarithmic buckets, half of them exact; 0: every distance has its own row"),
    ParamSpec::integer("max_relative_positions", 512, 1, 1048576, "tokens",
                       "Distance at which the buckets end, or the rows without buckets"),
    ParamSpec::tensor("pos_key", "heads x 2k x width",
                      "Trained relative positions projected like keys; k is position_buckets or "
                      "max_relative_positions"),
    ParamSpec::tensor("pos_query", "heads x 2k x width", "The same projected like queries"),
    ParamSpec::real("init_std", 1, 0, 100, "", "Standard deviation of tables that are not given"),
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
