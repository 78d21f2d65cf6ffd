#pragma once
// Where a request gets its arrays from: JavaScript (arrays.h), or a test.

#include <cstddef>
#include <span>

namespace phasor_js {

// One list of numbers, those of the fields themselves, and the typed arrays that stay where they
// are until someone wants them.
class ArraySource {
 public:
  // How long the list is, and its numbers.
  virtual std::size_t list_size() const = 0;
  virtual void copy_list(std::span<double> out) const = 0;

  virtual std::size_t array_count() const = 0;
  // The numbers of one array, as many as `out` has: as many as its field has said. Rounded to the
  // nearest where `out` is float.
  virtual void copy_array(int index, std::span<double> out) const = 0;
  virtual void copy_array(int index, std::span<float> out) const = 0;

 protected:
  ~ArraySource() = default;
};

}  // namespace phasor_js
