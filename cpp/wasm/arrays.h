#pragma once
// The only doors for arrays between the two sides, inwards and outwards, and always copies: a view on the heap dies silently when
// memory grows, so none leaves the function that makes it. Each array is one call of JavaScript: put together from those of Embind,
// which makes a view, finds its method and calls it, the arrays of a small attention cost more than the attention.

#include <emscripten/val.h>

#include "array_source.h"
#include "phasor/tensor.h"

namespace phasor_js {

using emscripten::val;

// A list of numbers and a list of typed arrays of JavaScript.
class JavaScriptArrays final : public ArraySource {
 public:
  JavaScriptArrays(const val& list, const val& arrays) : list_(list), arrays_(arrays) {}

  std::size_t list_size() const override;
  void copy_list(std::span<double> out) const override;
  std::size_t array_count() const override;
  void copy_array(int index, std::span<double> out) const override;
  void copy_array(int index, std::span<float> out) const override;

 private:
  const val& list_;
  const val& arrays_;
};

// {shape, data}
val copy_out(const phasor::Tensor& t);

}  // namespace phasor_js
