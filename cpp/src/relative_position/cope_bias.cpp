#include "core/format_error.h"
#include "phasor/relative.h"
#include "relative_position/contextual_position.h"

namespace phasor {

Result<Tensor> cope_bias(const Tensor& q, const Tensor& gate_logits, const Tensor& pos_emb) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    if (q.rank() != 3 || q.empty())
      return invalid("q: its shape is {}; heads x queries x width is needed", q.shape);
    PHASOR_TRY(check_tensor("q", q));
    const int heads = q.shape[0], queries = q.shape[1], width = q.shape[2];
    if (gate_logits.rank() != 3 || gate_logits.empty() || gate_logits.shape[0] != heads ||
        gate_logits.shape[1] != queries) {
      return invalid("gate_logits: its shape is {}; {} x {} x keys is needed", gate_logits.shape,
                     heads, queries);
    }
    PHASOR_TRY(check_tensor("gate_logits", gate_logits));
    if (pos_emb.rank() != 2 || pos_emb.empty() || pos_emb.shape[0] != width) {
      return invalid("pos_emb: its shape is {}; {} x npos is needed", pos_emb.shape, width);
    }
    PHASOR_TRY(check_tensor("pos_emb", pos_emb));
    const int keys = gate_logits.shape[2], npos = pos_emb.shape[1];
    PHASOR_TRY(check_size("gate_logits", "a bias", {heads, queries, keys}));
    PHASOR_TRY(check_room("gate_logits", bytes_of({heads, queries, keys}) +
                                             sizeof(double) * static_cast<double>(keys) +
                                             bytes_of({npos})));
    out = Tensor({heads, queries, keys});
    std::vector<double> positions(static_cast<std::size_t>(keys));
    std::vector<float> products(static_cast<std::size_t>(npos));
    for (int h = 0; h < heads; ++h) {
      for (int i = 0; i < queries; ++i) {
        const float* logits = matrix(gate_logits, h).row(i);
        for (int j = 0; j < keys; ++j)
          positions[static_cast<std::size_t>(j)] = sigmoid(static_cast<double>(logits[j]));
        count_gates(positions, npos - 1);
        for (int p = 0; p < npos; ++p) {
          double sum = 0;
          for (int c = 0; c < width; ++c)
            sum += static_cast<double>(matrix(q, h).row(i)[c]) *
                   static_cast<double>(matrix(pos_emb).row(c)[p]);
          products[static_cast<std::size_t>(p)] = static_cast<float>(sum);
        }
        for (int j = 0; j < keys; ++j)
          matrix(out, h).row(i)[j] =
              static_cast<float>(between(products.data(), positions[static_cast<std::size_t>(j)]));
      }
    }
    return check_result("q", out.data, "its product with pos_emb");
  });
}

}  // namespace phasor
