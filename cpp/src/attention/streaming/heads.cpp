// How heads are laid out in what is returned: each by itself, or side by side.

#include "attention/streaming/attend.h"
#include "math/eigen_map.h"

namespace phasor {

std::vector<int> returned_shape(std::vector<int> shape, OutputLayout layout) {
  if (layout == OutputLayout::head_major) return shape;
  const int width = shape.back();
  shape.pop_back();
  int& heads = *(shape.end() - 2);
  const int joined = heads * width;
  heads = shape.back();
  shape.back() = joined;
  return shape;
}

MatrixRef head_rows(Tensor& t, int head, int heads) {
  if (t.rank() != 2) return matrix(t, head);
  const int width = t.shape[1] / heads;
  return {t.data.data() + static_cast<std::ptrdiff_t>(head) * width, t.shape[0], width, t.shape[1]};
}

Tensor join_heads(const Tensor& x) {
  const int heads = x.shape[0];
  Tensor out(returned_shape(x.shape, OutputLayout::token_major));
  for (int h = 0; h < heads; ++h) eigen(head_rows(out, h, heads)) = eigen(matrix(x, h));
  return out;
}

}  // namespace phasor
