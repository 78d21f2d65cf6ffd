// DAPE, Zheng et al. 2024, arXiv 2405.14722: B + W2 LeakyReLU(W1 [s; B] + b1) + b2 over the heads,
// with B from the oracle of another encoding.

#include <cmath>

#include "oracle.h"

namespace phasor::test {
namespace {

std::vector<Vector> split_rows(const Tensor& matrix) {
  std::vector<Vector> rows;
  for (int n = 0; n < matrix.shape[0]; ++n) rows.push_back(row_of(matrix, n));
  return rows;
}

class Dape : public Oracle {
 public:
  explicit Dape(const Settings& s)
      : heads_(s.geometry.heads),
        negative_slope_(s.number("negative_slope")),
        w1_(split_rows(s.parameter("w1"))),
        b1_(s.parameter("b1")),
        w2_(split_rows(s.parameter("w2"))),
        b2_(s.parameter("b2")) {
    config_.id = s.word("bias");
    for (const char* name :
         {"r1", "r2", "slopes", "w1", "b1", "w2", "b2", "c", "l_multiplier", "table"}) {
      if (const Tensor* provided = s.array("bias_" + std::string(name)))
        config_.params[name] = *provided;
    }
    if (s.word("right") == "zero") {
      if (config_.id == "kerple") config_.params["right"] = std::string("zero");
      if (config_.id == "alibi") config_.params["form"] = std::string("causal");
      if (config_.id == "t5") config_.params["bidirectional"] = false;
    }
    bias_ = make_oracle(config_, s.geometry);
  }

  double content_term(const ScoreRow& row, std::size_t key) const override {
    Vector inputs;
    for (const Vector& products : row.products) inputs.push_back(products[key]);
    for (int h = 0; h < heads_; ++h) inputs.push_back(bias_->bias(h, row.i, row.j[key]));
    const auto element = [](const Tensor& t, int n) {
      return static_cast<double>(t.data[static_cast<std::size_t>(n)]);
    };
    const Vector& out = w2_[static_cast<std::size_t>(row.head)];
    double sum = inputs[static_cast<std::size_t>(heads_ + row.head)] + element(b2_, row.head);
    for (std::size_t u = 0; u < w1_.size(); ++u) {
      const double x = dot(w1_[u], inputs) + element(b1_, static_cast<int>(u));
      sum += out[u] * (x < 0 ? negative_slope_ * x : x);
    }
    return sum;
  }

 private:
  int heads_;
  double negative_slope_;
  std::vector<Vector> w1_;  // (units, 2 * heads)
  const Tensor& b1_;
  std::vector<Vector> w2_;  // (heads, units)
  const Tensor& b2_;
  EncodingConfig config_;
  std::unique_ptr<Oracle> bias_;
};

}  // namespace

PHASOR_ORACLE(dape, Dape);

}  // namespace phasor::test
