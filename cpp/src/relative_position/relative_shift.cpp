#include "core/format_error.h"
#include "phasor/relative.h"

namespace phasor {

// Rows with one 0 in front, read again with the other row length: the memory of x behind (queries -
// 1) columns is the answer.
Result<Tensor> relative_shift(const Tensor& x) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    if (x.rank() != 2 || x.empty())
      return invalid("x: its shape is {}; queries x keys is needed", x.shape);
    PHASOR_TRY(check_tensor("x", x));
    PHASOR_TRY(check_size("x", "a shifted copy", x.shape));
    out = Tensor(x.shape);
    const std::size_t keys = static_cast<std::size_t>(x.shape[1]), row = keys + 1;
    for (std::size_t i = 0; i < out.data.size(); ++i) {
      const std::size_t from = i + static_cast<std::size_t>(x.shape[0]);
      if (from % row != 0) out.data[i] = x.data[from / row * keys + from % row - 1];
    }
    return {};
  });
}

}  // namespace phasor
