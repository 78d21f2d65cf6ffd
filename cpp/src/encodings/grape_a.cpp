// GRAPE-A (Zhang et al. 2025, arXiv 2512.07805; model-architectures/GRAPE): ALiBi whose slope
// depends on the content,
//   bias_ij = -(i - j) omega_h (softplus(c u_h . k_j) + softplus(c r_h . q_i)),
// with the first term (`gate` = key), the second (query), or both. c is gate_scale, 1 / sqrt(d) in
// the authors' code but not in its comments. The code normalises u and r to length 1, and omega is
// ALiBi's slope times the softplus of a learned number; here u, r and omega are parameters. With u
// = r = 0 each term is ln 2, and GRAPE-A with one term is ALiBi with slope omega ln 2. The code is
// causal; keys on the right have distance 0. GRAPE-M without contexts is RoPE with trained
// frequencies.

#include <algorithm>
#include <cmath>

#include "encoding_base/parameter_init.h"
#include "encoding_base/registry_entry.h"
#include "kernels/gemm.h"
#include "kernels/vector_ops.h"
#include "math/scalar_math.h"
#include "phasor/relative_position.h"

namespace phasor::encoding::grape_a {
namespace {

enum class Gate { key, query, both };

class GrapeA final : public ContentEncoding {
 public:
  GrapeA(Gate gate, double gate_scale, Tensor omega, Tensor u, Tensor r)
      : gate_(gate),
        gate_scale_(gate_scale),
        omega_{"omega", std::move(omega)},
        u_{"u", std::move(u)},
        r_{"r", std::move(r)} {}

  std::vector<Parameter*> parameters() override {
    if (gate_ == Gate::key) return {&omega_, &u_};
    if (gate_ == Gate::query) return {&omega_, &r_};
    return {&omega_, &u_, &r_};
  }

  // Includes products, gates and their gradients, for queries and keys.
  double working_bytes(const TileSizes& tile) const override {
    return 4 * sizeof(double) * (static_cast<double>(tile.queries) + tile.keys) +
           sizeof(double) * static_cast<double>(tile.head_dim);
  }

  void add_content(const ContentTile& tile, MatrixRef scores) const override {
    const Gates k_gates = compute_key_gates(tile), q_gates = compute_query_gates(tile);
    const double omega = head_omega(tile.head);
    for (int i = 0; i < scores.rows; ++i) {
      for (int j = 0; j < scores.columns; ++j) {
        const double gate = k_gates.at(j) + q_gates.at(i);
        scores.row(i)[j] = static_cast<float>(static_cast<double>(scores.row(i)[j]) -
                                              distance(tile, i, j) * omega * gate);
      }
    }
  }

  void content_backward(const ContentTile& tile, ConstMatrixRef, ConstMatrixRef d_scores,
                        MatrixRef d_q, MatrixRef d_k) override {
    Gates k_gates = compute_key_gates(tile), q_gates = compute_query_gates(tile);
    const double omega = head_omega(tile.head);
    double d_omega = 0;
    for (int i = 0; i < d_scores.rows; ++i) {
      for (int j = 0; j < d_scores.columns; ++j) {
        const double d_product = -distance(tile, i, j) * static_cast<double>(d_scores.row(i)[j]);
        d_omega += d_product * (k_gates.at(j) + q_gates.at(i));
        k_gates.add_gradient(j, omega * d_product);
        q_gates.add_gradient(i, omega * d_product);
      }
    }
    omega_.gradient().data[static_cast<std::size_t>(tile.head)] += static_cast<float>(d_omega);
    if (gate_ != Gate::query) gates_backward(k_gates, tile.head, tile.k, u_, d_k);
    if (gate_ != Gate::key) gates_backward(q_gates, tile.head, tile.q, r_, d_q);
  }

 private:
  // Each array has one element per row x: products c u . x, values softplus(c u . x), and gradients
  // with respect to the values. All are empty if the term is disabled.
  struct Gates {
    std::vector<double> products{}, values{}, gradients{};
    double at(int row) const {
      return values.empty() ? 0.0 : values[static_cast<std::size_t>(row)];
    }
    void add_gradient(int row, double grad) {
      if (!gradients.empty()) gradients[static_cast<std::size_t>(row)] += grad;
    }
  };

  static double distance(const ContentTile& tile, int i, int j) {
    return std::max(tile.queries[i] - tile.keys[j], 0.0);
  }
  double head_omega(int head) const {
    return static_cast<double>(omega_.value.data[static_cast<std::size_t>(head)]);
  }
  Gates compute_key_gates(const ContentTile& tile) const {
    return gate_ == Gate::query ? Gates() : compute_gates(tile.k, matrix(u_.value).row(tile.head));
  }
  Gates compute_query_gates(const ContentTile& tile) const {
    return gate_ == Gate::key ? Gates() : compute_gates(tile.q, matrix(r_.value).row(tile.head));
  }

  Gates compute_gates(ConstMatrixRef rows, const float* direction) const {
    const auto count = static_cast<std::size_t>(rows.rows);
    Gates out{std::vector<double>(count), std::vector<double>(count), std::vector<double>(count)};
    for (std::size_t n = 0; n < count; ++n) {
      out.products[n] = gate_scale_ * kernels::dot_in_double(rows.row(static_cast<int>(n)),
                                                             direction, rows.columns);
      out.values[n] = softplus(out.products[n]);
    }
    return out;
  }

  // Adds to d_rows and to the gradient of `direction` (u or r).
  void gates_backward(const Gates& gates, int head, ConstMatrixRef rows, Parameter& direction,
                      MatrixRef d_rows) {
    const float* gate_vector = matrix(std::as_const(direction.value)).row(head);
    std::vector<double> d_gate_vector(static_cast<std::size_t>(rows.columns));
    for (int n = 0; n < rows.rows; ++n) {
      const auto row = static_cast<std::size_t>(n);
      const double d =
          gates.gradients[row] * softplus_derivative(gates.products[row]) * gate_scale_;
      for (int c = 0; c < rows.columns; ++c) {
        d_rows.row(n)[c] += static_cast<float>(d * static_cast<double>(gate_vector[c]));
        d_gate_vector[static_cast<std::size_t>(c)] += d * static_cast<double>(rows.row(n)[c]);
      }
    }
    float* to = matrix(direction.gradient()).row(head);
    for (int c = 0; c < rows.columns; ++c)
      to[c] += static_cast<float>(d_gate_vector[static_cast<std::size_t>(c)]);
  }

  Gate gate_;
  double gate_scale_;
  Parameter omega_;  // (heads)
  Parameter u_, r_;  // (heads, dim), or empty if the term is disabled
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  const Gate gate = values.choice<Gate>("gate");
  const int heads = dims.heads, dim = dims.dim;
  for (const char* name : {"u", "r"}) {
    const bool is_used = gate == Gate::both || (gate == Gate::key) == (name[0] == 'u');
    if (!is_used && values.tensor(name) != nullptr)
      return invalid("{}: has no effect unless {} have a gate", name,
                     name[0] == 'u' ? "keys" : "queries");
  }
  Tensor omega, u, r;
  if (const Tensor* provided_omega = values.tensor("omega")) {
    PHASOR_TRY(copy_param("omega", *provided_omega, {heads}, "heads", omega));
  } else {
    std::vector<double> slopes;
    PHASOR_TRY(alibi_slopes(heads).move_to(slopes));
    omega = Tensor({heads}, {slopes.begin(), slopes.end()});
  }
  // Initial vectors have a norm of about 1, as in the authors' code.
  const double init_std = 1 / std::sqrt(static_cast<double>(dim));
  if (gate != Gate::query)
    PHASOR_TRY(init_normal_param(values, "u", "heads x dim", {heads, dim}, init_std, 0, u));
  if (gate != Gate::key)
    PHASOR_TRY(init_normal_param(values, "r", "heads x dim", {heads, dim}, init_std, 1, r));
  const double scale = values.real("gate_scale");
  return EncodingResult(std::make_unique<GrapeA>(gate, scale > 0 ? scale : init_std,
                                                 std::move(omega), std::move(u), std::move(r)));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::choice("gate", "key, query, both",
                      "Tokens that change the slope: keys, queries or both"),
    ParamInfo::real("gate_scale", 0, 0, 1000, "",
                    "Scale of the dot products in the gates; 0: 1 / sqrt(dim)"),
    ParamInfo::tensor("omega", "heads", "Trained slope of each head; default: the ALiBi slope"),
    ParamInfo::tensor("u", "heads x dim", "Trained vector of the key gate")
        .only_with("gate", "key, both"),
    ParamInfo::tensor("r", "heads x dim", "Trained vector of the query gate")
        .only_with("gate", "query, both"),
    seed_param(),
};

}  // namespace

PHASOR_ENCODING(grape_a) = {
    .id = "grape_a",
    .injection = GrapeA::kInjection,
    .learned = true,
    .relative = true,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::grape_a
