// The position as a fraction of the sequence length n, in every channel. Three conventions are
// common:
//   over_n_from_one  (p + 1) / n    in (0, 1]
//   over_n           p / n          in [0, 1)
//   linspace         p / (n - 1)    in [0, 1], or 0 if n = 1
// `symmetric` maps x to 2x - 1. Values are bounded, but each additional token changes all of them,
// because the step depends on the length.

#include <algorithm>

#include "encoding_base/positions/position_check.h"
#include "encoding_base/registry_entry.h"

namespace phasor::encoding::normalised_index {
namespace {

enum class Convention { over_n_from_one, over_n, linspace };
enum class Range { unit, symmetric };

class NormalisedIndex final : public Parameterless<TableEncoding> {
 public:
  NormalisedIndex(Convention convention, Range range, int length)
      : convention_(convention), range_(range), length_(length) {}

  void table(Positions positions, MatrixRef out) const override {
    for (int p = 0; p < out.rows; ++p) {
      const double x = fraction(positions[p]);
      std::fill_n(out.row(p), out.columns,
                  static_cast<float>(range_ == Range::unit ? x : 2 * x - 1));
    }
  }

 private:
  double fraction(double position) const {
    switch (convention_) {
      case Convention::over_n_from_one: return (position + 1) / length_;
      case Convention::over_n: return position / length_;
      case Convention::linspace: return length_ > 1 ? position / (length_ - 1) : 0.0;
    }
    return 0.0;
  }

  Convention convention_;
  Range range_;
  double length_;
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  PHASOR_TRY(check_one_axis("normalised_index", dims.axes));
  return EncodingResult(std::make_unique<NormalisedIndex>(
      values.choice<Convention>("convention"), values.choice<Range>("range"), dims.length));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::choice("convention", "over_n_from_one, over_n, linspace",
                      "Position p of n tokens becomes (p+1)/n, p/n or p/(n-1)"),
    ParamInfo::choice("range", "unit, symmetric", "Values from 0 to 1, or from -1 to 1"),
};

}  // namespace

PHASOR_ENCODING(normalised_index) = {
    .id = "normalised_index",
    .injection = NormalisedIndex::kInjection,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::normalised_index
