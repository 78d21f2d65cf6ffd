// The proximal bias of tensor2tensor (attention_bias_proximal; Vaswani et al. 2018, arXiv
// 1803.07416):
//   b(i, j) = -ln(1 + |i - j|),
// the same for every head and on both sides. It equals KERPLE's logarithmic form with r1 = r2 = 1,
// without training.

#include <cmath>

#include "encoding_base/registry_entry.h"
#include "math/scalar_math.h"
#include "relative_position/relative_positions.h"

namespace phasor::encoding::proximal {
namespace {

class Proximal final : public Parameterless<ScoreEncoding> {
 public:
  bool symmetric() const override { return true; }
  bool is_toeplitz() const override { return true; }
  void add_bias(int, Positions queries, Positions keys, MatrixRef tile) const override {
    add_by_distance(queries, keys, tile,
                    [](double distance) { return -logarithm_1p(std::fabs(distance)); });
  }
};

EncodingResult create(const ResolvedParams&, const EncodingDims&) {
  return EncodingResult(std::make_unique<Proximal>());
}

}  // namespace

PHASOR_ENCODING(proximal) = {
    .id = "proximal",
    .injection = Proximal::kInjection,
    .relative = true,
    .symmetric = true,
    .prefix_stable = true,
    .create = create,
};

}  // namespace phasor::encoding::proximal
