#include "model/run/attend.h"

#include <algorithm>

#include "attention/streaming/qk_norm.h"
#include "core/format_error.h"
#include "model/run/forward.h"
#include "phasor/registry.h"
#include "phasor/tensor_view.h"

namespace phasor::model {

Status project(const Weights& w, const LayerWeights& block, const Tensor& x, int threads,
               Projections& out) {
  const ModelInfo& info = w.info;
  if (!block.qkv.weight.empty()) {
    out.fused_qkv = linear(block.qkv, matrix(x), threads);
    return split_qkv(view(out.fused_qkv), {.heads = info.heads,
                                           .kv_heads = info.kv_heads,
                                           .layout = w.architecture->qkv_layout})
        .move_to(out.views);
  }
  out.queries = linear(block.q, matrix(x), threads);
  out.keys = linear(block.k, matrix(x), threads);
  out.values = linear(block.v, matrix(x), threads);
  PHASOR_TRY(split_heads(view(out.queries), info.heads).move_to(out.views.q));
  PHASOR_TRY(split_heads(view(out.keys), info.kv_heads).move_to(out.views.k));
  return split_heads(view(out.values), info.kv_heads).move_to(out.views.v);
}

Result<Tensor> select_heads(const TensorView& x, const std::vector<int>& heads) {
  if (heads.empty()) return contiguous(x);
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    const int tokens = x.shape[1], dim = x.shape[2];
    const std::vector<int> shape = {static_cast<int>(heads.size()), tokens, dim};
    PHASOR_TRY(check_memory("input_ids", array_bytes(shape)));
    out = Tensor(shape);
    for (int h = 0; h < shape[0]; ++h) {
      TensorView head = x;
      head.shape[0] = 1;
      head.offset += static_cast<std::size_t>(heads[static_cast<std::size_t>(h)]) * x.strides[0];
      PHASOR_TRY_ASSIGN(const Tensor rows, contiguous(head));
      std::copy(rows.data.begin(), rows.data.end(), matrix(out, h).data);
    }
    return {};
  });
}

namespace {

// Computes attention for the heads of one group. The output is (tokens, heads * head_dim).
Status attend_group(const HeadGroup& group, const QkvViews& qkv, const RunConfig& config,
                    KeyValueCache* cache, const RequestedOutputs& requested_outputs,
                    AttentionResult& out) {
  if (cache != nullptr) {
    PHASOR_TRY_ASSIGN(Tensor q, select_heads(qkv.q, group.heads));
    PHASOR_TRY_ASSIGN(Tensor k, select_heads(qkv.k, group.kv_heads));
    PHASOR_TRY_ASSIGN(const Tensor v, select_heads(qkv.v, group.kv_heads));
    DecodeConfig decode_config;
    decode_config.key_mask = config.attention_mask;
    decode_config.outputs = requested_outputs;
    return cache->decode(std::move(q), std::move(k), v, decode_config).move_to(out);
  }
  AttentionConfig attention_config = group.attention;
  if (group.encoding != nullptr) attention_config.encoding = {};
  attention_config.key_mask = config.attention_mask;
  attention_config.outputs = requested_outputs;
  if (group.heads.empty()) {
    return (group.encoding != nullptr
                ? attention(qkv.q, qkv.k, qkv.v, *group.encoding, attention_config)
                : attention(qkv.q, qkv.k, qkv.v, attention_config))
        .move_to(out);
  }
  PHASOR_TRY_ASSIGN(Tensor q, select_heads(qkv.q, group.heads));
  PHASOR_TRY_ASSIGN(Tensor k, select_heads(qkv.k, group.kv_heads));
  PHASOR_TRY_ASSIGN(const Tensor v, select_heads(qkv.v, group.kv_heads));
  return attention(std::move(q), std::move(k), v, *group.encoding, attention_config).move_to(out);
}

// Replaces each row of output (tokens, heads * head_dim) with zeros or with the mean row of the
// visible tokens.
void ablate(HeadOutput output_kind, const std::vector<std::uint8_t>& attention_mask,
            Tensor& output) {
  if (output_kind == HeadOutput::computed) return;
  const MatrixRef rows = matrix(output);
  std::vector<double> means(static_cast<std::size_t>(rows.columns));
  if (output_kind == HeadOutput::mean) {
    int count = 0;
    for (int t = 0; t < rows.rows; ++t) {
      if (!attention_mask.empty() && attention_mask[static_cast<std::size_t>(t)] == 0) continue;
      ++count;
      for (int c = 0; c < rows.columns; ++c)
        means[static_cast<std::size_t>(c)] += static_cast<double>(rows.row(t)[c]);
    }
    for (double& value : means) value /= std::max(count, 1);
  }
  for (int t = 0; t < rows.rows; ++t) {
    for (int c = 0; c < rows.columns; ++c)
      rows.row(t)[c] = static_cast<float>(means[static_cast<std::size_t>(c)]);
  }
}

// Copies the outputs of a group's heads to their columns in `to`, which has columns for all heads.
void copy_heads(const std::vector<int>& heads, int head_dim, const Tensor& from, Tensor& to) {
  for (int t = 0; t < to.shape[0]; ++t) {
    for (std::size_t h = 0; h < heads.size(); ++h)
      std::copy_n(matrix(from).row(t) + h * static_cast<std::size_t>(head_dim), head_dim,
                  matrix(to).row(t) + heads[h] * head_dim);
  }
}

}  // namespace

Status attend(const Weights& w, const LayerWeights& block, const LayerPlan& plan,
              const QkvViews& qkv, const RunConfig& config, GroupCaches* caches,
              const RequestedOutputs& requested_outputs, Tensor& y, Tensor& weights) {
  const ModelInfo& info = w.info;
  Tensor all_heads;
  for (std::size_t n = 0; n < plan.groups.size(); ++n) {
    const HeadGroup& group = plan.groups[n];
    const std::vector<int>& heads = group.heads;
    RequestedOutputs outputs = requested_outputs;
    if (requested_outputs.head && !heads.empty()) {
      const auto match = std::find(heads.begin(), heads.end(), *requested_outputs.head);
      outputs.weights = requested_outputs.weights && match != heads.end();
      outputs.head =
          outputs.weights ? std::optional(static_cast<int>(match - heads.begin())) : std::nullopt;
    }
    AttentionResult result;
    PHASOR_TRY(attend_group(group, qkv, config, caches != nullptr ? (*caches)[n].get() : nullptr,
                            outputs, result));
    ablate(group.output, config.attention_mask, result.output);
    if (heads.empty()) {
      all_heads = std::move(result.output);
      weights = std::move(result.weights);
      continue;
    }
    if (all_heads.empty()) all_heads = Tensor({qkv.q.shape[1], info.heads * info.head_dim});
    copy_heads(heads, info.head_dim, result.output, all_heads);
    if (!outputs.weights) continue;
    if (requested_outputs.head) {
      weights = std::move(result.weights);
      continue;
    }
    if (weights.empty()) {
      const std::vector<int> shape = {info.heads, result.weights.shape[1], result.weights.shape[2]};
      PHASOR_TRY(check_size("output_attentions", "weights", shape));
      weights = Tensor(shape);
    }
    for (std::size_t h = 0; h < heads.size(); ++h) {
      const ConstMatrixRef from = matrix(std::as_const(result.weights), static_cast<int>(h));
      std::copy_n(from.data,
                  static_cast<std::size_t>(from.rows) * static_cast<std::size_t>(from.columns),
                  matrix(weights, heads[h]).data);
    }
  }
  y = linear(block.o, matrix(std::as_const(all_heads)), config.threads);
  return {};
}

Status compute_query_key_states(const ModelInfo& info, const LayerPlan& plan, const QkvViews& qkv,
                                QueryKeyStates& out) {
  if (plan.groups.size() > 1)
    return invalid(
        "changes: differ between the heads of the layer; expected the same changes for all "
        "heads");
  const HeadGroup& group = plan.groups.front();
  std::shared_ptr<const Encoding> encoding = group.encoding;
  if (encoding == nullptr) {
    const EncodingDims dims = make_head_dims(info, group.attention.scale, qkv.q.shape[1]);
    PHASOR_TRY_ASSIGN(encoding, create_encoding(group.attention.encoding, dims));
  }
  PHASOR_TRY(select_heads(qkv.q, {}).move_to(out.queries));
  PHASOR_TRY(select_heads(qkv.k, {}).move_to(out.keys));
  const std::optional<QkNorm>& norm = group.attention.options.qk_norm;
  const bool is_norm_first = norm && norm->order == QkNorm::Order::before_encoding;
  const auto normalise_both = [&](Tensor& q, Tensor& k) {
    normalise(*norm, norm->q_weight, q);
    normalise(*norm, norm->k_weight, k);
  };
  if (is_norm_first) normalise_both(out.queries, out.keys);
  out.rotated_queries = out.queries;
  out.rotated_keys = out.keys;
  if (const QueryKeyEncoding* query_key = encoding->as_query_key()) {
    PHASOR_TRY_ASSIGN(const std::vector<double> positions,
                      consecutive_positions(0, qkv.q.shape[1]));
    query_key->transform(Role::query, positions, out.rotated_queries);
    query_key->transform(Role::key, positions, out.rotated_keys);
  }
  if (norm && !is_norm_first) normalise_both(out.rotated_queries, out.rotated_keys);
  return {};
}

}  // namespace phasor::model
