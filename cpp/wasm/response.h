#pragma once
// Responses to JavaScript, in the form {shape, data}, {named values} or {error}.

#include <span>
#include <string>
#include <string_view>

#include "phasor/phasor.h"

namespace phasor_js {

using phasor::Status;
using phasor::Tensor;

// batch_size -> batchSize
std::string to_camel_case(std::string_view name);

// A response is a tensor or an object of named values. boundary.js builds it value by value. Arrays
// are copied to new arrays or to the caller's arrays, because views of WebAssembly memory become
// invalid when the memory grows.
class Response {
 public:
  Response& add(const char* name, double number);
  Response& add(const char* name, std::string_view text);
  Response& add(const char* name, const Tensor& t);
  Response& add(const char* name, const phasor::Gradients& tensors);
  Response& add_flag(const char* name, bool flag);
  Response& add_null(const char* name);
  Response& add_list(const char* name, std::span<const int> numbers);
  // Splits a string such as "add, concatenate" at its commas, and adds the parts as a list.
  Response& add_string_list(const char* name, std::string_view comma_separated);

  // Begins an object or a list. close() ends it. The values of a list have the name kItem.
  Response& open_object(const char* name);
  Response& open_list(const char* name);
  Response& close();

  // True if the caller must add all values to the response a second time. If the request has output
  // arrays, the first pass only compares shapes.
  static bool needs_second_pass();
  // True if the shapes of the values do not match the output arrays. The response is then an error
  // without values.
  static bool is_rejected();

  void set(const Tensor& t);
  void set(const Status& failure);
};

inline constexpr const char* kItem = nullptr;  // the name of values in a list

}  // namespace phasor_js
