#include "nn/batched_attention.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "kernels/kernels.h"
#include "kernels/vector_ops.h"
#include "kernels/wide.h"
#include "math/scalar_math.h"
#include "nn/token_inputs.h"
#include "nn/transformed_heads.h"

namespace phasor::nn {

namespace {

using kernels::columns_of;
using kernels::gemm;
using kernels::Transpose;

// A block of attention scores of one head: the queries [first_query, first_query + rows) and the
// keys [0, keys), which include every key visible to them.
struct Tile {
  int head, first_query, rows, keys;
};

// Calls body(tile) for all query tiles of all heads. All items have the same tiles.
template <class Body>
void for_each_tile(const BatchedAttentionParams& params, Body body) {
  const int tile_rows = params.tile_rows();
  for (int head = 0; head < params.heads; ++head) {
    for (int first_query = 0; first_query < params.size.tokens; first_query += tile_rows) {
      const int rows = std::min(tile_rows, params.size.tokens - first_query);
      body(Tile{head, first_query, rows, params.visible_key_count(first_query + rows - 1)});
    }
  }
}

ContentTile make_content_tile(const BatchedAttentionParams& params, const Tile& t,
                              const ConstMatrixRef& q, const ConstMatrixRef& k) {
  return {.head = t.head,
          .queries = params.positions.part(t.first_query, t.rows),
          .keys = params.positions.part(0, t.keys),
          .q = q,
          .k = k,
          .scale = static_cast<float>(params.scale)};
}

// Replaces the scores with softmax weights, which are 0 for hidden keys. A sink is an extra score
// in the denominator.
void normalise(const kernels::WideKernels& kernels, const BatchedAttentionParams& params,
               const Tile& t, const MatrixRef& scores) {
  for (int r = 0; r < t.rows; ++r) {
    float* row = scores.row(r);
    const int visible_keys = params.visible_key_count(t.first_query + r);
    float maximum = kernels::active::row_max(row, visible_keys);
    const float* sinks = params.learned_params.sinks;
    if (sinks != nullptr) maximum = std::max(maximum, sinks[t.head]);
    double sum = kernels.exp_and_sum(row, visible_keys, maximum);
    if (sinks != nullptr) sum += exponential(static_cast<double>(sinks[t.head] - maximum));
    kernels::multiply(row, static_cast<float>(1 / sum), visible_keys);
    kernels::fill(row + visible_keys, 0, t.keys - visible_keys);
  }
}

// The attention weight of the sink, which is 1 minus the sum of the other weights.
double compute_sink_weight(const float* weights, int keys) {
  double weight = 1;
  for (int c = 0; c < keys; ++c) weight -= static_cast<double>(weights[c]);
  return weight;
}

MatrixRef get_saved_weights(const BatchedAttentionParams& params, SavedAttention& saved,
                            const Tile& t, int item) {
  const std::ptrdiff_t tokens = params.size.tokens;
  const std::ptrdiff_t row =
      (static_cast<std::ptrdiff_t>(t.head) * params.size.items + item) * tokens;
  return {saved.weights.data() + (row + t.first_query) * tokens, t.rows, t.keys,
          params.size.tokens};
}

// Replaces dP with dS = P (dP - rowsum(dO O)) for one item of a tile. Adds the gradient of the
// sink, if there is one, to `d_sink`.
void scores_backward(const ConstMatrixRef& weights, const ConstMatrixRef& out,
                     const ConstMatrixRef& d_out, const MatrixRef& d_scores, double* d_sink) {
  for (int r = 0; r < weights.rows; ++r) {
    const float row_sum = kernels::dot(d_out.row(r), out.row(r), out.columns);
    const float* w = weights.row(r);
    float* d = d_scores.row(r);
    for (int c = 0; c < weights.columns; ++c) d[c] = w[c] * (d[c] - row_sum);
    if (d_sink != nullptr)
      *d_sink -= compute_sink_weight(w, weights.columns) * static_cast<double>(row_sum);
  }
}

}  // namespace

void attention(const BatchedAttentionParams& params, const ConstMatrixRef& qkv, bool training,
               SavedAttention& saved, AttentionWorkspace& workspace, const MatrixRef& out) {
  workspace.reserve(params, training);
  if (training) {
    saved.weights.resize(static_cast<std::size_t>(params.heads) *
                         static_cast<std::size_t>(params.size.rows()) *
                         static_cast<std::size_t>(params.size.tokens));
  }
  if (params.has_transformed_heads()) transform_heads(params, qkv, saved);
  const ScoreEncoding* bias = params.encoding->as_score_bias();
  const ContentBias* content_bias = params.encoding->as_content_bias();
  const KeyValueEncoding* value_bias = params.encoding->as_value_bias();
  std::optional<TokenTerms> token_terms;
  if (!params.encoding->token_tensors.empty())
    token_terms.emplace(params, saved.token_tensors, false);
  for_each_tile(params, [&](const Tile& t) {
    const Positions queries = params.positions.part(t.first_query, t.rows),
                    keys = params.positions.part(0, t.keys);
    const MatrixRef tile_bias = workspace.bias(t.rows, t.keys);
    if (bias != nullptr) {
      kernels::fill(tile_bias.data, 0, t.rows * t.keys);
      bias->add_bias(t.head, queries, keys, tile_bias);
    }
    const TransformedHead head(params, qkv, saved, t.head);
    const ConstMatrixRef v = select_head(params, qkv, 2, t.head);
    if (token_terms && t.first_query == 0) token_terms->start_head(t.head, head.q, head.k);
    for (int item = 0; item < params.size.items; ++item) {
      const ConstMatrixRef k = rows_of(select_item(head.k, params, item), 0, t.keys),
                           q = rows_of(select_item(head.q, params, item), t.first_query, t.rows);
      const MatrixRef scores =
          training ? get_saved_weights(params, saved, t, item) : workspace.tile(t.rows, t.keys);
      if (token_terms && token_terms->has_custom_products()) {
        token_terms->compute_products(item, t.first_query, scores);
      } else {
        gemm(workspace.gemm_workspace, Transpose::no, Transpose::yes,
             static_cast<float>(params.scale), q, k, 0, scores);
      }
      if (token_terms) token_terms->add_gates(item, t.first_query, scores);
      if (content_bias != nullptr)
        content_bias->add_content(make_content_tile(params, t, q, k), scores);
      for (int r = 0; bias != nullptr && r < t.rows; ++r)
        kernels::add_row(scores.row(r), tile_bias.row(r), t.keys);
      normalise(kernels::wide_kernels(workspace.gemm_workspace.level()), params, t, scores);
      const MatrixRef to = rows_of(
          columns_of(select_item(out, params, item), t.head * params.head_dim, params.head_dim),
          t.first_query, t.rows);
      gemm(workspace.gemm_workspace, Transpose::no, Transpose::no, 1, scores,
           rows_of(select_item(v, params, item), 0, t.keys), 0, to);
      if (value_bias != nullptr) value_bias->add_values(t.head, queries, keys, scores, to);
    }
  });
}

void attention_backward(const BatchedAttentionParams& params, const ConstMatrixRef& qkv,
                        const ConstMatrixRef& out, const ConstMatrixRef& d_out,
                        SavedAttention& saved, AttentionWorkspace& workspace,
                        const MatrixRef& d_qkv) {
  const float scale = static_cast<float>(params.scale);
  ScoreEncoding* bias = params.encoding->as_score_bias();
  ContentBias* content_bias = params.encoding->as_content_bias();
  KeyValueEncoding* value_bias = params.encoding->as_value_bias();
  // transform_heads_backward of the previous layer may have changed the shape of d_q and d_k.
  workspace.reserve(params, true);
  for (int r = 0; r < d_qkv.rows; ++r) kernels::fill(d_qkv.row(r), 0, d_qkv.columns);
  std::optional<TokenTerms> token_terms;
  if (!params.encoding->token_tensors.empty())
    token_terms.emplace(params, saved.token_tensors, true);
  double d_sink = 0;
  if (params.has_transformed_heads()) {
    std::fill(workspace.d_q.data.begin(), workspace.d_q.data.end(), 0.0f);
    std::fill(workspace.d_k.data.begin(), workspace.d_k.data.end(), 0.0f);
  }
  for_each_tile(params, [&](const Tile& t) {
    const Positions queries = params.positions.part(t.first_query, t.rows),
                    keys = params.positions.part(0, t.keys);
    const MatrixRef d_bias = workspace.bias(t.rows, t.keys);
    if (bias != nullptr) kernels::fill(d_bias.data, 0, t.rows * t.keys);
    const TransformedHead head(params, qkv, saved, t.head);
    const ConstMatrixRef v = select_head(params, qkv, 2, t.head);
    if (token_terms && t.first_query == 0) token_terms->start_head(t.head, head.q, head.k);
    const MatrixRef d_head_q = params.has_transformed_heads()
                                   ? matrix(workspace.d_q, t.head)
                                   : select_head(params, d_qkv, 0, t.head),
                    d_head_k = params.has_transformed_heads()
                                   ? matrix(workspace.d_k, t.head)
                                   : select_head(params, d_qkv, 1, t.head);
    const auto select_head_columns = [&](auto m) {
      return columns_of(m, t.head * params.head_dim, params.head_dim);
    };
    for (int item = 0; item < params.size.items; ++item) {
      const auto select_query_rows = [&](auto m) {
        return rows_of(select_item(m, params, item), t.first_query, t.rows);
      };
      const auto select_key_rows = [&](auto m) {
        return rows_of(select_item(m, params, item), 0, t.keys);
      };
      const ConstMatrixRef k = select_key_rows(head.k), q = select_query_rows(head.q),
                           d_tile_out = select_query_rows(select_head_columns(d_out)),
                           tile_out = select_query_rows(select_head_columns(out));
      const MatrixRef weights = get_saved_weights(params, saved, t, item),
                      d_scores = workspace.tile(t.rows, t.keys);
      gemm(workspace.gemm_workspace, Transpose::no, Transpose::yes, 1, d_tile_out,
           select_key_rows(v), 0, d_scores);
      if (value_bias != nullptr)
        value_bias->values_backward(t.head, queries, keys, weights, d_tile_out, d_scores);
      scores_backward(weights, tile_out, d_tile_out, d_scores,
                      params.learned_params.sinks != nullptr ? &d_sink : nullptr);
      for (int r = 0; bias != nullptr && r < t.rows; ++r)
        kernels::add_row(d_bias.row(r), d_scores.row(r), t.keys);
      const MatrixRef d_q = select_query_rows(d_head_q), d_k = select_key_rows(d_head_k),
                      d_v = select_key_rows(select_head(params, d_qkv, 2, t.head));
      if (content_bias != nullptr) {
        const MatrixRef products = workspace.products(t.rows, t.keys);
        gemm(workspace.gemm_workspace, Transpose::no, Transpose::yes, scale, q, k, 0, products);
        content_bias->content_backward(make_content_tile(params, t, q, k), products, d_scores, d_q,
                                       d_k);
      }
      gemm(workspace.gemm_workspace, Transpose::yes, Transpose::no, 1, weights, d_tile_out, 1, d_v);
      if (token_terms) token_terms->gates_backward(item, t.first_query, d_scores);
      kernels::multiply(d_scores.data, scale, t.rows * t.keys);
      if (token_terms && token_terms->has_custom_products()) {
        token_terms->products_backward(item, t.first_query, d_scores);
        continue;
      }
      gemm(workspace.gemm_workspace, Transpose::no, Transpose::no, 1, d_scores, k, 1, d_q);
      gemm(workspace.gemm_workspace, Transpose::yes, Transpose::no, 1, d_scores, q, 1, d_k);
    }
    if (bias != nullptr) bias->bias_backward(t.head, queries, keys, d_bias);
    if (t.first_query + t.rows < params.size.tokens) return;
    if (token_terms) token_terms->finish_head(d_head_q, d_head_k);
    if (params.learned_params.sinks != nullptr)
      params.learned_params.d_sinks[t.head] += static_cast<float>(std::exchange(d_sink, 0));
  });
  if (token_terms) token_terms->finish_gates();
  if (content_bias != nullptr) content_bias->finish_backward();
  if (params.has_transformed_heads())
    transform_heads_backward(params, qkv, saved, workspace, d_qkv);
}

}  // namespace phasor::nn
