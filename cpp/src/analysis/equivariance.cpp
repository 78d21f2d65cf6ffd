#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "phasor/analysis.h"
#include "phasor/encoding_ops.h"
#include "phasor/registry.h"

namespace phasor {

namespace {

Status check_order(std::span<const int> order, int length) {
  if (static_cast<int>(order.size()) != length) {
    return invalid("order: has {} entries; expected {}, one per token", order.size(), length);
  }
  std::vector<bool> is_used(static_cast<std::size_t>(length), false);
  for (std::size_t p = 0; p < order.size(); ++p) {
    if (order[p] < 0 || order[p] >= length)
      return invalid("order[{}]: {} is outside {}", p, order[p], Range{0, length - 1.0});
    if (is_used[static_cast<std::size_t>(order[p])])
      return invalid("order[{}]: {} occurs twice", p, order[p]);
    is_used[static_cast<std::size_t>(order[p])] = true;
  }
  return {};
}

}  // namespace

Result<PermutationError> permutation_error(const Tensor& before, const Tensor& after,
                                           std::span<const int> order) {
  return Result<PermutationError>::from([&](PermutationError& out) -> Status {
    PHASOR_TRY(check_tensor("before", before));
    if (before.rank() != 2 || before.empty()) {
      return invalid("before: has shape {}; expected length x dim", before.shape);
    }
    if (after.shape != before.shape) {
      return invalid("after: has shape {}; expected {}, the shape of before", after.shape,
                     before.shape);
    }
    PHASOR_TRY(check_tensor("after", after));
    const int length = before.shape[0], dim = before.shape[1];
    PHASOR_TRY(check_order(order, length));
    PHASOR_TRY(check_memory("before", array_bytes({length})));
    out.max_abs_diff = 0;
    out.per_token = Tensor({length});
    for (int p = 0; p < length; ++p) {
      const float* permuted_row = matrix(after).row(p);
      const float* original_row = matrix(before).row(order[static_cast<std::size_t>(p)]);
      double max_diff = 0;
      for (int c = 0; c < dim; ++c)
        max_diff = std::max(max_diff, std::fabs(static_cast<double>(permuted_row[c]) -
                                                static_cast<double>(original_row[c])));
      out.per_token.data[static_cast<std::size_t>(p)] = static_cast<float>(max_diff);
      out.max_abs_diff = std::max(out.max_abs_diff, max_diff);
    }
    return check_result("after", out.per_token.data, "the difference between before and after");
  });
}

Result<PermutationTest> permutation_test(const Tensor& x, std::span<const int> order,
                                         const SelfAttentionConfig& config) {
  return Result<PermutationTest>::from([&](PermutationTest& out) -> Status {
    // Both calls to self_attention request the same outputs, because the requested outputs
    // determine the tile sizes and thus the rounding.
    AttentionResult original;
    PHASOR_TRY(self_attention(x, config).move_to(original));
    PHASOR_TRY(check_order(order, x.shape[0]));
    PHASOR_TRY(check_memory("x", 2 * array_bytes(x.shape)));
    Tensor permuted_x(x.shape);
    for (int p = 0; p < x.shape[0]; ++p)
      std::copy_n(matrix(x).row(order[static_cast<std::size_t>(p)]), x.shape[1],
                  matrix(permuted_x).row(p));
    const bool is_identity = permuted_x.data == x.data;
    out.before = is_identity ? original.output : std::move(original.output);
    if (is_identity) {
      out.result = std::move(original);
    } else {
      original = {};
      PHASOR_TRY(self_attention(permuted_x, config).move_to(out.result));
    }
    return permutation_error(out.before, out.result.output, order).move_to(out.error);
  });
}

namespace {

// Transforms each head's vector in x (heads, dim) at every position. `out` becomes (heads,
// positions, dim).
Status transform_at(const EncodingConfig& config, Role role, Positions positions, const Tensor& x,
                    Tensor& out) {
  const std::vector<int> shape = {x.shape[0], positions.count(), x.shape[1]};
  PHASOR_TRY(check_size("positions", "transformed vectors", shape));
  out = Tensor(shape);
  for (int h = 0; h < shape[0]; ++h) {
    for (int p = 0; p < shape[1]; ++p)
      std::copy_n(matrix(x).row(h), shape[2], matrix(out, h).row(p));
  }
  return rename_argument(apply_rotary(config, role, positions, std::move(out)).move_to(out), "x",
                         role == Role::query ? "q" : "k");
}

double dot(const float* a, const float* b, int n) {
  double sum = 0;
  for (int c = 0; c < n; ++c) sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
  return sum;
}

}  // namespace

Result<double> relative_position_error(const EncodingConfig& config, const Tensor& q,
                                       const Tensor& k, Positions positions) {
  return Result<double>::from([&](double& out) -> Status {
    PHASOR_TRY(check_tensor("q", q));
    if (q.rank() != 2 || q.empty())
      return invalid("q: has shape {}; expected heads x dim", q.shape);
    if (k.shape != q.shape) return invalid("k: has shape {}, but q has {}", k.shape, q.shape);
    PHASOR_TRY(check_tensor("k", k));
    if (positions.axes() != 1) {
      return invalid("positions: have {} coordinates each; expected one", positions.axes());
    }
    const int count = positions.count(), heads = q.shape[0];
    PHASOR_TRY(check_range("positions", count, 1, 4096));
    Tensor q_m, k_n, q_0, rotated_k;
    PHASOR_TRY(transform_at(config, Role::query, positions, q, q_m));
    PHASOR_TRY(transform_at(config, Role::key, positions, k, k_n));
    const int dim = q_m.shape[2];
    const std::vector<double> origin = {0};
    PHASOR_TRY(transform_at(config, Role::query, origin, q, q_0));
    out = 0;
    for (int m = 0; m < count; ++m) {
      std::vector<double> key_positions;
      for (int n = 0; n < count; ++n) key_positions.push_back(positions[n] - positions[m]);
      PHASOR_TRY(transform_at(config, Role::key, key_positions, k, rotated_k));
      for (int h = 0; h < heads; ++h) {
        for (int n = 0; n < count; ++n) {
          const double product = dot(matrix(q_m, h).row(m), matrix(k_n, h).row(n), dim);
          const double relative_product =
              dot(matrix(q_0, h).row(0), matrix(rotated_k, h).row(n), dim);
          out = std::max(out, std::fabs(product - relative_product));
        }
      }
    }
    return {};
  });
}

}  // namespace phasor
