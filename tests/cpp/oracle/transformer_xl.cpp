// S_ij = ((q_i + u_h) . k_j + (q_i + v_h) . (W_r r_{i-j})_h) / sqrt(d), Dai et al. 2019, arXiv
// 1901.02860.

#include <algorithm>

#include "oracle.h"

namespace phasor::test {
namespace {

class TransformerXl : public Oracle {
 public:
  explicit TransformerXl(const Settings& s)
      : base_(s.number("base")),
        clamp_(s.number("clamp_len")),
        interleaved_(s.word("layout") == "interleaved"),
        u_(s.parameter("u")),
        v_(s.parameter("v")),
        w_r_(s.parameter("w_r")) {}

  Vector content_terms(const ScoreRow& row) const override {
    const int dim = static_cast<int>(row.q.size());
    const Vector u = row_of(u_, row.head), v = row_of(v_, row.head);
    // (q + v) . (W_r r) = ((q + v) W_r) . r (D): a row needs only one product with W_r.
    Vector projected_query(static_cast<std::size_t>(w_r_.shape[1]));
    for (int c = 0; c < dim; ++c) {
      const Vector w = row_of(w_r_, row.head * dim + c);
      const auto index = static_cast<std::size_t>(c);
      for (std::size_t x = 0; x < projected_query.size(); ++x)
        projected_query[x] += (row.q[index] + v[index]) * w[x];
    }
    Vector terms;
    for (std::size_t key = 0; key < row.k.size(); ++key) {
      terms.push_back(row.scale *
                      (dot(u, row.k[key]) + dot(projected_query, sinusoid(row.i - row.j[key]))));
    }
    return terms;
  }

 private:
  Vector sinusoid(double m) const {
    if (clamp_ > 0) m = std::clamp(m, -clamp_, clamp_);
    const std::size_t dim = static_cast<std::size_t>(w_r_.shape[1]), half = dim / 2;
    Vector r(dim);
    for (std::size_t t = 0; t < half; ++t) {
      const double angle =
          m / std::pow(base_, 2.0 * static_cast<double>(t) / static_cast<double>(dim));
      r[interleaved_ ? 2 * t : t] = std::sin(angle);
      r[interleaved_ ? 2 * t + 1 : half + t] = std::cos(angle);
    }
    return r;
  }

  double base_, clamp_;
  bool interleaved_;
  const Tensor &u_, &v_, &w_r_;  // (heads, dim), (heads, dim), (heads * dim, D)
};

}  // namespace

PHASOR_ORACLE(transformer_xl, TransformerXl);

}  // namespace phasor::test
