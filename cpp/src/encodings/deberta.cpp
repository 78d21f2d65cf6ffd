// DeBERTa's disentangled attention (He, Liu, Gao and Chen 2021, arXiv 2006.03654; buckets from version 3, 2111.09543): besides
// content to content, content to position and position to content,
//   S_ij = (q_i . k_j + q_i . K^r[d(i, j)] + k_j . Q^r[d(i, j)]) / sqrt(d (1 + number of terms)),
// where K^r = P W_k and Q^r = P W_q are projections of one table P of 2k relative positions, given here already projected. The
// distance is i - j (T5 and Shaw have j - i), put into logarithmic buckets (math/buckets.h; k = position_buckets) or used as it is
// (position_buckets 0, Hugging Face's -1; k = max_relative_positions), then d = clip(i - j + k, 0, 2k - 1). Both terms use the same
// row: in the paper p2c looks at d(j, i) from the key's side. The tables are drawn from N(0, init_std^2); 1 is what a
// layer-normed table has.

#include <algorithm>
#include <cmath>
#include <limits>

#include "encoding/encoding_type.h"
#include "encoding/learned.h"
#include "kernels/gemm.h"
#include "kernels/relative_positions.h"
#include "kernels/rows.h"
#include "phasor/stepped_bias.h"
#include "relative/buckets.h"

namespace phasor {
namespace {

enum class Terms { both, c2p, p2c };

class Deberta final : public ContentEncoding, public SteppedBias {
 public:
  Deberta(int span, std::optional<DebertaBuckets> buckets, Tensor pos_key, Tensor pos_query)
      : span_(span), buckets_(std::move(buckets)), pos_key_{"pos_key", std::move(pos_key)}, pos_query_{"pos_query", std::move(pos_query)} {
    enters_.stepped = this;
    parameters_changed();
  }

  void parameters_changed() override {
    packed_ = std::vector<kernels::PackedMatrix>(pos_key_.empty() ? 0 : static_cast<std::size_t>(pos_key_.value.shape[0]));
    for (int h = 0; kernels::PackedMatrix & packed : packed_) packed.pack(kernels::Transpose::yes, matrix(pos_key_.value, h++));
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
    const kernels::RelativePositions distances(tile.queries, tile.keys);
    const std::vector<int> rows = rows_of(distances);
    Tensor products;
    if (!pos_key_.empty()) products = kernels::gemm(tile.scale, tile.q, packed_[static_cast<std::size_t>(tile.head)]);  // (rows, 2k)
    const ConstMatrixRef by_key = pos_key_.empty() ? ConstMatrixRef() : matrix(std::as_const(products)),
                         pos_query = pos_query_.empty() ? ConstMatrixRef() : matrix(pos_query_.value, tile.head);
    for (int r = 0; r < scores.rows; ++r) {
      const int* row = rows.data() + distances.index(r, 0);
      float* to = scores.row(r);
      for (int c = 0; c < scores.columns && by_key.rows > 0; ++c) to[c] += by_key.row(r)[row[c]];
      for (int c = 0; c < scores.columns && pos_query.rows > 0; ++c)
        to[c] += tile.scale * kernels::dot(tile.k.row(c), pos_query.row(row[c]), pos_query.columns);
    }
  }

  void content_backward(const ContentTile& tile, ConstMatrixRef, ConstMatrixRef d_scores, MatrixRef d_q, MatrixRef d_k) override {
    const kernels::RelativePositions distances(tile.queries, tile.keys);
    const std::vector<int> rows = rows_of(distances);
    const int width = tile.q.columns;
    ConstMatrixRef key, query;
    MatrixRef d_key, d_query;
    if (!pos_key_.empty()) {
      key = matrix(pos_key_.value, tile.head);
      d_key = matrix(pos_key_.gradient(), tile.head);
    }
    if (!pos_query_.empty()) {
      query = matrix(pos_query_.value, tile.head);
      d_query = matrix(pos_query_.gradient(), tile.head);
    }
    for (int r = 0; r < d_scores.rows; ++r) {
      for (int c = 0; c < d_scores.columns; ++c) {
        const int row = rows[static_cast<std::size_t>(distances.index(r, c))];
        const float slope = tile.scale * d_scores.row(r)[c];
        if (key.rows > 0) {
          kernels::add_scaled(d_q.row(r), slope, key.row(row), width);
          kernels::add_scaled(d_key.row(row), slope, tile.q.row(r), width);
        }
        if (query.rows > 0) {
          kernels::add_scaled(d_k.row(c), slope, query.row(row), width);
          kernels::add_scaled(d_query.row(row), slope, tile.k.row(c), width);
        }
      }
    }
  }

  void steps(const ContentTile& pair, std::vector<Step>& out) const override {
    const double back = pair.queries[0] - pair.keys[0];
    if (buckets_) append({{"bucket", static_cast<double>((*buckets_)(back))}}, out);
    const int row = rows_of(kernels::RelativePositions(pair.queries, pair.keys)).front();
    append({{"row", static_cast<double>(row)}}, out);
    double sum = 0;
    const auto add = [&](const char* name, ConstMatrixRef content, const Parameter& table) {
      if (table.empty()) return;
      const double product = kernels::double_dot(content.row(0), matrix(table.value, pair.head).row(row), content.columns);
      append({{name, product}}, out);
      sum += product;
    };
    add("content to position", pair.q, pos_key_);
    add("position to content", pair.k, pos_query_);
    append({{"bias", static_cast<double>(pair.scale) * sum}}, out);
  }

 private:
  // The row of the tables for each distance.
  std::vector<int> rows_of(const kernels::RelativePositions& distances) const {
    std::vector<int> rows;
    for (int n = 0; n < distances.count(); ++n) {
      const double back = -distances.value(n);  // i - j
      const double position = buckets_ ? static_cast<double>((*buckets_)(back)) : back;
      rows.push_back(static_cast<int>(std::lround(std::clamp(position + span_, 0.0, 2.0 * span_ - 1))));
    }
    return rows;
  }

  int span_;  // k
  std::optional<DebertaBuckets> buckets_;
  Parameter pos_key_, pos_query_;              // (heads, 2k, width), empty when the term is left out
  std::vector<kernels::PackedMatrix> packed_;  // pos_key of each head, transposed
};

Status create(const Values& values, const Geometry& geometry, std::unique_ptr<Encoding>& out) {
  const int position_buckets = values.integer("position_buckets"), furthest = values.integer("max_relative_positions");
  const int span = position_buckets > 0 ? position_buckets : furthest;
  std::optional<DebertaBuckets> buckets;
  if (position_buckets > 0) PHASOR_TRY(DebertaBuckets::create(position_buckets, furthest, span, buckets.emplace()));
  const Terms terms = values.choice<Terms>("terms");
  Tensor pos_key, pos_query;
  const auto take = [&](const char* name, Terms without, int stream, Tensor& table) {
    if (terms != without)
      return given_or_gaussian(values, name, "heads x 2k x width", {geometry.heads, 2 * span, geometry.width}, values.real("init_std"),
                               stream, table);
    return values.tensor(name) == nullptr ? Status{} : invalid("{}: it is given, but terms leaves it out", name);
  };
  PHASOR_TRY(take("pos_key", Terms::p2c, 0, pos_key));
  PHASOR_TRY(take("pos_query", Terms::c2p, 1, pos_query));
  out = std::make_unique<Deberta>(span, std::move(buckets), std::move(pos_key), std::move(pos_query));
  return {};
}

constexpr ParamSpec kParams[] = {
    ParamSpec::choice("terms", "c2p_p2c, c2p, p2c", "Content to position and position to content (all published models), or one of them"),
    ParamSpec::integer("position_buckets", 256, 0, 4096, "buckets",
                       "Logarithmic buckets, half of them exact; 0: every distance has its own row"),
    ParamSpec::integer("max_relative_positions", 512, 1, 1048576, "tokens",
                       "Distance at which the buckets end, or the rows without buckets"),
    ParamSpec::tensor("pos_key", "heads x 2k x width",
                      "Trained relative positions projected like keys; k is position_buckets or max_relative_positions"),
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
    .packed_params = pack<kParams>,
    .create = create,
};

}  // namespace phasor
