// The position itself, in every channel: pe[p, c] = p + start. Tutorials begin with this encoding,
// counting from 0 or from 1 (`start`). The values are unbounded and exceed typical embedding values
// after a few dozen tokens.

#include <algorithm>

#include "encoding_base/positions/position_check.h"
#include "encoding_base/registry_entry.h"

namespace phasor::encoding::index {
namespace {

class Index final : public Parameterless<TableEncoding> {
 public:
  explicit Index(double first_position) : first_position_(first_position) {}

  void table(Positions positions, MatrixRef out) const override {
    for (int p = 0; p < out.rows; ++p)
      std::fill_n(out.row(p), out.columns, static_cast<float>(positions[p] + first_position_));
  }

 private:
  double first_position_;
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  PHASOR_TRY(check_one_axis("index", dims.axes));
  return EncodingResult(std::make_unique<Index>(values.real("start")));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::integer("start", 0, 0, 1, "tokens", "Position of the first token"),
};

}  // namespace

PHASOR_ENCODING(index) = {
    .id = "index",
    .injection = Index::kInjection,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::index
