// CoPE, contextual position encoding (Golovneva, Wang, Weston and Sukhbaatar 2024, arXiv
// 2405.18719): a position is a gated count of earlier tokens, with gates computed from the content,
//   g_ij = sigmoid(q_i . k_j / sqrt(d)) for j <= i, else 0,
//   p_ij = the sum of g_it over t = j .. i, at most npos - 1,
//   S_ij = q_i . k_j / sqrt(d) + q_i . e[p_ij],
// where e[p] interpolates between the trained columns floor(p) and ceil(p) of pos_emb. `placement`:
// the paper adds q.e to the scaled scores, the authors' code (facebookresearch/RAM) by default to
// q.k before scaling. Gates may have separate keys (`gate_key`). Masked keys are not counted. The
// authors initialize pos_emb with 0; here the initial values are N(0, init_std^2) (x-transformers:
// 1), because 0 would mean no positions.

#include <algorithm>
#include <cmath>

#include "encoding_base/parameter_init.h"
#include "encoding_base/registry_entry.h"
#include "kernels/gemm.h"
#include "relative_position/relative_ops.h"

namespace phasor::encoding::cope {
namespace {

using kernels::gemm;
using kernels::matrix_bytes;
using kernels::packed_matrix_bytes;
using kernels::Transpose;

enum class Placement { outside, inside };

class Cope final : public ContentEncoding {
 public:
  Cope(Placement placement, Tensor pos_emb, Tensor gate_key)
      : placement_(placement),
        pos_emb_{"pos_emb", std::move(pos_emb)},
        gate_key_{"gate_key", std::move(gate_key)} {}

  Status recompute() override {
    PHASOR_TRY(check_memory("pos_emb", packed_matrix_bytes(pos_emb_.value.shape[0], npos())));
    packed_pos_emb_.pack(Transpose::no, matrix(pos_emb_.value));
    return {};
  }

  // Includes logits, gates, positions and products, and for the backward pass the gradients of
  // logits and products, and packed operands.
  double working_bytes(const TileSizes& tile) const override {
    const double gate_bytes = 2 * sizeof(double) * static_cast<double>(tile.keys),
                 row_bytes = sizeof(double) * static_cast<double>(npos());
    return 3 * matrix_bytes(tile.queries, tile.keys) + 3 * matrix_bytes(tile.queries, npos()) +
           gate_bytes + row_bytes + packed_matrix_bytes(tile.queries, tile.keys + npos()) +
           packed_matrix_bytes(tile.queries + tile.keys + npos(), tile.head_dim);
  }

  std::vector<Parameter*> parameters() override {
    if (gate_key_.empty()) return {&pos_emb_};
    return {&pos_emb_, &gate_key_};
  }

  bool needs_full_rows() const override { return true; }

  void add_content(const ContentTile& tile, MatrixRef scores) const override {
    const Tensor logits = compute_gate_logits(tile, scores),
                 products = gemm(product_scale(tile), tile.q, packed_pos_emb_);
    for (int r = 0; r < scores.rows; ++r) {
      std::vector<double> p = compute_gates(tile, r, matrix(logits).row(r));
      gates_to_positions(p, npos() - 1);
      const float* product = matrix(products).row(r);
      for (int c = 0; c < scores.columns; ++c)
        scores.row(r)[c] +=
            static_cast<float>(interpolate(product, p[static_cast<std::size_t>(c)]));
    }
  }

  void content_backward(const ContentTile& tile, ConstMatrixRef scores, ConstMatrixRef d_scores,
                        MatrixRef d_q, MatrixRef d_k) override {
    const int keys = scores.columns, last_position = npos() - 1;
    const Tensor logits = compute_gate_logits(tile, scores),
                 products = gemm(product_scale(tile), tile.q, packed_pos_emb_);
    Tensor d_products({scores.rows, npos()}), d_logits({scores.rows, keys});
    // Accumulates in double, because all keys with positions beyond npos - 1 share the last
    // position.
    std::vector<double> d_product(static_cast<std::size_t>(npos()));
    for (int r = 0; r < scores.rows; ++r) {
      const std::vector<double> gate = compute_gates(tile, r, matrix(logits).row(r));
      std::vector<double> p = gate;
      gates_to_positions(p, HUGE_VAL);
      const float* product = matrix(products).row(r);
      float* d_logit = matrix(d_logits).row(r);
      std::fill(d_product.begin(), d_product.end(), 0.0);
      double d_gate = 0;  // sum of the gradients of all p_j with j <= t
      for (int t = 0; t < keys; ++t) {
        const std::size_t j = static_cast<std::size_t>(t);
        const double position = std::fmin(p[j], last_position),
                     grad = static_cast<double>(d_scores.row(r)[t]),
                     weight = position - std::floor(position);
        const int floor_index = static_cast<int>(std::floor(position)),
                  ceil_index = static_cast<int>(std::ceil(position));
        d_product[static_cast<std::size_t>(floor_index)] += grad * (1 - weight);
        d_product[static_cast<std::size_t>(ceil_index)] += grad * weight;
        if (p[j] <= last_position)
          d_gate += grad * (static_cast<double>(product[ceil_index]) -
                            static_cast<double>(product[floor_index]));
        d_logit[t] = static_cast<float>(d_gate * gate[j] * (1 - gate[j]));
      }
      std::copy(d_product.begin(), d_product.end(), matrix(d_products).row(r));
    }
    gemm(Transpose::no, Transpose::yes, product_scale(tile), matrix(d_products),
         matrix(pos_emb_.value), 1, d_q);
    gemm(Transpose::yes, Transpose::no, product_scale(tile), tile.q, matrix(d_products), 1,
         matrix(pos_emb_.gradient()));
    const MatrixRef d_gate_key = gate_key_.empty() ? d_k : matrix(gate_key_.gradient(), tile.head);
    gemm(Transpose::no, Transpose::no, tile.scale, matrix(d_logits), gate_keys(tile), 1, d_q);
    gemm(Transpose::yes, Transpose::no, tile.scale, matrix(d_logits), tile.q, 1, d_gate_key);
  }

 private:
  int npos() const { return pos_emb_.value.shape[1]; }
  float product_scale(const ContentTile& tile) const {
    return placement_ == Placement::inside ? tile.scale : 1.0f;
  }
  ConstMatrixRef gate_keys(const ContentTile& tile) const {
    return gate_key_.empty() ? tile.k : matrix(gate_key_.value, tile.head);
  }

  // The gate logits (rows, keys): the scores, or the products of queries and gate keys if the
  // encoding has gate keys.
  Tensor compute_gate_logits(const ContentTile& tile, ConstMatrixRef scores) const {
    if (!gate_key_.empty())
      return gemm(tile.scale, tile.q, kernels::PackedMatrix(Transpose::yes, gate_keys(tile)));
    Tensor logits({scores.rows, scores.columns});
    for (int r = 0; r < scores.rows; ++r)
      std::copy_n(scores.row(r), scores.columns, matrix(logits).row(r));
    return logits;
  }

  std::vector<double> compute_gates(const ContentTile& tile, int r, const float* logits) const {
    std::vector<double> gates(static_cast<std::size_t>(tile.keys.count()));
    for (std::size_t j = 0; j < gates.size(); ++j) {
      const int key = static_cast<int>(j);
      const bool is_counted = tile.keys[key] <= tile.queries[r] && tile.is_unmasked(r, key);
      gates[j] = is_counted ? sigmoid(static_cast<double>(logits[j])) : 0.0;
    }
    return gates;
  }

  Placement placement_;
  Parameter pos_emb_, gate_key_;          // (dim, npos); (heads, keys, dim) or empty
  kernels::PackedMatrix packed_pos_emb_;  // pos_emb
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  Tensor pos_emb, gate_key;
  PHASOR_TRY(init_normal_param(values, "pos_emb", "dim x npos", {dims.dim, values.integer("npos")},
                               values.real("init_std"), 0, pos_emb));
  if (const Tensor* provided_keys = values.tensor("gate_key")) {
    PHASOR_TRY(copy_param("gate_key", *provided_keys, {dims.heads, dims.length, dims.dim},
                          "heads x keys x dim", gate_key));
  }
  auto cope = std::make_unique<Cope>(values.choice<Placement>("placement"), std::move(pos_emb),
                                     std::move(gate_key));
  PHASOR_TRY(cope->recompute());
  return EncodingResult(std::move(cope));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::integer("npos", 64, 1, 65536, "positions",
                       "Number of positions; larger positions are clamped to npos - 1"),
    ParamInfo::choice(
        "placement", "outside, inside",
        "Adds the positional term to the scaled scores (paper), or to q.k before scaling "
        "(the authors' code)"),
    ParamInfo::tensor("pos_emb", "dim x npos", "Trained vector for each integer position"),
    ParamInfo::tensor("gate_key", "heads x keys x dim",
                      "Separate keys for the gates; default: the keys of attention"),
    ParamInfo::real("init_std", 1, 0, 100, "", "Standard deviation of random initial values"),
    seed_param(),
};

}  // namespace

PHASOR_ENCODING(cope) = {
    .id = "cope",
    .injection = Cope::kInjection,
    .learned = true,
    .relative = true,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::cope
