#include "attention/streaming/attend.h"

#include "attention/streaming/group_pass.h"
#include "attention/streaming/memory_estimate.h"
#include "attention/streaming/multi_head_pass.h"
#include "attention/streaming/qk_norm.h"
#include "attention/streaming/score_ops.h"
#include "attention/streaming/scores_float64.h"
#include "attention/streaming/sink_queries.h"
#include "attention/streaming/tile_inputs.h"
#include "core/finite.h"
#include "core/format_error.h"
#include "math/eigen_map.h"
#include "sinusoid/rotate_tokens.h"

namespace phasor {

Status allocate(const AttentionParams& job, const std::vector<int>& output_shape,
                const std::vector<int>& scores_shape, AttentionResult& out) {
  out = {};
  const auto allocate_if = [](bool requested, const char* name, const char* what,
                              const std::vector<int>& shape, Tensor& tensor) {
    if (!requested) return Status{};
    PHASOR_TRY(check_size(name, what, shape));
    tensor = Tensor(shape);
    return Status{};
  };
  Status status = allocate_if(true, "v", "an output", output_shape, out.output);
  if (status.ok())
    status = allocate_if(job.outputs.weights, "outputs", "weights", scores_shape, out.weights);
  if (status.ok())
    status = allocate_if(job.outputs.scores, "outputs", "scores", scores_shape, out.scores);
  if (status.ok())
    status = allocate_if(job.outputs.bias, "outputs", "a bias", scores_shape, out.bias);
  const std::vector<int> pooled_shape = PoolingPass::shape(job, output_shape[0]);
  if (status.ok())
    status = allocate_if(job.outputs.pooled_weights, "outputs", "pooled weights", pooled_shape,
                         out.pooled_mean);
  if (status.ok())
    status = allocate_if(job.outputs.pooled_weights, "outputs", "pooled weights", pooled_shape,
                         out.pooled_max);
  if (status.ok()) {
    status = allocate_if(job.outputs.sink_weights, "outputs", "weights of sinks",
                         {scores_shape[0], scores_shape[1]}, out.sink_weights);
  }
  if (status.ok()) {
    out.output.shape = returned_shape(std::move(out.output.shape), job.output_layout);
  } else {
    out = {};
  }
  return status;
}

void allocate_softmax(const AttentionParams& job, int heads, AttentionResult& out) {
  if (!job.outputs.softmax_stats) return;
  const std::size_t rows = static_cast<std::size_t>(job.computes_one_head() ? 1 : heads) *
                           static_cast<std::size_t>(job.queries.count());
  out.row_max.resize(rows);
  out.row_sum.resize(rows);
}

namespace {

const Tensor& weight_of(const QkNorm& norm, Role role) {
  return role == Role::query ? norm.q_weight : norm.k_weight;
}

// Index of x's first token in the token tensors.
int first_token_of(const AttentionParams& job, Role role, const Tensor& x) {
  return role == Role::query ? job.first_token : job.keys.count() - x.shape[1];
}

}  // namespace

Status apply_position(const AttentionParams& job, Role role, Positions positions, Tensor& x) {
  const char* const name = role == Role::query ? "q" : "k";
  const auto apply_norm = [&](QkNorm::Order order) -> Status {
    if (!job.normalises(order)) return {};
    normalise(*job.qk_norm(), weight_of(*job.qk_norm(), role), x);
    return check_result(name, x.data, "a normalised vector");
  };
  PHASOR_TRY(apply_norm(QkNorm::Order::before_encoding));
  if (const TokenTransform* transform = job.encoding->as_token_transform()) {
    PHASOR_TRY(check_memory(name, rotation_bytes(x.shape[2])));
    transform->transform(role, *job.tokens, first_token_of(job, role, x), x);
  }
  // A custom dot product applies the transform itself.
  const QueryKeyEncoding* transform = job.encoding->as_query_key();
  if (transform != nullptr && job.encoding->as_custom_dot_product() == nullptr) {
    PHASOR_TRY(check_memory(name, transform->transform_bytes(x)));
    transform->transform(role, positions, x);
    PHASOR_TRY(check_result(name, x.data, "the result of {}", job.encoding->id));
  }
  return apply_norm(QkNorm::Order::after_encoding);
}

Status apply_position(const AttentionParams& job, Tensor& q, Tensor& k) {
  PHASOR_TRY(apply_position(job, Role::query, job.queries, q));
  const int keys = k.shape[1];
  return apply_position(job, Role::key, job.keys.part(job.keys.count() - keys, keys), k);
}

void position_backward(const AttentionParams& job, Encoding& encoding, Role role,
                       Positions positions, const Tensor& x, Tensor& d_x, Tensor& d_weight,
                       Gradients& token_tensors) {
  const QkNorm* norm = job.qk_norm();
  QueryKeyEncoding* const transform =
      encoding.as_custom_dot_product() == nullptr ? encoding.as_query_key() : nullptr;
  const TokenTransform* const token_transform = encoding.as_token_transform();
  const bool norm_is_first = job.normalises(QkNorm::Order::before_encoding);
  Tensor intermediate;  // x after the first of norm and encoding
  if (norm != nullptr && (transform != nullptr || token_transform != nullptr)) {
    intermediate = x;
    if (norm_is_first)
      normalise(*norm, weight_of(*norm, role), intermediate);
    else
      transform->transform(role, positions,
                           intermediate);  // token transforms require before_encoding
  }
  const auto backprop_norm = [&](const Tensor& input) {
    normalise_backward(*norm, weight_of(*norm, role), input, d_x, d_weight);
  };
  if (norm != nullptr && !norm_is_first) backprop_norm(transform != nullptr ? intermediate : x);
  const Tensor& input = norm_is_first ? intermediate : x;
  if (transform != nullptr) transform->transform_backward(role, positions, input, d_x);
  if (token_transform != nullptr) {
    token_transform->transform_backward(role, *job.tokens, first_token_of(job, role, x), input, d_x,
                                        token_tensors);
  }
  if (norm_is_first) backprop_norm(x);
}

const Tensor* log_gates_of(const AttentionParams& job) {
  return job.tokens == nullptr ? nullptr : job.tokens->find("log_gates");
}

Status sum_gates(AttentionParams& job, std::optional<Decay>& decay) {
  const Tensor* log_gates = log_gates_of(job);
  if (log_gates == nullptr) return {};
  PHASOR_TRY(check_memory("log_gates", Decay::bytes(*log_gates)));
  job.decay = &decay.emplace(*log_gates, job.encoding->gate_factor(job.scale));
  return {};
}

Status check_added(const AttentionParams& job, const AttentionResult& result) {
  PHASOR_TRY(check_result("encoding", result.bias.data, "the contribution of {} to the scores",
                          job.encoding->id));
  return check_result("encoding", result.output.data, "the contribution of {} to the values",
                      job.encoding->id);
}

namespace {

// Computes all heads together, for encodings that mix heads.
Status pass_together(const Tensor& q, const Tensor& k, ValuesByHead v, const AttentionParams& job,
                     const Tiling& tiling, const HeadParts& parts, AttentionResult& out) {
  const int keys = k.shape[1];
  return parts.run([&](const auto& each_part) {
    MultiHeadKeyBlocks blocks(k.shape[0], tiling.block, k.shape[2], v.front().columns);
    MultiHeadPass heads(job, tiling, q, k.shape[0]);
    each_part([&](int, RowRange rows) {
      heads.start(out.output, out, rows);
      for (int first = 0; first < keys; first += tiling.block)
        heads.block(blocks.pack(k, v, first, std::min(tiling.block, keys - first)));
      return heads.finish();
    });
  });
}

Status pass_by_groups(const Tensor& q, const Tensor& k, ValuesByHead v, const AttentionParams& job,
                      const Tiling& tiling, const HeadParts& parts, AttentionResult& out) {
  const int kv_heads = k.shape[0], keys = k.shape[1];
  return parts.run([&](const auto& each_part) {
    KeyBlocks blocks(tiling.block, k.shape[2], v.front().columns);
    GroupPass pass(job, tiling, q.shape[0] / kv_heads);
    HeadProducts products(job, k.shape[2], false);
    each_part([&](int kv_head, RowRange rows) {
      const auto each_block = [&](const auto& f) {
        for (int first = 0; first < keys; first += tiling.block) {
          f(blocks.pack(matrix(k, kv_head), v[static_cast<std::size_t>(kv_head)], first,
                        std::min(tiling.block, keys - first)));
        }
      };
      return pass.run(kv_head, rows, q, products.of_head(kv_head, k), out, each_block);
    });
  });
}

// Attention of transformed q and k; sink queries are already set.
Status attend_at_positions(const Tensor& q, const Tensor& k, ValuesByHead v,
                           const AttentionParams& params, AttentionResult& out) {
  AttentionParams job = params;
  const int heads = q.shape[0], queries = q.shape[1], keys = k.shape[1],
            v_head_dim = v.front().columns;
  job.use_float64 = needs_float64(job.scale, q, max_abs(k.data), max_abs(v), keys);
  job.group = heads_together(job, heads, k.shape[0]);
  const Tiling tiles = tiling(job);
  const bool mixes_heads = job.encoding->as_mixing() != nullptr;
  const HeadParts parts(job, tiles, mixes_heads ? 1 : k.shape[0]);
  // Memory per thread, because all threads run at the same time.
  const double bytes_per_thread = pass_bytes(job, heads, k.shape[2], v_head_dim) +
                                  HeadProducts(job, k.shape[2], false).bytes(queries, keys);
  PHASOR_TRY(check_memory("q", parts.threads() * bytes_per_thread + softmax_bytes(job, heads)));
  allocate_softmax(job, heads, out);
  std::optional<Decay> decay;
  PHASOR_TRY(sum_gates(job, decay));
  PHASOR_TRY(mixes_heads ? pass_together(q, k, v, job, tiles, parts, out)
                         : pass_by_groups(q, k, v, job, tiles, parts, out));
  if (!job.compute_output) {
    out.output.shape.clear();
    out.output.data.clear();
  }
  return check_added(job, out);
}

Status allocate(const AttentionParams& job, const Tensor& q, const Tensor& k, ValuesByHead v,
                AttentionResult& out) {
  const int heads = q.shape[0], queries = q.shape[1];
  return allocate(job, {heads, queries, v.front().columns},
                  {job.outputs.head ? 1 : heads, queries, k.shape[1]}, out);
}

// True if apply_position changes q or k.
bool transforms(const AttentionParams& job) {
  return job.qk_norm() != nullptr || job.encoding->as_token_transform() != nullptr ||
         (job.encoding->as_query_key() != nullptr &&
          job.encoding->as_custom_dot_product() == nullptr);
}

}  // namespace

Status attend(Tensor& q, Tensor& k, ValuesByHead v, const AttentionParams& params,
              AttentionResult& out) {
  AttentionParams job = params;
  PHASOR_TRY(allocate(job, q, k, v, out));
  SinkQueries sink_queries;
  PHASOR_TRY(sink_queries.start(job, q));
  job.sink_queries = &sink_queries;
  PHASOR_TRY(apply_position(job, q, k));
  return attend_at_positions(q, k, v, job, out);
}

Status attend(const Tensor& q, const Tensor& k, ValuesByHead v, const AttentionParams& params,
              AttentionResult& out) {
  AttentionParams job = params;
  if (transforms(job)) {
    PHASOR_TRY(check_memory("q", bytes_of(q.shape) + bytes_of(k.shape)));
    Tensor q_copy = q, k_copy = k;
    return attend(q_copy, k_copy, v, job, out);
  }
  PHASOR_TRY(allocate(job, q, k, v, out));
  SinkQueries sink_queries;
  PHASOR_TRY(sink_queries.start(job, q));
  job.sink_queries = &sink_queries;
  return attend_at_positions(q, k, v, job, out);
}

std::vector<int> returned_shape(std::vector<int> shape, OutputLayout layout) {
  if (layout == OutputLayout::head_major) return shape;
  const int head_dim = shape.back();
  shape.pop_back();
  int& heads = *(shape.end() - 2);
  const int joined_dim = heads * head_dim;
  heads = shape.back();
  shape.back() = joined_dim;
  return shape;
}

MatrixRef head_rows(Tensor& t, int head, int heads) {
  if (t.rank() != 2) return matrix(t, head);
  const int head_dim = t.shape[1] / heads;
  return {t.data.data() + static_cast<std::ptrdiff_t>(head) * head_dim, t.shape[0], head_dim,
          t.shape[1]};
}

Tensor join_heads(const Tensor& x) {
  const int heads = x.shape[0];
  Tensor out(returned_shape(x.shape, OutputLayout::token_major));
  for (int h = 0; h < heads; ++h) eigen(head_rows(out, h, heads)) = eigen(matrix(x, h));
  return out;
}

}  // namespace phasor
