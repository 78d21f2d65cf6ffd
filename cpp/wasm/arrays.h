#pragma once
// The only doors for arrays between the two sides, inwards and outwards, and always copies: a view on the heap dies silently when
// memory grows, so none leaves the function that makes it. Each array is one call of JavaScript: put together from those of Embind,
// which makes a view, finds its method and calls it, the arrays of a small attention cost more than the attention.

#include <emscripten/val.h>

#include <vector>

#include "phasor/tensor.h"

namespace phasor_js {

using emscripten::val;

// How many elements a list of JavaScript has.
std::size_t length_of(const val& list);

// The numbers of a list, or of list[index], as many as `out` has.
void copy_in(const val& list, std::vector<double>& out);
void copy_in(const val& list, int index, std::vector<double>& out);
void copy_in(const val& list, int index, std::vector<float>& out);

// {shape, data}
val copy_out(const phasor::Tensor& t);

}  // namespace phasor_js
