#pragma once
// The arrays of a request. They come from JavaScript (arrays.h) or from a test.

#include <cstddef>
#include <span>

namespace phasor_js {

// Provides the list of numbers and the typed arrays of a request. Values are copied when they are
// read.
class ArraySource {
 public:
  // Number of elements in the list of numbers, all of which copy_list() copies.
  virtual std::size_t list_size() const = 0;
  virtual void copy_list(std::span<double> out) const = 0;

  virtual std::size_t array_count() const = 0;
  // Copies one whole array, which must have out.size() elements. Numbers are rounded to float if
  // `out` has floats.
  virtual void copy_array(int index, std::span<double> out) const = 0;
  virtual void copy_array(int index, std::span<float> out) const = 0;

 protected:
  ~ArraySource() = default;
};

}  // namespace phasor_js
