#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/format_error.h"
#include "model/run/forward.h"

namespace phasor::model {

namespace {

// Number of rows of logits in memory. 16 rows take 16 MiB for a vocabulary of 262,144 tokens.
constexpr int kLogitRows = 16;

double log_sum_exp(std::span<const float> row) {
  const double maximum = static_cast<double>(*std::max_element(row.begin(), row.end()));
  double sum = 0;
  for (const float value : row) sum += std::exp(static_cast<double>(value) - maximum);
  return maximum + std::log(sum);
}

std::vector<TokenPrediction> find_top_k(std::span<const float> row, int top_k, double log_sum) {
  std::vector<int> ids(row.size());
  std::iota(ids.begin(), ids.end(), 0);
  std::partial_sort(ids.begin(), ids.begin() + top_k, ids.end(), [&](int a, int b) {
    const float x = row[static_cast<std::size_t>(a)], y = row[static_cast<std::size_t>(b)];
    return x != y ? x > y : a < b;
  });
  std::vector<TokenPrediction> out;
  for (int n = 0; n < top_k; ++n) {
    const int id = ids[static_cast<std::size_t>(n)];
    out.push_back(
        {id, static_cast<float>(static_cast<double>(row[static_cast<std::size_t>(id)]) - log_sum)});
  }
  return out;
}

}  // namespace

Tensor compute_logits(const Weights& w, const ConstMatrixRef& x, int threads) {
  const kernels::StoredMatrix& weight = w.head.weight.empty() ? w.embedding : w.head.weight;
  Tensor out({x.rows, w.info.vocab_size});
  if (w.head_dense.weight.empty()) {
    weight.multiply(x, matrix(out), kernels::best_level(), threads);
  } else {
    Tensor dense = linear(w.head_dense, x, threads), active(dense.shape);
    apply_activation(w.activation, dense, active);
    active = apply_norm(w, w.head_norm, active);
    weight.multiply(matrix(std::as_const(active)), matrix(out), kernels::best_level(), threads);
  }
  add_bias(w.head.bias, out);
  if (w.logit_cap > 0) {
    for (float& value : out.data) {
      value = static_cast<float>(w.logit_cap * std::tanh(static_cast<double>(value) / w.logit_cap));
    }
  }
  return out;
}

Status add_predictions(const Weights& w, std::span<const int> ids, const Tensor& x,
                       const RunConfig& config, ModelOutput& out) {
  const bool computes_loss = w.info.causal && config.output_loss;
  if (!w.info.has_head || !(computes_loss || config.output_logits || config.top_k > 0)) return {};
  const int tokens = x.shape[0], vocab = w.info.vocab_size;
  const int count = config.logits_to_keep > 0 ? std::min(config.logits_to_keep, tokens) : tokens;
  if (config.output_logits) {
    PHASOR_TRY(check_size("output_logits", "logits", {count, vocab}));
    out.logits = Tensor({count, vocab});
  }
  double sum = 0;
  for (int first = 0; first < count; first += kLogitRows) {
    const int rows = std::min(kLogitRows, count - first);
    const Tensor block_logits = compute_logits(
        w, rows_of(ConstMatrixRef(matrix(x)), tokens - count + first, rows), config.threads);
    PHASOR_TRY(check_result("input_ids", block_logits.data, "a logit"));
    if (config.output_logits)
      std::copy(block_logits.data.begin(), block_logits.data.end(), matrix(out.logits).row(first));
    for (int r = 0; r < rows; ++r) {
      const std::span<const float> row(matrix(block_logits).row(r),
                                       static_cast<std::size_t>(vocab));
      const double log_sum = log_sum_exp(row);
      const auto next_token = static_cast<std::size_t>(tokens - count + first + r + 1);
      if (computes_loss && next_token < ids.size()) {
        out.log_probabilities.push_back(
            static_cast<double>(row[static_cast<std::size_t>(ids[next_token])]) - log_sum);
        sum += out.log_probabilities.back();
      }
      if (config.top_k > 0) out.predictions.push_back(find_top_k(row, config.top_k, log_sum));
    }
  }
  if (computes_loss && count > 1) out.loss = -sum / (count - 1);
  return {};
}

}  // namespace phasor::model
