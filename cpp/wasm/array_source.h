#pragma once
// The source of a request's arrays: JavaScript (arrays.h), or a test.

#include <cstddef>
#include <span>

namespace phasor_js {

// The list of numbers and the typed arrays of a request, which are copied on demand.
class ArraySource {
 public:
  // The length of the list of numbers; copy_list copies it.
  virtual std::size_t list_size() const = 0;
  virtual void copy_list(std::span<double> out) const = 0;

  virtual std::size_t array_count() const = 0;
  // Copies one array of out.size() numbers, rounded to nearest if `out` is float.
  virtual void copy_array(int index, std::span<double> out) const = 0;
  virtual void copy_array(int index, std::span<float> out) const = 0;

 protected:
  ~ArraySource() = default;
};

}  // namespace phasor_js
