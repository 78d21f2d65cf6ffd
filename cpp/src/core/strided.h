#pragma once
// Internal operations on tensor views: checks, access as matrices, and row-major copies.

#include <span>
#include <string>
#include <vector>

#include "phasor/tensor_view.h"

namespace phasor {

/// Rejects a view with elements outside its data. `out` is x with explicit strides. Errors name a
/// field of the view, after `name` and a dot unless `name` is empty.
Status check_strides(const std::string& name, const TensorView& x, TensorView& out);
/// A row-major copy; checks memory first.
Status gather(const std::string& name, const TensorView& x, Tensor& out);

/// True if the last axis is contiguous, as matrices() requires.
bool has_contiguous_rows(const TensorView& x);
/// The last two axes of a validated view of rank 2 or more, for every index of the other axes in
/// row-major order.
std::vector<ConstMatrixRef> matrices(const TensorView& x);
/// Overloads for views (core/format_error.h, core/finite.h). Indices in errors count elements in
/// row-major order.
Status check_finite(const char* name, std::span<const ConstMatrixRef> matrices);
float max_abs(std::span<const ConstMatrixRef> matrices);

}  // namespace phasor
