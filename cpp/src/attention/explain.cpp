#include "phasor/explain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "attention/streaming/memory_estimate.h"
#include "attention/streaming/score_ops.h"
#include "attention/streaming/sink_queries.h"
#include "attention/streaming/tile_inputs.h"
#include "attention/streaming/visible.h"
#include "attention/validate/call.h"
#include "core/format_error.h"
#include "kernels/vector_ops.h"
#include "math/scalar_math.h"

namespace phasor {

namespace {

struct UnbatchedCall {
  CallSizes sizes;
  CallEncoding call_encoding{nullptr};
  PreparedCall prepared_call;
  Tensor q, k;
  SinkQueries sink_queries;

  int kv_head(int head) const { return head / (sizes.heads / sizes.kv_heads); }
};

// Bytes per key for a SoftmaxExplanation and one score in double.
constexpr double kBytesPerKey = 6 * sizeof(float) + sizeof(double);

// Prepares a call for one query. k also serves as v, because scores do not depend on values.
Status prepare_call(const Tensor& q, const Tensor& k, const AttentionConfig& config, int head,
                    int query, UnbatchedCall& out) {
  PHASOR_TRY(check_data("q", q));
  if (q.rank() != 3) return invalid("q: has shape {}; expected heads x tokens x dim", q.shape);
  PHASOR_TRY(check_data("k", k));
  PHASOR_TRY(validate_call(q, k, view(k), config, out.sizes, out.call_encoding));
  PHASOR_TRY(check_range("head", head, 0, out.sizes.heads - 1));
  PHASOR_TRY(check_range("query", query, 0, out.sizes.queries - 1));
  PHASOR_TRY(prepare_item(out.sizes, 0, *out.call_encoding.encoding, config, out.prepared_call));
  // Checks the memory for q and k before and after the norm and the encoding, and for the result.
  const QueryKeyEncoding* query_key = out.call_encoding.encoding->as_query_key();
  const double transform_memory =
      query_key != nullptr ? query_key->transform_bytes(q) + query_key->transform_bytes(k) : 0;
  PHASOR_TRY(check_memory("q", 3 * array_bytes(q.shape) + 2 * array_bytes(k.shape) +
                                   transform_memory + kBytesPerKey * out.sizes.keys));
  out.q = q;
  out.k = k;
  PHASOR_TRY(out.sink_queries.prepare(out.prepared_call.params, q));
  out.prepared_call.params.sink_queries = &out.sink_queries;
  return apply_position(out.prepared_call.params, out.q, out.k);
}

// Computes the products of one query with all keys, in double or with the encoding's custom dot
// product.
Status compute_products(const UnbatchedCall& call, int head, int query, std::vector<double>& out) {
  const AttentionParams& params = call.prepared_call.params;
  const int keys = call.sizes.keys;
  const ConstMatrixRef rows = matrix(call.q, head);
  if (params.encoding->as_custom_dot_product() == nullptr) {
    const ConstMatrixRef key_rows = matrix(call.k, call.kv_head(head));
    const bool uses_sink_position =
        call.sink_queries.has_queries() && call.sink_queries.uses_sink_position(query);
    for (int j = 0; j < keys; ++j) {
      const float* query_row = uses_sink_position && call.sink_queries.count_keys(j, 1) > 0
                                   ? call.sink_queries.q(head).row(query)
                                   : rows.row(query);
      out.push_back(kernels::dot_in_double(query_row, key_rows.row(j), key_rows.columns));
    }
    return {};
  }
  HeadProducts head_products(params, call.sizes.head_dim, false);
  PHASOR_TRY(check_memory("q", head_products.bytes(call.sizes.queries, keys)));
  DotProductState* const products = head_products.head_state(call.kv_head(head), call.k);
  products->set_queries(rows, params.queries, params.first_token);
  Tensor row({1, keys});
  products->scores(query, 0, 1, true, matrix(row));
  out.assign(row.data.begin(), row.data.end());
  return {};
}

// Computes the weights and the bias of one head, (queries, keys) each.
Status attend_head(const Tensor& q, const Tensor& k, AttentionConfig config, int head,
                   AttentionResult& out) {
  config.outputs = {.weights = true, .bias = true, .head = head};
  return attention(q, k, k, config).move_to(out);
}

}  // namespace

Result<BiasExplanation> explain_bias(const Tensor& q, const Tensor& k,
                                     const AttentionConfig& config, int head, int query, int key) {
  return Result<BiasExplanation>::from([&](BiasExplanation& out) -> Status {
    UnbatchedCall call;
    PHASOR_TRY(prepare_call(q, k, config, head, query, call));
    PHASOR_TRY(check_range("key", key, 0, call.sizes.keys - 1));
    const ExplainableBias* explainable_bias = call.call_encoding.encoding->as_explainable();
    if (explainable_bias == nullptr)
      return invalid("encoding: {} has no step-by-step explanation", config.encoding.id);
    AttentionResult result;
    PHASOR_TRY(attend_head(q, k, config, head, result));
    const AttentionParams& params = call.prepared_call.params;
    const double query_position = params.queries[query], key_position = params.keys[key];
    const ConstMatrixRef q_row = rows_of(matrix(std::as_const(call.q), head), query, 1),
                         k_row = rows_of(matrix(std::as_const(call.k), call.kv_head(head)), key, 1);
    out.steps = explainable_bias->steps({.head = head,
                                         .queries = Positions(std::span(&query_position, 1)),
                                         .keys = Positions(std::span(&key_position, 1)),
                                         .q = q_row,
                                         .k = k_row,
                                         .scale = static_cast<float>(params.scale)});
    out.steps.insert(out.steps.begin(), {"distance", key_position - query_position});
    out.bias = static_cast<double>(matrix(std::as_const(result.bias)).row(query)[key]);
    out.max_abs_diff = std::fabs(out.bias - out.steps.back().value);
    return {};
  });
}

Result<SoftmaxExplanation> explain_softmax(const Tensor& q, const Tensor& k,
                                           const AttentionConfig& config, int head, int query) {
  return Result<SoftmaxExplanation>::from([&](SoftmaxExplanation& out) -> Status {
    UnbatchedCall call;
    PHASOR_TRY(prepare_call(q, k, config, head, query, call));
    AttentionResult result;
    PHASOR_TRY(attend_head(q, k, config, head, result));
    const AttentionParams& params = call.prepared_call.params;
    VisibleKeys visible(params);
    visible.use_head(head);
    const int keys = call.sizes.keys;
    for (Tensor* tensor :
         {&out.product, &out.scaled, &out.bias, &out.score, &out.exponential, &out.weight})
      *tensor = Tensor({keys});
    std::vector<double> products;
    PHASOR_TRY(compute_products(call, head, query, products));
    const float* bias = matrix(std::as_const(result.bias)).row(query);
    out.scale = params.scale;
    const double sink = static_cast<double>(params.sink(head));
    out.row_max = sink;
    std::vector<double> scores(static_cast<std::size_t>(keys), kMinusInfinity);
    bool is_in_range = true;
    for (int j = 0; j < keys; ++j) {
      const std::size_t index = static_cast<std::size_t>(j);
      const double product = products[index];
      out.product.data[index] = static_cast<float>(product);
      out.scaled.data[index] = static_cast<float>(params.scale * product);
      out.bias.data[index] = bias[j];
      if (visible.is_visible(query, j)) {
        const double pair_bias = params.attn_bias.empty()
                                     ? 0
                                     : static_cast<double>(*params.attn_bias.at(head, query, j));
        const double bias_sum = static_cast<double>(bias[j]) + pair_bias;
        const auto apply_softcap = [&](double score) {
          return params.softcap() != 0 ? softcap_score(score, params.softcap()) : score;
        };
        scores[index] = params.caps_bias() ? apply_softcap(params.scale * product + bias_sum)
                                           : apply_softcap(params.scale * product) + bias_sum;
      }
      out.score.data[index] = static_cast<float>(scores[index]);
      // A score of -infinity for a hidden key is not an overflow.
      is_in_range =
          is_in_range && (scores[index] == kMinusInfinity || is_finite(out.score.data[index]));
      out.row_max = std::max(out.row_max, scores[index]);
    }
    PHASOR_TRY(check_result("q", out.product.data, "a product q.k"));
    PHASOR_TRY(check_result("q", out.scaled.data, "scale * q.k"));
    if (!is_in_range) return out_of_range("q", "a score");
    const auto shifted_exponential = [&](double score) {
      return score == kMinusInfinity ? 0.0 : exponential(score - out.row_max);
    };
    out.row_sum = shifted_exponential(sink);
    for (const double score : scores) out.row_sum += shifted_exponential(score);
    if (out.row_sum > 0) out.sink_weight = shifted_exponential(sink) / out.row_sum;
    const float* weights = matrix(std::as_const(result.weights)).row(query);
    for (int j = 0; j < keys; ++j) {
      const std::size_t index = static_cast<std::size_t>(j);
      const double exp_score = shifted_exponential(scores[index]),
                   weight = out.row_sum > 0 ? exp_score / out.row_sum : 0;
      out.exponential.data[index] = static_cast<float>(exp_score);
      out.weight.data[index] = static_cast<float>(weight);
      out.max_abs_diff =
          std::max(out.max_abs_diff, std::fabs(weight - static_cast<double>(weights[j])));
    }
    return {};
  });
}

}  // namespace phasor
