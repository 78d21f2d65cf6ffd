#include "attention/streaming/attend.h"
#include "math/eigen_map.h"

namespace phasor {

std::vector<int> shape_in_layout(std::vector<int> shape, OutputLayout layout) {
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
  Tensor out(shape_in_layout(x.shape, OutputLayout::token_major));
  for (int h = 0; h < heads; ++h) eigen(head_rows(out, h, heads)) = eigen(matrix(x, h));
  return out;
}

}  // namespace phasor
