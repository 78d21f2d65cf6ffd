#pragma once
// Responses to JavaScript: {shape, data}, {named values} or {error}.

#include <span>
#include <string>
#include <string_view>

#include "phasor/phasor.h"

namespace phasor_js {

using phasor::Status;
using phasor::Tensor;

// batch_size -> batchSize
std::string to_camel_case(std::string_view name);

// The response that boundary.js builds value by value: an object of named values, or a tensor in
// its place. Arrays are always copied, into new arrays or those of the caller: a view on the heap
// becomes invalid when memory grows.
class Response {
 public:
  Response& add(const char* name, double number);
  Response& add(const char* name, std::string_view text);
  Response& add(const char* name, const Tensor& t);
  Response& add(const char* name, const phasor::Gradients& tensors);
  Response& add_flag(const char* name, bool flag);
  Response& add_null(const char* name);
  Response& add_list(const char* name, std::span<const int> numbers);
  // "add, concatenate" as a list of strings
  Response& add_words(const char* name, std::string_view words);

  // Starts an object or list with this name; values of a list have no names. close() ends it.
  Response& open(const char* name);
  Response& open_list(const char* name);
  Response& close();

  // Whether another pass must add all values again: the first pass only compares the caller's
  // arrays with the results.
  static bool again();
  // Whether the comparison failed. Then nothing is written, and the response is an error regardless
  // of what else is added.
  static bool is_rejected();

  void set(const Tensor& t);
  void set(const Status& failure);
};

inline constexpr const char* kItem = nullptr;  // name of a value in a list

}  // namespace phasor_js
