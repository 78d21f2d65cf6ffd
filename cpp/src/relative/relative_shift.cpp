#include <algorithm>

#include "core/format_error.h"
#include "phasor/relative.h"

namespace phasor {

// Rows with one 0 in front, read again with the other row length: the memory of x behind (queries - 1) columns is the answer.
Result<Tensor> relative_shift(const Tensor& x) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    if (x.rank() != 2 || x.empty()) return invalid("x: its shape is {}; queries x keys is needed", x.shape);
    const int queries = x.shape[0], keys = x.shape[1];
    std::vector<float> padded;
    for (int r = 0; r < queries; ++r) {
      padded.push_back(0);
      padded.insert(padded.end(), matrix(x).row(r), matrix(x).row(r) + keys);
    }
    out = Tensor({queries, keys});
    std::copy(padded.begin() + queries, padded.end(), out.data.begin());
    return {};
  });
}

}  // namespace phasor
