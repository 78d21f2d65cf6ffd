#include "arrays.h"

#include <emscripten/emscripten.h>

using emscripten::EM_VAL;

// Addresses come as signed numbers, so they are shifted as unsigned ones. An array that does not fill the
// room that its field asked for is a RangeError. What is no typed array is one with strides, which copies itself
// (web/engine/strided.ts).
// clang-format off
EM_JS(std::size_t, phasor_length, (EM_VAL list), {
  return Emval.toValue(list).length;
});

EM_JS(void, phasor_copy_list, (EM_VAL list, double* to, std::size_t count), {
  HEAPF64.subarray(to >>> 3, (to >>> 3) + count).set(Emval.toValue(list));
});

EM_JS(void, phasor_copy_doubles, (EM_VAL lists, int index, double* to, std::size_t count), {
  const numbers = Emval.toValue(lists)[index];
  if (numbers.length !== count) throw new RangeError('an array is not as long as its field says');
  if (ArrayBuffer.isView(numbers)) HEAPF64.subarray(to >>> 3, (to >>> 3) + count).set(numbers);
  else numbers.copyTo(HEAPF64.subarray(to >>> 3, (to >>> 3) + count));
});

EM_JS(void, phasor_copy_floats, (EM_VAL lists, int index, float* to, std::size_t count), {
  const numbers = Emval.toValue(lists)[index];
  if (numbers.length !== count) throw new RangeError('an array is not as long as its field says');
  if (ArrayBuffer.isView(numbers)) HEAPF32.subarray(to >>> 2, (to >>> 2) + count).set(numbers);
  else numbers.copyTo(HEAPF32.subarray(to >>> 2, (to >>> 2) + count));
});

EM_JS(EM_VAL, phasor_tensor, (const int* shape, std::size_t rank, const float* data, std::size_t count), {
  shape = Array.from(HEAP32.subarray(shape >>> 2, (shape >>> 2) + rank));
  return Emval.toHandle({shape, data: HEAPF32.slice(data >>> 2, (data >>> 2) + count)});
});
// clang-format on

namespace phasor_js {

std::size_t JavaScriptArrays::list_size() const { return phasor_length(list_.as_handle()); }
void JavaScriptArrays::copy_list(std::span<double> out) const { phasor_copy_list(list_.as_handle(), out.data(), out.size()); }

std::size_t JavaScriptArrays::array_count() const { return phasor_length(arrays_.as_handle()); }
void JavaScriptArrays::copy_array(int index, std::span<double> out) const {
  phasor_copy_doubles(arrays_.as_handle(), index, out.data(), out.size());
}
void JavaScriptArrays::copy_array(int index, std::span<float> out) const {
  phasor_copy_floats(arrays_.as_handle(), index, out.data(), out.size());
}

val copy_out(const phasor::Tensor& t) {
  return val::take_ownership(phasor_tensor(t.shape.data(), t.shape.size(), t.data.data(), t.data.size()));
}

}  // namespace phasor_js
