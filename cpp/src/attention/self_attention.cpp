// Self-attention on embeddings: adds positions, projects to queries, keys and values, and computes
// attention.

#include "attention/self_attention.h"

#include <cmath>

#include "attention/streaming/attend.h"
#include "attention/validate/attention_options.h"
#include "attention/validate/call.h"
#include "attention/validate/segments.h"
#include "core/format_error.h"
#include "encoding_base/token_tensors/token_checks.h"
#include "kernels/gemm.h"
#include "kernels/vector_ops.h"
#include "math/eigen_map.h"
#include "phasor/random.h"
#include "phasor/registry.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor {

namespace {

// x (length, embed_dim) -> (heads, length, embed_dim / heads)
Tensor copy_heads(ConstMatrixRef x, int heads) {
  const int head_dim = x.columns / heads;
  Tensor out({heads, x.rows, head_dim});
  for (int h = 0; h < heads; ++h) {
    eigen(matrix(out, h)) = eigen(x).middleCols(h * head_dim, head_dim);
  }
  return out;
}

double packed_square_bytes(int embed_dim) {
  return sizeof(float) * static_cast<double>(kernels::packed_size(embed_dim, embed_dim));
}

Status project(const Tensor& x, const SelfAttentionConfig& config, int index, Tensor& out) {
  if (config.projections == Projections::identity) {
    PHASOR_TRY(check_memory("x", array_bytes(x.shape)));
    out = copy_heads(matrix(x), config.heads);
    return {};
  }
  Tensor weights;
  PHASOR_TRY(
      random_orthogonal(config.seed * 3u + static_cast<std::uint32_t>(index), x.shape[1], weights));
  // The projected x before and after it is split into heads, and the packed projection.
  PHASOR_TRY(check_memory("x", 2 * array_bytes(x.shape) + packed_square_bytes(x.shape[1])));
  const Tensor projected_x =
      kernels::gemm(1, matrix(x), kernels::PackedMatrix(kernels::Transpose::no, matrix(weights)));
  out = copy_heads(matrix(projected_x), config.heads);
  return {};
}

// The backward pass of project(): adds x (length, heads * head_dim) times the transposed projection
// to `out`.
Status project_backward_into(const Tensor& x, const SelfAttentionConfig& config, int index,
                             Tensor& out) {
  if (config.projections == Projections::identity) {
    eigen(matrix(out)) += eigen(matrix(x));
    return {};
  }
  Tensor weights;
  PHASOR_TRY(random_orthogonal(config.seed * 3u + static_cast<std::uint32_t>(index), out.shape[1],
                               weights));
  PHASOR_TRY(check_memory("x", packed_square_bytes(out.shape[1])));
  kernels::gemm(kernels::Transpose::no, kernels::Transpose::yes, 1, matrix(x), matrix(weights), 1,
                matrix(out));
  return {};
}

struct PreparedLayer {
  std::unique_ptr<Encoding> encoding;
  std::vector<double> positions;
  Tensor q, k, v;  // (heads, length, head_dim)
  TokenTensors tokens;
  AttentionParams params;
};

Status check_segments(const SelfAttentionConfig& config, const Encoding& encoding, int length) {
  const Argument name = argument("segment_ids");
  PHASOR_TRY(check_segment_ids(name.name, config.segment_ids, length, 0));
  PHASOR_TRY(check_memory("x", kSegmentBytesPerToken * length));
  if (config.options.sink_tokens > 0 && config.options.sink_positions == SinkPositions::cache)
    return invalid("{}: cache cannot be combined with {}", argument("sink_positions"), name);
  const EncodingInfo* encoding_info = find_encoding(encoding.id);
  if (encoding_info != nullptr && !encoding_info->prefix_stable)
    return invalid("{}: {} depends on the length of the text, and packed texts differ in length",
                   name, detail(encoding.id));
  if (encoding.token_tensors.empty()) return {};
  if (encoding.as_projections()->reads_earlier_tokens())
    return invalid("{}: {} computes {} from earlier tokens, which may be in other segments", name,
                   detail(encoding.id), encoding.token_tensors.front().name);
  return check_contiguous(name.name, config.segment_ids, encoding.id);
}

Status prepare_layer(const Tensor& x, const SelfAttentionConfig& config, PreparedLayer& out) {
  PHASOR_TRY(check_tensor("x", x));
  if (x.rank() != 2 || x.empty()) return invalid("x: has shape {}; expected length x dim", x.shape);
  const int length = x.shape[0], embed_dim = x.shape[1];
  PHASOR_TRY(check_extent("heads", config.heads));
  if (embed_dim % config.heads != 0) {
    return invalid("heads: {} does not divide {}; expected a divisor of {}", config.heads,
                   argument("embed_dim"), embed_dim);
  }
  PHASOR_TRY(check_range("window", config.window.value_or(1), 1, kMaxPosition));
  PHASOR_TRY(check_range("head", config.outputs.head.value_or(0), 0, config.heads - 1));
  const int head_dim = embed_dim / config.heads;
  PHASOR_TRY(check_options(config.options, config.heads, config.heads, head_dim));
  PHASOR_TRY(check_outputs(config.outputs, config.options));
  const EncodingInfo* encoding_info = find_encoding(config.encoding.id);
  const bool is_input_encoding =
      encoding_info != nullptr && encoding_info->injection == Injection::input;
  const EncodingDims dims{.length = length,
                          .dim = is_input_encoding ? embed_dim : head_dim,
                          .heads = config.heads,
                          .scale = config.scale,
                          .embed_dim = embed_dim};
  PHASOR_TRY(create_encoding(config.encoding, dims).move_to(out.encoding));
  const Encoding& encoding = *out.encoding;
  PHASOR_TRY(check_sink_tokens(config.options, config.window, config.mask, encoding, 1));
  PHASOR_TRY(check_norm_order(config.options, encoding, head_dim));
  if (!encoding.token_tensors.empty() && encoding.as_projections() == nullptr) {
    return invalid(
        "encoding: {} needs {} per token, which a layer does not compute; pass them to attention",
        encoding.id, encoding.token_tensors.front().name);
  }
  PHASOR_TRY(check_causal(encoding, config.mask == Mask::causal));
  PHASOR_TRY(consecutive_positions(config.position_offset, length).move_to(out.positions));
  if (!config.segment_ids.empty()) {
    PHASOR_TRY(check_segments(config, encoding, length));
    out.positions = segment_positions({}, config.segment_ids).keys;
    for (double& position : out.positions) position += config.position_offset;
  }
  PHASOR_TRY(encoding.check_positions(out.positions));
  PHASOR_TRY(encoding.check_distances(out.positions, out.positions));
  double scale = 0;
  PHASOR_TRY(resolve_scale(encoding, config.scale, head_dim, scale));

  // At most two arrays as large as x: x with positions, and the table, which may have fewer
  // channels.
  PHASOR_TRY(check_memory("x", 2 * array_bytes(x.shape) + kSinusoidWorkspaceBytes));
  Tensor x_with_positions = x;
  if (is_input_encoding) {
    const int channels = encoding.as_table()->table_dim(embed_dim);
    if (channels > embed_dim) {
      return invalid("dim: {} has {} channels; expected at most {}, the embedding dim",
                     detail(encoding_info->id), channels, embed_dim);
    }
    Tensor table({length, channels});
    encoding.as_table()->table(out.positions, matrix(table));
    eigen(matrix(x_with_positions)).leftCols(channels) += eigen(matrix(std::as_const(table)));
  }
  PHASOR_TRY(project(x_with_positions, config, 0, out.q));
  PHASOR_TRY(project(x_with_positions, config, 1, out.k));
  PHASOR_TRY(project(x_with_positions, config, 2, out.v));
  for (const Tensor* projected : {&out.q, &out.k, &out.v}) {
    PHASOR_TRY(check_result("x", projected->data, "a query, key or value projection"));
  }
  if (const TokenProjections* projections = encoding.as_projections())
    PHASOR_TRY(projections->project(matrix(x), out.tokens));
  out.params = {.encoding = out.encoding.get(),
                .queries = out.positions,
                .keys = out.positions,
                .mask = config.mask,
                .window = config.window.value_or(0),
                .key_mask = nullptr,
                .query_segments = config.segment_ids,
                .key_segments = config.segment_ids,
                .scale = scale,
                .outputs = config.outputs,
                .compute_output = config.compute_output,
                .output_layout = OutputLayout::token_major,
                .tokens = &out.tokens,
                .options = &config.options,
                .kernels = &select_kernels(config.options)};
  apply_encoding_window(encoding, out.params);
  return {};
}

}  // namespace

Result<AttentionResult> self_attention(const Tensor& x, const SelfAttentionConfig& config) {
  return Result<AttentionResult>::from([&](AttentionResult& out) -> Status {
    PreparedLayer layer;
    PHASOR_TRY(prepare_layer(x, config, layer));
    return attend(layer.q, layer.k, matrices(view(layer.v)), layer.params, out);
  });
}

Result<SelfAttentionGradients> self_attention_backward(const Tensor& x, const Tensor& d_output,
                                                       const SelfAttentionConfig& config) {
  return Result<SelfAttentionGradients>::from([&](SelfAttentionGradients& out) -> Status {
    PreparedLayer layer;
    PHASOR_TRY(prepare_layer(x, config, layer));
    if (d_output.shape != x.shape) {
      return invalid("{}: has shape {}; expected {}, the shape of the output", argument("d_output"),
                     d_output.shape, x.shape);
    }
    PHASOR_TRY(check_tensor(argument("d_output"), d_output));
    layer.params.outputs = {};
    AttentionGradients gradients;
    PHASOR_TRY(attend_backward(layer.q, layer.k, layer.v, d_output, layer.params, *layer.encoding,
                               nullptr, gradients));
    PHASOR_TRY(check_memory("x", 3 * array_bytes(x.shape) + 2 * kSinusoidWorkspaceBytes));
    out.d_x = Tensor(x.shape);
    PHASOR_TRY(project_backward_into(gradients.d_q, config, 0, out.d_x));
    PHASOR_TRY(project_backward_into(gradients.d_k, config, 1, out.d_x));
    PHASOR_TRY(project_backward_into(gradients.d_v, config, 2, out.d_x));
    if (TableEncoding* table = layer.encoding->as_table();
        table != nullptr && !table->parameters().empty()) {
      // The table was added to the first channels of x, so both have the same gradient.
      Tensor d_table({x.shape[0], table->table_dim(x.shape[1])});
      eigen(matrix(d_table)) = eigen(matrix(std::as_const(out.d_x))).leftCols(d_table.shape[1]);
      table->table_backward(layer.positions, matrix(d_table));
    }
    if (TokenProjections* projections = layer.encoding->as_projections())
      projections->project_backward(matrix(x), layer.tokens, gradients.token_tensors,
                                    matrix(out.d_x));
    PHASOR_TRY(check_result("d_output", out.d_x.data, "the gradient of x"));
    PHASOR_TRY(check_gradients(*layer.encoding));
    out.parameters = take_gradients(*layer.encoding);
    out.options = std::move(gradients.options);
    return {};
  });
}

Status random_orthogonal(std::uint32_t seed, int embed_dim, Tensor& out) {
  constexpr int kMaxEmbedDim = 1024;  // at this size, orthogonalisation takes about a second
  if (embed_dim > kMaxEmbedDim)
    return invalid("x: dim {} exceeds {}, the maximum for orthogonal projections", embed_dim,
                   kMaxEmbedDim);
  PHASOR_TRY(check_size("x", "a projection", {embed_dim, embed_dim}));
  PHASOR_TRY(random_normal(seed, {embed_dim, embed_dim}).move_to(out));
  const MatrixRef rows = matrix(out);
  for (int r = 0; r < embed_dim; ++r) {
    for (int pass = 0; pass < 2; ++pass) {
      float* row = rows.row(r);
      for (int s = 0; s < r; ++s) {
        const float* earlier_row = rows.row(s);
        kernels::add_scaled(row, -kernels::dot(row, earlier_row, embed_dim), earlier_row,
                            embed_dim);
      }
      kernels::multiply(row, 1 / std::sqrt(kernels::dot(row, row, embed_dim)), embed_dim);
    }
  }
  return {};
}

}  // namespace phasor
