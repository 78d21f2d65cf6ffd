#include "bytes.h"

#include <emscripten/emscripten.h>

// As in arrays.cpp, but without conversion to doubles, which would take eight times the memory for
// the bytes of a checkpoint.
// clang-format off
EM_JS(void, phasor_copy_bytes, (int index, std::uint8_t* to, std::size_t count), {
  const bytes = boundary.request.arrays[index];
  if (bytes.BYTES_PER_ELEMENT !== 1 || bytes.length !== count) throw new RangeError('the length of an array differs from that of its field');
  HEAPU8.subarray(to >>> 0, (to >>> 0) + count).set(bytes);
});
// clang-format on

namespace phasor_js {

std::vector<std::uint8_t> read_bytes(Request& request, const char* name) {
  std::vector<std::uint8_t> out;
  const Request::ArrayField array = request.array(name);
  if (array.count == 0) return out;
  out.resize(array.count);
  phasor_copy_bytes(array.index, out.data(), out.size());
  return out;
}

}  // namespace phasor_js
