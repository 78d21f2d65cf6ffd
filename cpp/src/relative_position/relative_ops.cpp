#include "relative_position/relative_ops.h"

#include <bit>

#include "core/format_error.h"
#include "math/scalar_math.h"
#include "phasor/relative_position.h"

namespace phasor {

Result<std::vector<double>> alibi_slopes(int heads, double bias_max) {
  return Result<std::vector<double>>::from([&](std::vector<double>& out) -> Status {
    PHASOR_TRY(check_extent("heads", heads));
    PHASOR_TRY(check_range(argument("bias_max"), bias_max, 0, 1000));
    PHASOR_TRY(check_memory("heads", sizeof(double) * static_cast<double>(heads)));
    const int power_of_two = static_cast<int>(std::bit_floor(static_cast<unsigned>(heads)));
    out.reserve(static_cast<std::size_t>(heads));
    for (int h = 1; h <= power_of_two; ++h) out.push_back(power(2, -bias_max * h / power_of_two));
    for (int h = 1; static_cast<int>(out.size()) < heads; h += 2)
      out.push_back(power(2, -bias_max * h / (2 * power_of_two)));
    return {};
  });
}

// Prepends a 0 to each row, flattens the result, drops the first `queries` elements and splits the
// rest into rows of the original length.
Result<Tensor> relative_shift(const Tensor& x) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_tensor("x", x));
    if (x.rank() != 2 || x.empty())
      return invalid("x: has shape {}; expected queries x keys", x.shape);
    PHASOR_TRY(check_size("x", "a shifted copy", x.shape));
    out = Tensor(x.shape);
    const std::size_t keys = static_cast<std::size_t>(x.shape[1]), padded_row = keys + 1;
    for (std::size_t i = 0; i < out.data.size(); ++i) {
      const std::size_t from = i + static_cast<std::size_t>(x.shape[0]);
      if (from % padded_row != 0)
        out.data[i] = x.data[from / padded_row * keys + from % padded_row - 1];
    }
    return {};
  });
}

Result<Tensor> cope_bias(const Tensor& q, const Tensor& gate_logits, const Tensor& pos_emb) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_tensor("q", q));
    if (q.rank() != 3 || q.empty())
      return invalid("q: has shape {}; expected heads x queries x dim", q.shape);
    const int heads = q.shape[0], queries = q.shape[1], dim = q.shape[2];
    PHASOR_TRY(check_tensor("gate_logits", gate_logits));
    if (gate_logits.rank() != 3 || gate_logits.empty() || gate_logits.shape[0] != heads ||
        gate_logits.shape[1] != queries) {
      return invalid("gate_logits: has shape {}; expected {} x {} x keys", gate_logits.shape, heads,
                     queries);
    }
    PHASOR_TRY(check_tensor("pos_emb", pos_emb));
    if (pos_emb.rank() != 2 || pos_emb.empty() || pos_emb.shape[0] != dim) {
      return invalid("pos_emb: has shape {}; expected {} x npos", pos_emb.shape, dim);
    }
    const int keys = gate_logits.shape[2], npos = pos_emb.shape[1];
    PHASOR_TRY(check_size("gate_logits", "a bias", {heads, queries, keys}));
    PHASOR_TRY(check_memory("gate_logits", array_bytes({heads, queries, keys}) +
                                               sizeof(double) * static_cast<double>(keys) +
                                               array_bytes({npos})));
    out = Tensor({heads, queries, keys});
    std::vector<double> positions(static_cast<std::size_t>(keys));
    std::vector<float> products(static_cast<std::size_t>(npos));
    for (int h = 0; h < heads; ++h) {
      for (int i = 0; i < queries; ++i) {
        const float* logits = matrix(gate_logits, h).row(i);
        for (int j = 0; j < keys; ++j)
          positions[static_cast<std::size_t>(j)] = sigmoid(static_cast<double>(logits[j]));
        gates_to_positions(positions, npos - 1);
        for (int p = 0; p < npos; ++p) {
          double sum = 0;
          for (int c = 0; c < dim; ++c)
            sum += static_cast<double>(matrix(q, h).row(i)[c]) *
                   static_cast<double>(matrix(pos_emb).row(c)[p]);
          products[static_cast<std::size_t>(p)] = static_cast<float>(sum);
        }
        for (int j = 0; j < keys; ++j)
          matrix(out, h).row(i)[j] = static_cast<float>(
              interpolate(products.data(), positions[static_cast<std::size_t>(j)]));
      }
    }
    return check_result("q", out.data, "its product with pos_emb");
  });
}

}  // namespace phasor
