#pragma once
// Tensor views as the library reads them: checked, as matrices, or gathered.

#include <span>
#include <string>
#include <vector>

#include "phasor/tensor_view.h"

namespace phasor {

/// Rejects a view that does not have the elements of its shape; `out` is x with its strides. Errors
/// begin with the name and a dot, or with nothing.
Status check_strides(const std::string& name, const TensorView& x, TensorView& out);
/// A row-major copy, whose memory is checked.
Status gather(const std::string& name, const TensorView& x, Tensor& out);

/// Whether the elements of the last axis are side by side, so that matrices() can be read.
bool has_rows(const TensorView& x);
/// Of a checked view of rank 2 or more: the last two axes, for every index of the others in
/// row-major order.
std::vector<ConstMatrixRef> matrices(const TensorView& x);
/// As of a tensor (core/format_error.h, core/finite.h); the index counts in row-major order.
Status check_finite(const char* name, std::span<const ConstMatrixRef> matrices);
float max_abs(std::span<const ConstMatrixRef> matrices);

}  // namespace phasor
