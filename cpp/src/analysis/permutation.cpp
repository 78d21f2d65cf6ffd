#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "phasor/analysis.h"

namespace phasor {

namespace {

// Every place exactly once.
Status check_order(std::span<const int> order, int length) {
  if (static_cast<int>(order.size()) != length) {
    return invalid("order: it has {} entries, but there are {} tokens", order.size(), length);
  }
  std::vector<bool> seen(static_cast<std::size_t>(length), false);
  for (std::size_t p = 0; p < order.size(); ++p) {
    if (order[p] < 0 || order[p] >= length)
      return invalid("order[{}]: {} is outside {}", p, order[p], Range{0, length - 1.0});
    if (seen[static_cast<std::size_t>(order[p])])
      return invalid("order[{}]: {} occurs twice", p, order[p]);
    seen[static_cast<std::size_t>(order[p])] = true;
  }
  return {};
}

}  // namespace

Result<PermutationError> permutation_error(const Tensor& before, const Tensor& after,
                                           std::span<const int> order) {
  return Result<PermutationError>::from([&](PermutationError& out) -> Status {
    if (before.rank() != 2 || before.empty()) {
      return invalid("before: its shape is {}; length x width is needed", before.shape);
    }
    PHASOR_TRY(check_tensor("before", before));
    if (after.shape != before.shape) {
      return invalid("after: its shape is {}, but before is {}", after.shape, before.shape);
    }
    PHASOR_TRY(check_tensor("after", after));
    const int length = before.shape[0], width = before.shape[1];
    PHASOR_TRY(check_order(order, length));
    PHASOR_TRY(check_room("before", bytes_of({length})));
    out.max_abs_diff = 0;
    out.per_token = Tensor({length});
    for (int p = 0; p < length; ++p) {
      const float* now = matrix(after).row(p);
      const float* then = matrix(before).row(order[static_cast<std::size_t>(p)]);
      double largest = 0;
      for (int c = 0; c < width; ++c)
        largest = std::max(largest,
                           std::fabs(static_cast<double>(now[c]) - static_cast<double>(then[c])));
      out.per_token.data[static_cast<std::size_t>(p)] = static_cast<float>(largest);
      out.max_abs_diff = std::max(out.max_abs_diff, largest);
    }
    return check_result("after", out.per_token.data, "its difference from before");
  });
}

Result<Reordered> reorder(const Tensor& x, std::span<const int> order, const LayerConfig& config) {
  return Result<Reordered>::from([&](Reordered& out) -> Status {
    // What is wanted decides how rows are cut, and so their last bits: both layers want the same.
    AttentionResult before;
    PHASOR_TRY(layer(x, config).move_to(before));
    PHASOR_TRY(check_order(order, x.shape[0]));
    // the reordered tokens, and a copy of an answer
    PHASOR_TRY(check_room("x", 2 * bytes_of(x.shape)));
    Tensor moved(x.shape);
    for (int p = 0; p < x.shape[0]; ++p)
      std::copy_n(matrix(x).row(order[static_cast<std::size_t>(p)]), x.shape[1],
                  matrix(moved).row(p));
    const bool same = moved.data == x.data;
    out.before = same ? before.output : std::move(before.output);
    if (same) {
      out.result = std::move(before);
    } else {
      before = {};
      PHASOR_TRY(layer(moved, config).move_to(out.result));
    }
    return permutation_error(out.before, out.result.output, order).move_to(out.error);
  });
}

}  // namespace phasor
