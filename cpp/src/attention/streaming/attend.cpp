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
#include "sinusoid/rotate_tokens.h"

namespace phasor {

Status allocate(const AttentionParams& params, const std::vector<int>& output_shape,
                const std::vector<int>& scores_shape, AttentionResult& out) {
  out = {};
  const auto allocate_if = [](bool is_requested, const char* name, const char* what,
                              const std::vector<int>& shape, Tensor& tensor) {
    if (!is_requested) return Status{};
    PHASOR_TRY(check_size(name, what, shape));
    tensor = Tensor(shape);
    return Status{};
  };
  Status status = allocate_if(true, "v", "an output", output_shape, out.output);
  if (status.ok())
    status = allocate_if(params.outputs.weights, "outputs", "weights", scores_shape, out.weights);
  if (status.ok())
    status = allocate_if(params.outputs.scores, "outputs", "scores", scores_shape, out.scores);
  if (status.ok())
    status = allocate_if(params.outputs.bias, "outputs", "a bias", scores_shape, out.bias);
  const std::vector<int> pooled_shape = PoolingPass::shape(params, output_shape[0]);
  if (status.ok())
    status = allocate_if(params.outputs.pooled_weights, "outputs", "pooled weights", pooled_shape,
                         out.pooled_mean);
  if (status.ok())
    status = allocate_if(params.outputs.pooled_weights, "outputs", "pooled weights", pooled_shape,
                         out.pooled_max);
  if (status.ok()) {
    status = allocate_if(params.outputs.sink_weights, "outputs", "weights of sinks",
                         {scores_shape[0], scores_shape[1]}, out.sink_weights);
  }
  if (status.ok()) {
    out.output.shape = shape_in_layout(std::move(out.output.shape), params.output_layout);
  } else {
    out = {};
  }
  return status;
}

void allocate_softmax(const AttentionParams& params, int heads, AttentionResult& out) {
  if (!params.outputs.softmax_stats) return;
  const std::size_t rows = static_cast<std::size_t>(params.computes_one_head() ? 1 : heads) *
                           static_cast<std::size_t>(params.queries.count());
  out.row_max.resize(rows);
  out.row_sum.resize(rows);
}

namespace {

const Tensor& norm_weight(const QkNorm& norm, Role role) {
  return role == Role::query ? norm.q_weight : norm.k_weight;
}

// The index of the first token of x in the token tensors.
int first_token_index(const AttentionParams& params, Role role, const Tensor& x) {
  return role == Role::query ? params.first_token : params.keys.count() - x.shape[1];
}

}  // namespace

Status apply_position(const AttentionParams& params, Role role, Positions positions, Tensor& x) {
  const char* const name = role == Role::query ? "q" : "k";
  const auto apply_norm = [&](QkNorm::Order order) -> Status {
    if (!params.normalises(order)) return {};
    normalise(*params.qk_norm(), norm_weight(*params.qk_norm(), role), x);
    return check_result(name, x.data, "a normalised vector");
  };
  PHASOR_TRY(apply_norm(QkNorm::Order::before_encoding));
  if (const TokenTransform* token_transform = params.encoding->as_token_transform()) {
    PHASOR_TRY(check_memory(name, rotation_bytes(x.shape[2])));
    token_transform->transform(role, *params.tokens, first_token_index(params, role, x), x);
  }
  // Encodings with a custom dot product apply the transform themselves.
  const QueryKeyEncoding* query_key = params.encoding->as_query_key();
  if (query_key != nullptr && params.encoding->as_custom_dot_product() == nullptr) {
    PHASOR_TRY(check_memory(name, query_key->transform_bytes(x)));
    query_key->transform(role, positions, x);
    PHASOR_TRY(check_result(name, x.data, "the result of {}", params.encoding->id));
  }
  return apply_norm(QkNorm::Order::after_encoding);
}

Status apply_position(const AttentionParams& params, Tensor& q, Tensor& k) {
  PHASOR_TRY(apply_position(params, Role::query, params.queries, q));
  const int keys = k.shape[1];
  return apply_position(params, Role::key, params.keys.part(params.keys.count() - keys, keys), k);
}

void apply_position_backward(const AttentionParams& params, Encoding& encoding, Role role,
                             Positions positions, const Tensor& x, Tensor& d_x, Tensor& d_weight,
                             Gradients& token_tensors) {
  const QkNorm* norm = params.qk_norm();
  QueryKeyEncoding* const query_key =
      encoding.as_custom_dot_product() == nullptr ? encoding.as_query_key() : nullptr;
  const TokenTransform* const token_transform = encoding.as_token_transform();
  const bool is_norm_first = params.normalises(QkNorm::Order::before_encoding);
  Tensor intermediate;  // x after the norm or the encoding, whichever comes first
  if (norm != nullptr && (query_key != nullptr || token_transform != nullptr)) {
    intermediate = x;
    if (is_norm_first)
      normalise(*norm, norm_weight(*norm, role), intermediate);
    else  // query_key is not null, because token transforms require before_encoding
      query_key->transform(role, positions, intermediate);
  }
  const auto backprop_norm = [&](const Tensor& input) {
    normalise_backward(*norm, norm_weight(*norm, role), input, d_x, d_weight);
  };
  if (norm != nullptr && !is_norm_first) backprop_norm(query_key != nullptr ? intermediate : x);
  const Tensor& input = is_norm_first ? intermediate : x;
  if (query_key != nullptr) query_key->transform_backward(role, positions, input, d_x);
  if (token_transform != nullptr) {
    token_transform->transform_backward(role, *params.tokens, first_token_index(params, role, x),
                                        input, d_x, token_tensors);
  }
  if (is_norm_first) backprop_norm(x);
}

const Tensor* find_log_gates(const AttentionParams& params) {
  return params.tokens == nullptr ? nullptr : params.tokens->find("log_gates");
}

Status sum_gates(AttentionParams& params, std::optional<Decay>& decay) {
  const Tensor* log_gates = find_log_gates(params);
  if (log_gates == nullptr) return {};
  PHASOR_TRY(check_memory("log_gates", Decay::bytes(*log_gates)));
  params.decay = &decay.emplace(*log_gates, params.encoding->gate_factor(params.scale));
  return {};
}

Status check_encoding_terms(const AttentionParams& params, const AttentionResult& result) {
  PHASOR_TRY(check_result("encoding", result.bias.data, "the contribution of {} to the scores",
                          params.encoding->id));
  return check_result("encoding", result.output.data, "the contribution of {} to the values",
                      params.encoding->id);
}

namespace {

Status attend_heads_together(const Tensor& q, const Tensor& k, ValuesByHead v,
                             const AttentionParams& params, const Tiling& tiling,
                             const HeadParts& parts, AttentionResult& out) {
  const int keys = k.shape[1];
  return parts.run([&](const auto& for_each_part) {
    MultiHeadKeyBlockPacker packer(k.shape[0], tiling.block_keys, k.shape[2], v.front().columns);
    MultiHeadPass heads(params, tiling, q, k.shape[0]);
    for_each_part([&](int, RowRange rows) {
      heads.start(out.output, out, rows);
      for (int first = 0; first < keys; first += tiling.block_keys)
        heads.process_block(packer.pack(k, v, first, std::min(tiling.block_keys, keys - first)));
      return heads.finish();
    });
  });
}

Status attend_by_groups(const Tensor& q, const Tensor& k, ValuesByHead v,
                        const AttentionParams& params, const Tiling& tiling, const HeadParts& parts,
                        AttentionResult& out) {
  const int kv_heads = k.shape[0], keys = k.shape[1];
  return parts.run([&](const auto& for_each_part) {
    KeyBlockPacker packer(tiling.block_keys, k.shape[2], v.front().columns);
    GroupPass pass(params, tiling, q.shape[0] / kv_heads);
    HeadProducts products(params, k.shape[2], false);
    for_each_part([&](int kv_head, RowRange rows) {
      const auto for_each_block = [&](const auto& f) {
        for (int first = 0; first < keys; first += tiling.block_keys) {
          f(packer.pack(matrix(k, kv_head), v[static_cast<std::size_t>(kv_head)], first,
                        std::min(tiling.block_keys, keys - first)));
        }
      };
      return pass.run(kv_head, rows, q, products.head_state(kv_head, k), out, for_each_block);
    });
  });
}

// Computes attention for q and k that are already transformed. params.sink_queries must be set.
Status attend_at_positions(const Tensor& q, const Tensor& k, ValuesByHead v, AttentionParams params,
                           AttentionResult& out) {
  const int heads = q.shape[0], queries = q.shape[1], keys = k.shape[1],
            v_head_dim = v.front().columns;
  params.use_float64 = needs_float64(params.scale, q, max_abs(k.data), max_abs(v), keys);
  params.group_size = heads_per_pass(params, heads, k.shape[0]);
  const Tiling tiling = choose_tiling(params);
  const bool mixes_heads = params.encoding->as_mixing() != nullptr;
  const HeadParts parts(params, tiling, mixes_heads ? 1 : k.shape[0]);
  const double bytes_per_thread = pass_bytes(params, heads, k.shape[2], v_head_dim) +
                                  HeadProducts(params, k.shape[2], false).bytes(queries, keys);
  PHASOR_TRY(check_memory("q", parts.threads() * bytes_per_thread + softmax_bytes(params, heads)));
  allocate_softmax(params, heads, out);
  std::optional<Decay> decay;
  PHASOR_TRY(sum_gates(params, decay));
  PHASOR_TRY(mixes_heads ? attend_heads_together(q, k, v, params, tiling, parts, out)
                         : attend_by_groups(q, k, v, params, tiling, parts, out));
  if (!params.compute_output) {
    out.output.shape.clear();
    out.output.data.clear();
  }
  return check_encoding_terms(params, out);
}

Status allocate(const AttentionParams& params, const Tensor& q, const Tensor& k, ValuesByHead v,
                AttentionResult& out) {
  const int heads = q.shape[0], queries = q.shape[1];
  return allocate(params, {heads, queries, v.front().columns},
                  {params.outputs.head ? 1 : heads, queries, k.shape[1]}, out);
}

bool needs_transform(const AttentionParams& params) {
  return params.qk_norm() != nullptr || params.encoding->as_token_transform() != nullptr ||
         (params.encoding->as_query_key() != nullptr &&
          params.encoding->as_custom_dot_product() == nullptr);
}

}  // namespace

Status attend(Tensor& q, Tensor& k, ValuesByHead v, AttentionParams params, AttentionResult& out) {
  PHASOR_TRY(allocate(params, q, k, v, out));
  SinkQueries sink_queries;
  PHASOR_TRY(sink_queries.prepare(params, q));
  params.sink_queries = &sink_queries;
  PHASOR_TRY(apply_position(params, q, k));
  return attend_at_positions(q, k, v, params, out);
}

Status attend(const Tensor& q, const Tensor& k, ValuesByHead v, AttentionParams params,
              AttentionResult& out) {
  if (needs_transform(params)) {
    PHASOR_TRY(check_memory("q", array_bytes(q.shape) + array_bytes(k.shape)));
    Tensor q_copy = q, k_copy = k;
    return attend(q_copy, k_copy, v, params, out);
  }
  PHASOR_TRY(allocate(params, q, k, v, out));
  SinkQueries sink_queries;
  PHASOR_TRY(sink_queries.prepare(params, q));
  params.sink_queries = &sink_queries;
  return attend_at_positions(q, k, v, params, out);
}

}  // namespace phasor
