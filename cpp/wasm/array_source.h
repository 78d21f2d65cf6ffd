#pragma once
// The arrays of a request, from JavaScript (arrays.h) or from a test.

#include <cstddef>
#include <span>

namespace phasor_js {

// Gives access to the numbers and typed arrays of a request, which are copied when they are read.
class ArraySource {
 public:
  // The length of the list of numbers. copy_list() copies the whole list.
  virtual std::size_t list_size() const = 0;
  virtual void copy_list(std::span<double> out) const = 0;

  virtual std::size_t array_count() const = 0;
  // Copies all out.size() elements of one array. Floats are rounded to nearest.
  virtual void copy_array(int index, std::span<double> out) const = 0;
  virtual void copy_array(int index, std::span<float> out) const = 0;

 protected:
  ~ArraySource() = default;
};

}  // namespace phasor_js
