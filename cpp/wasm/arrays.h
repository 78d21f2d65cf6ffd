#pragma once
// Copies arrays from JavaScript. Each array takes only one JavaScript call, because more calls
// would cost more than a small attention.

#include <string>

#include "array_source.h"

namespace phasor_js {

// The numbers and the typed arrays of the pending request in boundary.js.
class JavaScriptArrays final : public ArraySource {
 public:
  std::size_t list_size() const override;
  void copy_list(std::span<double> out) const override;
  std::size_t array_count() const override;
  void copy_array(int index, std::span<double> out) const override;
  void copy_array(int index, std::span<float> out) const override;
};

// The texts of a request: the name of its call and its fields.
enum class Text { name, fields };
std::string text_of(Text which);

}  // namespace phasor_js
