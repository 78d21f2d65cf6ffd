// Analyses of heads: ablation and K-composition.

#include <algorithm>
#include <cmath>

#include "core/finite.h"
#include "core/format_error.h"
#include "train/transformer.h"

namespace phasor {

namespace {

using SquareMatrix = std::vector<double>;  // (embed_dim, embed_dim)

double frobenius_norm(const SquareMatrix& m) {
  double sum = 0;
  for (const double x : m) sum += x * x;
  return std::sqrt(sum);
}

SquareMatrix multiply(const SquareMatrix& a, const SquareMatrix& b, std::size_t n) {
  SquareMatrix out(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) out[i * n + j] += a[i * n + k] * b[k * n + j];
  return out;
}

}  // namespace

Status TransformerNetwork::ablate_heads(std::span<const HeadIndex> heads, AblationType type) {
  std::vector<std::vector<int>> ablated_heads(heads.empty() ? 0 : layers_.size());
  for (std::size_t n = 0; n < heads.size(); ++n) {
    const auto name = [&](const char* field) { return format_error("heads[{}].{}", n, field); };
    PHASOR_TRY(check_range(name("layer").c_str(), heads[n].layer, 0, layer_count() - 1));
    PHASOR_TRY(check_range(name("head").c_str(), heads[n].head, 0, attention_params_.heads - 1));
    ablated_heads[static_cast<std::size_t>(heads[n].layer)].push_back(heads[n].head);
  }
  ablated_heads_ = std::move(ablated_heads);
  ablation_ = type;
  return {};
}

Result<Tensor> TransformerNetwork::k_composition(int from_layer, int to_layer,
                                                 double distance) const {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_range("fromLayer", from_layer, 0, layer_count() - 1));
    PHASOR_TRY(check_range("toLayer", to_layer, 0, layer_count() - 1));
    if (from_layer >= to_layer)
      return invalid("toLayer: {} is not after fromLayer, {}", to_layer, detail(from_layer));
    if (!(std::abs(distance) <= 1e6))
      return invalid("distance: {} is not within {}", distance, Range{-1e6, 1e6});
    const auto n = static_cast<std::size_t>(to_layer);
    const QueryKeyEncoding* query_key_encoding = get_encoding(n).as_query_key();
    if (get_encoding(n).as_custom_dot_product() != nullptr ||
        (query_key_encoding != nullptr && (!query_key_encoding->is_linear() || axes_ != 1)))
      return invalid("fromLayer: {} does not transform queries and keys linearly",
                     get_encoding(n).id);
    const LayerEntries &from = layers_[static_cast<std::size_t>(from_layer)], &to = layers_[n];
    const int heads = attention_params_.heads, head_dim = attention_params_.head_dim;
    const auto embed_dim = static_cast<std::size_t>(embed_dim_);
    // An element of the query, key or value projection (`qkv_index` 0, 1 or 2), multiplied by the
    // weight of the norm before it.
    const auto weight = [&](const LayerEntries& layer, int qkv_index, int head, int row,
                            int column) {
      const int in_proj_row = qkv_index * embed_dim_ + head * head_dim + row;
      return static_cast<double>(arena_->value_matrix(layer.in_proj).row(in_proj_row)[column]) *
             static_cast<double>(arena_->get_values(layer.norm1)[column]);
    };
    // The weights that map each residual channel to a head, (heads, embed_dim, head_dim),
    // transformed by the encoding at `position`.
    const auto project_at = [&](int qkv_index, double position) {
      Tensor x({heads, embed_dim_, head_dim});
      std::size_t element_index = 0;
      for (int head = 0; head < heads; ++head)
        for (int column = 0; column < embed_dim_; ++column)
          for (int row = 0; row < head_dim; ++row)
            x.data[element_index++] = static_cast<float>(weight(to, qkv_index, head, row, column));
      const std::vector<double> positions(embed_dim, position);
      if (query_key_encoding != nullptr)
        query_key_encoding->transform(qkv_index == 0 ? Role::query : Role::key, positions, x);
      return x;
    };
    const Tensor q = project_at(0, std::max(0.0, distance)),
                 k = project_at(1, std::max(0.0, -distance));
    const auto dim = static_cast<std::size_t>(q.shape[2]);
    std::vector<SquareMatrix> qk, ov;
    for (int head = 0; head < heads; ++head) {
      SquareMatrix qk_head(embed_dim * embed_dim), ov_head(embed_dim * embed_dim);
      const std::size_t first = static_cast<std::size_t>(head) * embed_dim * dim;
      for (std::size_t i = 0; i < embed_dim; ++i) {
        for (std::size_t j = 0; j < embed_dim; ++j) {
          for (std::size_t c = 0; c < dim; ++c)
            qk_head[i * embed_dim + j] += static_cast<double>(q.data[first + i * dim + c]) *
                                          static_cast<double>(k.data[first + j * dim + c]);
          for (int c = 0; c < head_dim; ++c) {
            const ConstMatrixRef out_proj = arena_->value_matrix(from.out_proj);
            ov_head[i * embed_dim + j] +=
                static_cast<double>(out_proj.row(static_cast<int>(i))[head * head_dim + c]) *
                weight(from, 2, head, c, static_cast<int>(j));
          }
        }
      }
      qk.push_back(std::move(qk_head));
      ov.push_back(std::move(ov_head));
    }
    out = Tensor({heads, heads});
    std::size_t element_index = 0;
    for (const SquareMatrix& writer : ov) {
      for (const SquareMatrix& reader : qk) {
        const double norm_product = frobenius_norm(reader) * frobenius_norm(writer);
        out.data[element_index++] =
            norm_product > 0
                ? static_cast<float>(frobenius_norm(multiply(reader, writer, embed_dim)) /
                                     norm_product)
                : 0;
      }
    }
    return {};
  });
}

}  // namespace phasor
