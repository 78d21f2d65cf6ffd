// b[i - j + n - 1] from a table of 2n - 1, multiplied by the factor on q.k if the placement is
// "inside".

#include <algorithm>

#include "oracle.h"

namespace phasor::test {
namespace {

class RelativeBias : public Oracle {
 public:
  explicit RelativeBias(const Settings& s)
      : last_(s.number("max_length") - 1),
        factor_(s.word("placement") == "inside"
                    ? s.geometry.scale.value_or(1 / std::sqrt(static_cast<double>(s.geometry.dim)))
                    : 1),
        per_head_(s.flag("per_head")),
        b_(s.parameter("b")) {}

  double bias(int head, double i, double j) const override {
    const int entry = static_cast<int>(std::clamp(i - j, -last_, last_) + last_);
    const std::size_t first =
        per_head_ ? static_cast<std::size_t>(head) * static_cast<std::size_t>(b_.shape[1]) : 0;
    return static_cast<double>(b_.data[first + static_cast<std::size_t>(entry)]) * factor_;
  }

 private:
  double last_, factor_;
  bool per_head_;
  const Tensor& b_;  // (2n - 1) or (heads, 2n - 1)
};

}  // namespace

PHASOR_ORACLE(relative_bias, RelativeBias);

}  // namespace phasor::test
