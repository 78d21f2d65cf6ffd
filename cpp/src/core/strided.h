#pragma once

#include <span>
#include <string>
#include <vector>

#include "phasor/tensor_view.h"

namespace phasor {

/// Rejects a view that reads beyond its data. Sets `out` to x with explicit strides. Errors name a
/// field of the view, such as "q.shape"; without a `name`, only "shape".
Status check_strides(const std::string& name, const TensorView& x, TensorView& out);
Status gather(const std::string& name, const TensorView& x, Tensor& out);

/// True if the last axis is contiguous, as matrices() requires.
bool has_contiguous_rows(const TensorView& x);
/// One matrix of the last two axes for every index of the other axes, in row-major order. The view
/// must be validated and have at least rank 2.
std::vector<ConstMatrixRef> matrices(const TensorView& x);
/// Overloads for views (core/format_error.h, core/finite.h). The index in an error counts elements
/// in row-major order.
Status check_finite(const char* name, std::span<const ConstMatrixRef> matrices);
float max_abs(std::span<const ConstMatrixRef> matrices);

}  // namespace phasor
