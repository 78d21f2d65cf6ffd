#pragma once
// The source of a request's arrays: JavaScript (arrays.h), or a test.

#include <cstddef>
#include <span>

namespace phasor_js {

// The list of numbers of the fields, and the typed arrays, which are copied on demand.
class ArraySource {
 public:
  // The length of the list, and its numbers.
  virtual std::size_t list_size() const = 0;
  virtual void copy_list(std::span<double> out) const = 0;

  virtual std::size_t array_count() const = 0;
  // The numbers of one array, as many as `out` has. Rounded to the nearest if `out` is float.
  virtual void copy_array(int index, std::span<double> out) const = 0;
  virtual void copy_array(int index, std::span<float> out) const = 0;

 protected:
  ~ArraySource() = default;
};

}  // namespace phasor_js
