// The position in binary, one bit per channel: pe[p, c] is bit dim - 1 - c (`msb_first`) or bit c
// (`lsb_first`, fastest column first as in a sinusoidal table) of p. Positions p and p + 2^dim have
// the same row. Negative positions are in two's complement.

#include <algorithm>
#include <cstdint>

#include "encoding_base/positions/position_check.h"
#include "encoding_base/registry_entry.h"

namespace phasor::encoding::binary {
namespace {

enum class Order { msb_first, lsb_first };

class Binary final : public Parameterless<TableEncoding> {
 public:
  explicit Binary(Order order) : order_(order) {}

  Status check_positions(Positions positions) const override {
    return check_whole_positions(positions);
  }

  void table(Positions positions, MatrixRef out) const override {
    for (int p = 0; p < out.rows; ++p) {
      const auto number = static_cast<std::int64_t>(positions[p]);
      for (int c = 0; c < out.columns; ++c) {
        // The magnitude of a position is below 2^31, so every bit from 63 on equals the sign bit.
        const int bit = std::min(order_ == Order::msb_first ? out.columns - 1 - c : c, 63);
        out.row(p)[c] = static_cast<float>((number >> bit) & 1);
      }
    }
  }

 private:
  Order order_;
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  PHASOR_TRY(check_one_axis("binary", dims.axes));
  return EncodingResult(std::make_unique<Binary>(values.choice<Order>("order")));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::choice("order", "msb_first, lsb_first",
                      "Most significant bit first (as written), or least significant bit first "
                      "(fast channels first, as in sinusoidal)"),
};

}  // namespace

PHASOR_ENCODING(binary) = {
    .id = "binary",
    .injection = Binary::kInjection,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::binary
