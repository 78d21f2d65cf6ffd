#include "nn/batched_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "kernels/kernels.h"
#include "kernels/vector_ops.h"
#include "kernels/wide.h"
#include "math/scalar_math.h"
#include "nn/norms.h"
#include "nn/token_inputs.h"

namespace phasor::nn {

namespace {

using kernels::columns_of;
using kernels::gemm;
using kernels::Transpose;

std::size_t floats(double rows, double columns) { return static_cast<std::size_t>(rows * columns); }

// One tile: queries [first, first + rows) of one head, and all keys visible to any of them.
struct Tile {
  int head, first, rows, keys;
};

// Calls body(tile) for every tile of queries of every head; the tiles of all items are equal.
template <class Body>
void each_tile(const BatchedAttentionParams& job, Body body) {
  const int step = job.tile_rows();
  for (int head = 0; head < job.heads; ++head) {
    for (int first = 0; first < job.size.tokens; first += step) {
      const int rows = std::min(step, job.size.tokens - first);
      body(Tile{head, first, rows, job.keys_of(first + rows - 1)});
    }
  }
}

ContentTile content_of(const BatchedAttentionParams& job, const Tile& t, const ConstMatrixRef& q,
                       const ConstMatrixRef& k) {
  return {.head = t.head,
          .queries = job.positions.part(t.first, t.rows),
          .keys = job.positions.part(0, t.keys),
          .q = q,
          .k = k,
          .scale = static_cast<float>(job.scale)};
}

// Turns scores into weights; hidden keys get 0. A sink is an additional score without a key.
void normalise(const kernels::WideKernels& kernels, const BatchedAttentionParams& job,
               const Tile& t, const MatrixRef& scores) {
  for (int r = 0; r < t.rows; ++r) {
    float* row = scores.row(r);
    const int seen = job.keys_of(t.first + r);
    float top = kernels::active::row_max(row, seen);
    const float* sinks = job.learned.sinks;
    if (sinks != nullptr) top = std::max(top, sinks[t.head]);
    double sum = kernels.exp_and_sum(row, seen, top);
    if (sinks != nullptr) sum += exponential(static_cast<double>(sinks[t.head] - top));
    kernels::multiply(row, static_cast<float>(1 / sum), seen);
    kernels::fill(row + seen, 0, t.keys - seen);
  }
}

// The weight of the sink in a row.
double weight_left(const float* weights, int keys) {
  double left = 1;
  for (int c = 0; c < keys; ++c) left -= static_cast<double>(weights[c]);
  return left;
}

// q and k of a head as operands of the scores.
struct Moved {
  Moved(const BatchedAttentionParams& job, const ConstMatrixRef& qkv, const SavedAttention& saved,
        int head)
      : q(job.transforms() ? matrix(saved.q, head) : head_of(job, qkv, 0, head)),
        k(job.transforms() ? matrix(saved.k, head) : head_of(job, qkv, 1, head)) {}
  ConstMatrixRef q, k;  // (rows, head_dim)
};

// The memory for the weights of a tile, if they are saved.
MatrixRef saved_weights(const BatchedAttentionParams& job, SavedAttention& saved, const Tile& t,
                        int item) {
  const std::ptrdiff_t tokens = job.size.tokens;
  const std::ptrdiff_t row = (static_cast<std::ptrdiff_t>(t.head) * job.size.items + item) * tokens;
  return {saved.weights.data() + (row + t.first) * tokens, t.rows, t.keys, job.size.tokens};
}

// Overwrites dP by dS = P (dP - rowsum(dO O)), for one item of a tile. `d_sink`: the accumulated
// gradient of a sink, or nullptr.
void scores_backward(const ConstMatrixRef& weights, const ConstMatrixRef& out,
                     const ConstMatrixRef& d_out, const MatrixRef& d_scores, double* d_sink) {
  for (int r = 0; r < weights.rows; ++r) {
    const float mean = kernels::dot(d_out.row(r), out.row(r), out.columns);
    const float* w = weights.row(r);
    float* d = d_scores.row(r);
    for (int c = 0; c < weights.columns; ++c) d[c] = w[c] * (d[c] - mean);
    if (d_sink != nullptr) *d_sink -= weight_left(w, weights.columns) * static_cast<double>(mean);
  }
}

// Backpropagates gradients of transformed queries and keys through transform and norm, and adds
// them to d_qkv.
void move_back(const BatchedAttentionParams& job, const ConstMatrixRef& qkv, SavedAttention& saved,
               AttentionWorkspace& work, const MatrixRef& d_qkv) {
  QueryKeyEncoding* transform = job.encoding->as_query_key();
  const bool reads =
      transform != nullptr && (!transform->is_linear() || !job.encoding->parameters().empty());
  for (const int part : {0, 1}) {
    Tensor& d = part == 0 ? work.d_q : work.d_k;
    if (reads) gather_heads(job, qkv, part, saved, work.before);
    if (transform != nullptr) {
      transform->transform_backward(part == 0 ? Role::query : Role::key, job.all_positions,
                                    work.before, d);
    }
    scatter_heads(job, qkv, part, saved, d, d_qkv);
  }
}

}  // namespace

void attention(const BatchedAttentionParams& job, const ConstMatrixRef& qkv, bool training,
               SavedAttention& saved, AttentionWorkspace& work, const MatrixRef& out) {
  work.reserve(job, training);
  if (training) {
    saved.weights.resize(floats(job.heads, job.size.rows()) *
                         static_cast<std::size_t>(job.size.tokens));
  }
  if (job.transforms()) {
    const std::size_t vectors = job.normalises ? floats(2 * job.heads, job.size.rows()) : 0;
    if (saved.sizes.size() < vectors) saved.sizes = Buffer(vectors);
    const std::vector<int> shape = {job.heads, job.size.rows(), job.head_dim};
    for (Tensor* t : {&saved.q, &saved.k}) {
      if (t->shape != shape) *t = Tensor(shape);
    }
    gather_heads(job, qkv, 0, saved, saved.q);
    gather_heads(job, qkv, 1, saved, saved.k);
  }
  if (const QueryKeyEncoding* transform = job.encoding->as_query_key()) {
    transform->transform(Role::query, job.all_positions, saved.q);
    transform->transform(Role::key, job.all_positions, saved.k);
  }
  const ScoreEncoding* bias = job.encoding->as_score_bias();
  const ContentBias* terms = job.encoding->as_content_bias();
  const KeyValueEncoding* added = job.encoding->as_value_bias();
  std::optional<TokenTerms> token_terms;
  if (!job.encoding->token_tensors.empty()) token_terms.emplace(job, saved.tokens, false);
  each_tile(job, [&](const Tile& t) {
    const Positions queries = job.positions.part(t.first, t.rows),
                    keys = job.positions.part(0, t.keys);
    const MatrixRef tile_bias = work.bias(t.rows, t.keys);
    if (bias != nullptr) {
      kernels::fill(tile_bias.data, 0, t.rows * t.keys);
      bias->add_bias(t.head, queries, keys, tile_bias);
    }
    const Moved moved(job, qkv, saved, t.head);
    const ConstMatrixRef v = head_of(job, qkv, 2, t.head);
    if (token_terms && t.first == 0) token_terms->start(t.head, moved.q, moved.k);
    for (int item = 0; item < job.size.items; ++item) {
      const ConstMatrixRef k = rows_of(item_of(moved.k, job, item), 0, t.keys),
                           q = rows_of(item_of(moved.q, job, item), t.first, t.rows);
      const MatrixRef scores =
          training ? saved_weights(job, saved, t, item) : work.tile(t.rows, t.keys);
      if (token_terms && token_terms->forms_products()) {
        token_terms->form_products(item, t.first, scores);
      } else {
        gemm(work.gemm, Transpose::no, Transpose::yes, static_cast<float>(job.scale), q, k, 0,
             scores);
      }
      if (token_terms) token_terms->add_gates(item, t.first, scores);
      if (terms != nullptr) terms->add_content(content_of(job, t, q, k), scores);
      for (int r = 0; bias != nullptr && r < t.rows; ++r)
        kernels::add_row(scores.row(r), tile_bias.row(r), t.keys);
      normalise(kernels::wide_kernels(work.gemm.level()), job, t, scores);
      const MatrixRef to =
          rows_of(columns_of(item_of(out, job, item), t.head * job.head_dim, job.head_dim), t.first,
                  t.rows);
      gemm(work.gemm, Transpose::no, Transpose::no, 1, scores,
           rows_of(item_of(v, job, item), 0, t.keys), 0, to);
      if (added != nullptr) added->add_values(t.head, queries, keys, scores, to);
    }
  });
}

void attention_backward(const BatchedAttentionParams& job, const ConstMatrixRef& qkv,
                        const ConstMatrixRef& out, const ConstMatrixRef& d_out,
                        SavedAttention& saved, AttentionWorkspace& work, const MatrixRef& d_qkv) {
  const float scale = static_cast<float>(job.scale);
  ScoreEncoding* bias = job.encoding->as_score_bias();
  ContentBias* terms = job.encoding->as_content_bias();
  KeyValueEncoding* added = job.encoding->as_value_bias();
  // These gradients have untransformed heads, and the previous layer changed their shape.
  work.reserve(job, true);
  for (int r = 0; r < d_qkv.rows; ++r) kernels::fill(d_qkv.row(r), 0, d_qkv.columns);
  std::optional<TokenTerms> token_terms;
  if (!job.encoding->token_tensors.empty()) token_terms.emplace(job, saved.tokens, true);
  double d_sink = 0;
  if (job.transforms()) {
    std::fill(work.d_q.data.begin(), work.d_q.data.end(), 0.0f);
    std::fill(work.d_k.data.begin(), work.d_k.data.end(), 0.0f);
  }
  each_tile(job, [&](const Tile& t) {
    const Positions queries = job.positions.part(t.first, t.rows),
                    keys = job.positions.part(0, t.keys);
    const MatrixRef d_bias = work.bias(t.rows, t.keys);
    if (bias != nullptr) kernels::fill(d_bias.data, 0, t.rows * t.keys);
    const Moved moved(job, qkv, saved, t.head);
    const ConstMatrixRef v = head_of(job, qkv, 2, t.head);
    if (token_terms && t.first == 0) token_terms->start(t.head, moved.q, moved.k);
    const MatrixRef d_moved_q = job.transforms() ? matrix(work.d_q, t.head)
                                                 : head_of(job, d_qkv, 0, t.head),
                    d_moved_k = job.transforms() ? matrix(work.d_k, t.head)
                                                 : head_of(job, d_qkv, 1, t.head);
    const auto head_columns = [&](auto m) {
      return columns_of(m, t.head * job.head_dim, job.head_dim);
    };
    for (int item = 0; item < job.size.items; ++item) {
      const auto rows_here = [&](auto m) {
        return rows_of(item_of(m, job, item), t.first, t.rows);
      };
      const auto keys_here = [&](auto m) { return rows_of(item_of(m, job, item), 0, t.keys); };
      const ConstMatrixRef k = keys_here(moved.k), q = rows_here(moved.q),
                           d_to = rows_here(head_columns(d_out)), to = rows_here(head_columns(out));
      const MatrixRef weights = saved_weights(job, saved, t, item),
                      d_scores = work.tile(t.rows, t.keys);
      gemm(work.gemm, Transpose::no, Transpose::yes, 1, d_to, keys_here(v), 0, d_scores);
      if (added != nullptr) added->values_backward(t.head, queries, keys, weights, d_to, d_scores);
      scores_backward(weights, to, d_to, d_scores,
                      job.learned.sinks != nullptr ? &d_sink : nullptr);
      for (int r = 0; bias != nullptr && r < t.rows; ++r)
        kernels::add_row(d_bias.row(r), d_scores.row(r), t.keys);
      const MatrixRef d_q = rows_here(d_moved_q), d_k = keys_here(d_moved_k),
                      d_v = keys_here(head_of(job, d_qkv, 2, t.head));
      if (terms != nullptr) {
        const MatrixRef products = work.products(t.rows, t.keys);
        gemm(work.gemm, Transpose::no, Transpose::yes, scale, q, k, 0, products);
        terms->content_backward(content_of(job, t, q, k), products, d_scores, d_q, d_k);
      }
      gemm(work.gemm, Transpose::yes, Transpose::no, 1, weights, d_to, 1, d_v);
      if (token_terms) token_terms->gates_backward(item, t.first, d_scores);
      kernels::multiply(d_scores.data, scale, t.rows * t.keys);
      if (token_terms && token_terms->forms_products()) {
        token_terms->products_backward(item, t.first, d_scores);
        continue;
      }
      gemm(work.gemm, Transpose::no, Transpose::no, 1, d_scores, k, 1, d_q);
      gemm(work.gemm, Transpose::yes, Transpose::no, 1, d_scores, q, 1, d_k);
    }
    if (bias != nullptr) bias->bias_backward(t.head, queries, keys, d_bias);
    if (t.first + t.rows < job.size.tokens) return;
    if (token_terms) token_terms->finish(d_moved_q, d_moved_k);
    if (job.learned.sinks != nullptr)
      job.learned.d_sinks[t.head] += static_cast<float>(std::exchange(d_sink, 0));
  });
  if (token_terms) token_terms->finish_gates();
  if (terms != nullptr) terms->finish_backward();
  if (job.transforms()) move_back(job, qkv, saved, work, d_qkv);
}

namespace {

constexpr double kEps = 1e-6;  // the eps of QkNorm

void copy(const ConstMatrixRef& from, const MatrixRef& to) {
  for (int r = 0; r < from.rows; ++r) std::copy_n(from.row(r), from.columns, to.row(r));
}

// 1 / root mean square of each row of a head.
float* sizes_of(const BatchedAttentionParams& job, SavedAttention& saved, int part, int head) {
  const std::ptrdiff_t before = part * job.heads + head;
  return saved.sizes.data() + before * job.size.rows();
}

}  // namespace

void gather_heads(const BatchedAttentionParams& job, const ConstMatrixRef& qkv, int part,
                  SavedAttention& saved, Tensor& to) {
  for (int h = 0; h < job.heads; ++h) {
    const ConstMatrixRef from = head_of(job, qkv, part, h);
    if (!job.normalises) {
      copy(from, matrix(to, h));
      continue;
    }
    rms_norm(from, part == 0 ? job.learned.q_norm : job.learned.k_norm, kEps, matrix(to, h),
             sizes_of(job, saved, part, h));
  }
}

void scatter_heads(const BatchedAttentionParams& job, const ConstMatrixRef& qkv, int part,
                   SavedAttention& saved, const Tensor& d, const MatrixRef& d_qkv) {
  const LearnedOptions& of = job.learned;
  for (int h = 0; h < job.heads; ++h) {
    const MatrixRef to = head_of(job, d_qkv, part, h);
    if (!job.normalises) {
      copy(matrix(d, h), to);
      continue;
    }
    rms_norm_backward(head_of(job, qkv, part, h), part == 0 ? of.q_norm : of.k_norm,
                      sizes_of(job, saved, part, h), matrix(d, h), to,
                      part == 0 ? of.d_q_norm : of.d_k_norm);
  }
}

void softmax(const MatrixRef& x) {
  for (int r = 0; r < x.rows; ++r) {
    float* row = x.row(r);
    const float top = kernels::active::row_max(row, x.columns);
    if (top == -std::numeric_limits<float>::infinity()) {
      kernels::fill(row, 0, x.columns);
      continue;
    }
    const double sum = kernels::active::exp_and_sum(row, x.columns, top);
    kernels::multiply(row, static_cast<float>(1 / sum), x.columns);
  }
}

void log_softmax(const MatrixRef& x) {
  for (int r = 0; r < x.rows; ++r) {
    float* row = x.row(r);
    const double top = static_cast<double>(kernels::active::row_max(row, x.columns));
    double sum = 0;
    for (int c = 0; c < x.columns; ++c) sum += exponential(static_cast<double>(row[c]) - top);
    const double log_sum = top + std::log(sum);
    for (int c = 0; c < x.columns; ++c)
      row[c] = static_cast<float>(static_cast<double>(row[c]) - log_sum);
  }
}

void softmax_backward(const ConstMatrixRef& y, const ConstMatrixRef& d_y, const MatrixRef& d_x) {
  for (int r = 0; r < y.rows; ++r) {
    const float mean = kernels::dot(y.row(r), d_y.row(r), y.columns);
    for (int c = 0; c < y.columns; ++c) d_x.row(r)[c] = y.row(r)[c] * (d_y.row(r)[c] - mean);
  }
}

}  // namespace phasor::nn
