// CoPE, Golovneva et al. 2024, arXiv 2405.18719: g_ij = sigmoid(scale q_i . k_j) for visible j <=
// i, p_ij = sum of g_it over t = j .. i, at most npos - 1, and q_i . e[p_ij] is added, interpolated
// between whole positions; with placement "inside" it is scaled too.

#include <algorithm>

#include "oracle.h"

namespace phasor::test {
namespace {

class Cope : public Oracle {
 public:
  explicit Cope(const Settings& s)
      : is_inside_(s.word("placement") == "inside"),
        pos_emb_(s.parameter("pos_emb")),
        gate_key_(s.array("gate_key")) {}

  Vector content_terms(const ScoreRow& row) const override {
    const std::size_t keys = row.k.size();
    Vector position_logits;  // q . e[p] for whole p
    for (int p = 0; p < pos_emb_.shape[1]; ++p) {
      double sum = 0;
      for (std::size_t c = 0; c < row.q.size(); ++c)
        sum += row.q[c] * static_cast<double>(matrix(pos_emb_).row(static_cast<int>(c))[p]);
      position_logits.push_back(sum);
    }
    Vector terms(keys);
    double position = 0;
    for (std::size_t j = keys; j-- > 0;) {
      const bool is_counted = row.j[j] <= row.i && (row.key_mask.empty() || row.key_mask[j] != 0);
      if (is_counted) position += 1 / (1 + std::exp(-row.scale * dot(row.q, gate_key(row, j))));
      const double p = std::min(position, static_cast<double>(position_logits.size() - 1)),
                   share = p - std::floor(p);
      const double lower_logit = position_logits[static_cast<std::size_t>(std::floor(p))],
                   upper_logit = position_logits[static_cast<std::size_t>(std::ceil(p))];
      terms[j] = (is_inside_ ? row.scale : 1) * (lower_logit + share * (upper_logit - lower_logit));
    }
    return terms;
  }

 private:
  Vector gate_key(const ScoreRow& row, std::size_t key) const {
    return gate_key_ == nullptr ? row.k[key] : row_of(*gate_key_, static_cast<int>(key), row.head);
  }

  bool is_inside_;
  const Tensor& pos_emb_;   // (head_dim, npos)
  const Tensor* gate_key_;  // (heads, keys, head_dim)
};

}  // namespace

PHASOR_ORACLE(cope, Cope);

}  // namespace phasor::test
