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

// Queries [first, first + rows) of one head, and all keys that any of them attends to.
struct Tile {
  int head, first, rows, keys;
};

// Calls body(tile) for all query tiles of all heads. All items have the same tiles.
template <class Body>
void for_each_tile(const BatchedAttentionParams& job, Body body) {
  const int step = job.tile_rows();
  for (int head = 0; head < job.heads; ++head) {
    for (int first = 0; first < job.size.tokens; first += step) {
      const int rows = std::min(step, job.size.tokens - first);
      body(Tile{head, first, rows, job.visible_key_count(first + rows - 1)});
    }
  }
}

ContentTile make_content_tile(const BatchedAttentionParams& job, const Tile& t,
                              const ConstMatrixRef& q, const ConstMatrixRef& k) {
  return {.head = t.head,
          .queries = job.positions.part(t.first, t.rows),
          .keys = job.positions.part(0, t.keys),
          .q = q,
          .k = k,
          .scale = static_cast<float>(job.scale)};
}

// Replaces scores by attention weights, 0 for hidden keys. A sink is a score without a key.
void normalise(const kernels::WideKernels& kernels, const BatchedAttentionParams& job,
               const Tile& t, const MatrixRef& scores) {
  for (int r = 0; r < t.rows; ++r) {
    float* row = scores.row(r);
    const int visible = job.visible_key_count(t.first + r);
    float maximum = kernels::active::row_max(row, visible);
    const float* sinks = job.learned.sinks;
    if (sinks != nullptr) maximum = std::max(maximum, sinks[t.head]);
    double sum = kernels.exp_and_sum(row, visible, maximum);
    if (sinks != nullptr) sum += exponential(static_cast<double>(sinks[t.head] - maximum));
    kernels::multiply(row, static_cast<float>(1 / sum), visible);
    kernels::fill(row + visible, 0, t.keys - visible);
  }
}

// The attention weight of the sink, 1 minus the sum of the others.
double sink_weight(const float* weights, int keys) {
  double weight = 1;
  for (int c = 0; c < keys; ++c) weight -= static_cast<double>(weights[c]);
  return weight;
}

// The queries and keys of one head, after the transformation if there is one.
struct TransformedHead {
  TransformedHead(const BatchedAttentionParams& job, const ConstMatrixRef& qkv,
                  const SavedAttention& saved, int head)
      : q(job.transforms() ? matrix(saved.q, head) : head_of(job, qkv, 0, head)),
        k(job.transforms() ? matrix(saved.k, head) : head_of(job, qkv, 1, head)) {}
  ConstMatrixRef q, k;  // (rows, head_dim)
};

// The weights of a tile, a view of `saved`.
MatrixRef saved_weights(const BatchedAttentionParams& job, SavedAttention& saved, const Tile& t,
                        int item) {
  const std::ptrdiff_t tokens = job.size.tokens;
  const std::ptrdiff_t row = (static_cast<std::ptrdiff_t>(t.head) * job.size.items + item) * tokens;
  return {saved.weights.data() + (row + t.first) * tokens, t.rows, t.keys, job.size.tokens};
}

// Replaces dP by dS = P (dP - rowsum(dO O)) for one item of a tile. Adds the gradient of a sink to
// `d_sink`, unless it is nullptr.
void scores_backward(const ConstMatrixRef& weights, const ConstMatrixRef& out,
                     const ConstMatrixRef& d_out, const MatrixRef& d_scores, double* d_sink) {
  for (int r = 0; r < weights.rows; ++r) {
    const float row_sum = kernels::dot(d_out.row(r), out.row(r), out.columns);
    const float* w = weights.row(r);
    float* d = d_scores.row(r);
    for (int c = 0; c < weights.columns; ++c) d[c] = w[c] * (d[c] - row_sum);
    if (d_sink != nullptr)
      *d_sink -= sink_weight(w, weights.columns) * static_cast<double>(row_sum);
  }
}

}  // namespace

void attention(const BatchedAttentionParams& job, const ConstMatrixRef& qkv, bool training,
               SavedAttention& saved, AttentionWorkspace& work, const MatrixRef& out) {
  work.reserve(job, training);
  if (training) {
    saved.weights.resize(static_cast<std::size_t>(job.heads) *
                         static_cast<std::size_t>(job.size.rows()) *
                         static_cast<std::size_t>(job.size.tokens));
  }
  if (job.transforms()) transform_heads(job, qkv, saved);
  const ScoreEncoding* bias = job.encoding->as_score_bias();
  const ContentBias* content_bias = job.encoding->as_content_bias();
  const KeyValueEncoding* value_bias = job.encoding->as_value_bias();
  std::optional<TokenTerms> token_terms;
  if (!job.encoding->token_tensors.empty()) token_terms.emplace(job, saved.tokens, false);
  for_each_tile(job, [&](const Tile& t) {
    const Positions queries = job.positions.part(t.first, t.rows),
                    keys = job.positions.part(0, t.keys);
    const MatrixRef tile_bias = work.bias(t.rows, t.keys);
    if (bias != nullptr) {
      kernels::fill(tile_bias.data, 0, t.rows * t.keys);
      bias->add_bias(t.head, queries, keys, tile_bias);
    }
    const TransformedHead head(job, qkv, saved, t.head);
    const ConstMatrixRef v = head_of(job, qkv, 2, t.head);
    if (token_terms && t.first == 0) token_terms->start_head(t.head, head.q, head.k);
    for (int item = 0; item < job.size.items; ++item) {
      const ConstMatrixRef k = rows_of(item_of(head.k, job, item), 0, t.keys),
                           q = rows_of(item_of(head.q, job, item), t.first, t.rows);
      const MatrixRef scores =
          training ? saved_weights(job, saved, t, item) : work.tile(t.rows, t.keys);
      if (token_terms && token_terms->has_custom_products()) {
        token_terms->compute_products(item, t.first, scores);
      } else {
        gemm(work.gemm, Transpose::no, Transpose::yes, static_cast<float>(job.scale), q, k, 0,
             scores);
      }
      if (token_terms) token_terms->add_gates(item, t.first, scores);
      if (content_bias != nullptr)
        content_bias->add_content(make_content_tile(job, t, q, k), scores);
      for (int r = 0; bias != nullptr && r < t.rows; ++r)
        kernels::add_row(scores.row(r), tile_bias.row(r), t.keys);
      normalise(kernels::wide_kernels(work.gemm.level()), job, t, scores);
      const MatrixRef to =
          rows_of(columns_of(item_of(out, job, item), t.head * job.head_dim, job.head_dim), t.first,
                  t.rows);
      gemm(work.gemm, Transpose::no, Transpose::no, 1, scores,
           rows_of(item_of(v, job, item), 0, t.keys), 0, to);
      if (value_bias != nullptr) value_bias->add_values(t.head, queries, keys, scores, to);
    }
  });
}

void attention_backward(const BatchedAttentionParams& job, const ConstMatrixRef& qkv,
                        const ConstMatrixRef& out, const ConstMatrixRef& d_out,
                        SavedAttention& saved, AttentionWorkspace& work, const MatrixRef& d_qkv) {
  const float scale = static_cast<float>(job.scale);
  ScoreEncoding* bias = job.encoding->as_score_bias();
  ContentBias* content_bias = job.encoding->as_content_bias();
  KeyValueEncoding* value_bias = job.encoding->as_value_bias();
  // transform_heads_backward of the previous layer may have changed the shape of d_q and d_k.
  work.reserve(job, true);
  for (int r = 0; r < d_qkv.rows; ++r) kernels::fill(d_qkv.row(r), 0, d_qkv.columns);
  std::optional<TokenTerms> token_terms;
  if (!job.encoding->token_tensors.empty()) token_terms.emplace(job, saved.tokens, true);
  double d_sink = 0;
  if (job.transforms()) {
    std::fill(work.d_q.data.begin(), work.d_q.data.end(), 0.0f);
    std::fill(work.d_k.data.begin(), work.d_k.data.end(), 0.0f);
  }
  for_each_tile(job, [&](const Tile& t) {
    const Positions queries = job.positions.part(t.first, t.rows),
                    keys = job.positions.part(0, t.keys);
    const MatrixRef d_bias = work.bias(t.rows, t.keys);
    if (bias != nullptr) kernels::fill(d_bias.data, 0, t.rows * t.keys);
    const TransformedHead head(job, qkv, saved, t.head);
    const ConstMatrixRef v = head_of(job, qkv, 2, t.head);
    if (token_terms && t.first == 0) token_terms->start_head(t.head, head.q, head.k);
    const MatrixRef d_head_q = job.transforms() ? matrix(work.d_q, t.head)
                                                : head_of(job, d_qkv, 0, t.head),
                    d_head_k = job.transforms() ? matrix(work.d_k, t.head)
                                                : head_of(job, d_qkv, 1, t.head);
    const auto head_columns = [&](auto m) {
      return columns_of(m, t.head * job.head_dim, job.head_dim);
    };
    for (int item = 0; item < job.size.items; ++item) {
      const auto query_rows = [&](auto m) {
        return rows_of(item_of(m, job, item), t.first, t.rows);
      };
      const auto key_rows = [&](auto m) { return rows_of(item_of(m, job, item), 0, t.keys); };
      const ConstMatrixRef k = key_rows(head.k), q = query_rows(head.q),
                           d_tile_out = query_rows(head_columns(d_out)),
                           tile_out = query_rows(head_columns(out));
      const MatrixRef weights = saved_weights(job, saved, t, item),
                      d_scores = work.tile(t.rows, t.keys);
      gemm(work.gemm, Transpose::no, Transpose::yes, 1, d_tile_out, key_rows(v), 0, d_scores);
      if (value_bias != nullptr)
        value_bias->values_backward(t.head, queries, keys, weights, d_tile_out, d_scores);
      scores_backward(weights, tile_out, d_tile_out, d_scores,
                      job.learned.sinks != nullptr ? &d_sink : nullptr);
      for (int r = 0; bias != nullptr && r < t.rows; ++r)
        kernels::add_row(d_bias.row(r), d_scores.row(r), t.keys);
      const MatrixRef d_q = query_rows(d_head_q), d_k = key_rows(d_head_k),
                      d_v = key_rows(head_of(job, d_qkv, 2, t.head));
      if (content_bias != nullptr) {
        const MatrixRef products = work.products(t.rows, t.keys);
        gemm(work.gemm, Transpose::no, Transpose::yes, scale, q, k, 0, products);
        content_bias->content_backward(make_content_tile(job, t, q, k), products, d_scores, d_q,
                                       d_k);
      }
      gemm(work.gemm, Transpose::yes, Transpose::no, 1, weights, d_tile_out, 1, d_v);
      if (token_terms) token_terms->gates_backward(item, t.first, d_scores);
      kernels::multiply(d_scores.data, scale, t.rows * t.keys);
      if (token_terms && token_terms->has_custom_products()) {
        token_terms->products_backward(item, t.first, d_scores);
        continue;
      }
      gemm(work.gemm, Transpose::no, Transpose::no, 1, d_scores, k, 1, d_q);
      gemm(work.gemm, Transpose::yes, Transpose::no, 1, d_scores, q, 1, d_k);
    }
    if (bias != nullptr) bias->bias_backward(t.head, queries, keys, d_bias);
    if (t.first + t.rows < job.size.tokens) return;
    if (token_terms) token_terms->finish_head(d_head_q, d_head_k);
    if (job.learned.sinks != nullptr)
      job.learned.d_sinks[t.head] += static_cast<float>(std::exchange(d_sink, 0));
  });
  if (token_terms) token_terms->finish_gates();
  if (content_bias != nullptr) content_bias->finish_backward();
  if (job.transforms()) transform_heads_backward(job, qkv, saved, work, d_qkv);
}

}  // namespace phasor::nn
