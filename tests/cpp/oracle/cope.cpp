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
      : inside_(s.word("placement") == "inside"),
        pos_emb_(s.trained("pos_emb")),
        gate_key_(s.array("gate_key")) {}

  Vector contents(const ScoreRow& row) const override {
    const std::size_t keys = row.k.size();
    Vector logit_of_position;  // q . e[p] for whole p
    for (int p = 0; p < pos_emb_.shape[1]; ++p) {
      double sum = 0;
      for (std::size_t c = 0; c < row.q.size(); ++c)
        sum += row.q[c] * static_cast<double>(matrix(pos_emb_).row(static_cast<int>(c))[p]);
      logit_of_position.push_back(sum);
    }
    Vector added(keys);
    double position = 0;
    for (std::size_t j = keys; j-- > 0;) {
      const bool seen = row.j[j] <= row.i && (row.key_mask.empty() || row.key_mask[j] != 0);
      if (seen) position += 1 / (1 + std::exp(-row.scale * dot(row.q, gate_key(row, j))));
      const double p = std::min(position, static_cast<double>(logit_of_position.size() - 1)),
                   share = p - std::floor(p);
      const double below = logit_of_position[static_cast<std::size_t>(std::floor(p))],
                   above = logit_of_position[static_cast<std::size_t>(std::ceil(p))];
      added[j] = (inside_ ? row.scale : 1) * (below + share * (above - below));
    }
    return added;
  }

 private:
  Vector gate_key(const ScoreRow& row, std::size_t key) const {
    return gate_key_ == nullptr ? row.k[key] : row_of(*gate_key_, static_cast<int>(key), row.head);
  }

  bool inside_;
  const Tensor& pos_emb_;   // (head_dim, npos)
  const Tensor* gate_key_;  // (heads, keys, head_dim)
};

}  // namespace

PHASOR_ORACLE(cope, Cope);

}  // namespace phasor::test
