// Embeddings in, embeddings out: positions, projections and attention of one layer, so that every injection point can be
// seen on the same words.

#include <cmath>

#include "attention/attend.h"
#include "kernels/kernels.h"
#include "math/eigen_map.h"
#include "math/orthogonal.h"
#include "math/sentence.h"
#include "phasor/registry.h"

namespace phasor {

namespace {

// x (length, width) -> (heads, length, width / heads)
Tensor split_heads(ConstMatrixRef x, int heads) {
  const int head_width = x.columns / heads;
  Tensor out({heads, x.rows, head_width});
  for (int h = 0; h < heads; ++h) {
    eigen(matrix(out, h)) = eigen(x).middleCols(h * head_width, head_width);
  }
  return out;
}

// (heads, length, head width) -> (length, heads * head width)
Tensor join_heads(const Tensor& x) {
  const int heads = x.shape[0], head_width = x.shape[2];
  Tensor out({x.shape[1], heads * head_width});
  for (int h = 0; h < heads; ++h) eigen(matrix(out)).middleCols(h * head_width, head_width) = eigen(matrix(x, h));
  return out;
}

Status project(const Tensor& x, const LayerConfig& config, int which, Tensor& out) {
  if (config.projections == Projections::identity) {
    out = split_heads(matrix(x), config.heads);
    return {};
  }
  Tensor weights;
  PHASOR_TRY(orthogonal(config.seed * 3u + static_cast<std::uint32_t>(which), x.shape[1], weights));
  std::vector<float> packed(kernels::packed_size(x.shape[1], x.shape[1]));
  kernels::pack(matrix(std::as_const(weights)), packed.data());
  Tensor projected(x.shape);
  kernels::active::product(matrix(x), packed.data(), 1.0f, matrix(projected));
  out = split_heads(matrix(std::as_const(projected)), config.heads);
  return {};
}

}  // namespace

Status layer(const Tensor& x, const LayerConfig& config, AttentionResult& out) {
  if (x.rank() != 2 || x.empty()) return Status::invalid("x: its shape is " + to_words(x.shape) + "; length x width is needed");
  const int length = x.shape[0], width = x.shape[1];
  PHASOR_TRY(check_range("heads", config.heads, 1, kMaxExtent));
  if (width % config.heads != 0) {
    return Status::invalid("heads: " + std::to_string(config.heads) + " do not divide the width " + std::to_string(width));
  }
  PHASOR_TRY(check_finite("x", x.data));
  const int head_width = width / config.heads;
  const EncodingType* type = find(config.encoding.id);
  const bool at_input = type != nullptr && type->injection == Injection::input;
  std::unique_ptr<Encoding> encoding;
  PHASOR_TRY(create(config.encoding, {.length = length, .width = at_input ? width : head_width, .heads = config.heads}, encoding));
  std::vector<double> positions;
  PHASOR_TRY(consecutive_positions(config.offset, length, positions));
  PHASOR_TRY(encoding->check_positions(positions));
  PHASOR_TRY(encoding->check_distances(positions, positions));
  const double scale = config.scale.value_or(encoding->scale(head_width).value_or(1.0 / std::sqrt(static_cast<double>(head_width))));
  if (!std::isfinite(scale)) return Status::invalid("scale: " + to_words(scale) + " is not a finite number");

  Tensor placed = x;
  if (at_input) {
    const int channels = encoding->table_width(width);
    if (channels > width) {
      return invalid("width: {} makes {} channels, which cannot be added to embeddings of {}", type->id, channels, width);
    }
    Tensor added({length, channels});
    encoding->table(positions, matrix(added));
    eigen(matrix(placed)).leftCols(channels) += eigen(matrix(std::as_const(added)));
  }
  Tensor q, k, v;
  PHASOR_TRY(project(placed, config, 0, q));
  PHASOR_TRY(project(placed, config, 1, k));
  PHASOR_TRY(project(placed, config, 2, v));
  PHASOR_TRY(attend(q, k, v,
                    {.encoding = encoding.get(),
                     .injection = type->injection,
                     .queries = positions,
                     .keys = positions,
                     .mask = config.mask,
                     .key_mask = nullptr,
                     .scale = static_cast<float>(scale),
                     .want = config.want},
                    out));
  out.output = join_heads(out.output);
  return {};
}

}  // namespace phasor
