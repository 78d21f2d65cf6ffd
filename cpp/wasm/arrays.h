#pragma once
// Copies arrays from JavaScript with one call per array, because calls to JavaScript are slow.

#include <string>

#include "array_source.h"

namespace phasor_js {

class JavaScriptArrays final : public ArraySource {
 public:
  std::size_t list_size() const override;
  void copy_list(std::span<double> out) const override;
  std::size_t array_count() const override;
  void copy_array(int index, std::span<double> out) const override;
  void copy_array(int index, std::span<float> out) const override;
};

// The two strings of the current request: the name of the call, and the fields in the format of
// fields.h.
enum class RequestText { name, fields };
std::string read_request_text(RequestText kind);

}  // namespace phasor_js
