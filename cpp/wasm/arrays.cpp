#include "arrays.h"

#include <emscripten/emscripten.h>

// Addresses are signed numbers in JavaScript, so they are shifted as unsigned numbers. A RangeError
// is thrown if the length of an array differs from that of its field. Any array that is not a typed
// array is a strided view, which copies itself (web/engine/request/strided.ts). `boundary` is the
// object of boundary.js.
// clang-format off
EM_JS(std::size_t, phasor_text_size, (int kind), { return boundary.request.texts[kind].length; });

EM_JS(void, phasor_copy_text, (int kind, char* to, std::size_t count), {
  HEAPU8.subarray(to >>> 0, (to >>> 0) + count).set(boundary.request.texts[kind]);
});

EM_JS(std::size_t, phasor_number_count, (), { return boundary.request.numbers.length; });

EM_JS(std::size_t, phasor_array_count, (), { return boundary.request.arrays.length; });

EM_JS(void, phasor_copy_numbers, (double* to, std::size_t count), {
  HEAPF64.subarray(to >>> 3, (to >>> 3) + count).set(boundary.request.numbers);
});

EM_JS(void, phasor_copy_doubles, (int index, double* to, std::size_t count), {
  const numbers = boundary.request.arrays[index];
  if (numbers.length !== count) throw new RangeError('the length of an array differs from that of its field');
  if (ArrayBuffer.isView(numbers)) HEAPF64.subarray(to >>> 3, (to >>> 3) + count).set(numbers);
  else numbers.copyTo(HEAPF64.subarray(to >>> 3, (to >>> 3) + count));
});

EM_JS(void, phasor_copy_floats, (int index, float* to, std::size_t count), {
  const numbers = boundary.request.arrays[index];
  if (numbers.length !== count) throw new RangeError('the length of an array differs from that of its field');
  if (ArrayBuffer.isView(numbers)) HEAPF32.subarray(to >>> 2, (to >>> 2) + count).set(numbers);
  else numbers.copyTo(HEAPF32.subarray(to >>> 2, (to >>> 2) + count));
});
// clang-format on

namespace phasor_js {

std::size_t JavaScriptArrays::list_size() const { return phasor_number_count(); }
void JavaScriptArrays::copy_list(std::span<double> out) const {
  phasor_copy_numbers(out.data(), out.size());
}

std::size_t JavaScriptArrays::array_count() const { return phasor_array_count(); }
void JavaScriptArrays::copy_array(int index, std::span<double> out) const {
  phasor_copy_doubles(index, out.data(), out.size());
}
void JavaScriptArrays::copy_array(int index, std::span<float> out) const {
  phasor_copy_floats(index, out.data(), out.size());
}

std::string read_request_text(RequestText kind) {
  const int index = static_cast<int>(kind);
  std::string text(phasor_text_size(index), '\0');
  phasor_copy_text(index, text.data(), text.size());
  return text;
}

}  // namespace phasor_js
