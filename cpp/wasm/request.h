#pragma once
// Reads requests from JavaScript. A request is a flat list of fields
// (web/engine/request/flat-request.ts), because access to JavaScript objects is slow. Types are
// checked here, and ranges in the library. This class does not depend on Emscripten, so native
// tests can read requests.

#include <forward_list>
#include <optional>
#include <string_view>

#include "array_source.h"
#include "core/format_error.h"
#include "fields.h"
#include "handles.h"
#include "phasor/phasor.h"

namespace phasor_js {

using phasor::Status;
using phasor::Tensor;

/// The names that replace a field name of version 0.1. Empty if the field was not renamed.
std::vector<std::string_view> find_current_names(std::string_view old_name);
Status make_rename_error(std::string_view old_name, std::string_view new_name);

struct RequestPositions {
  std::vector<double> values;
  int axes = 1;
  phasor::Positions view() const { return {values, axes}; }
};

// Reads the fields of a request. After a failure, all reads return empty values, so that a call can
// read every field before it checks status(). Field names must be string literals.
class Request {
 public:
  // `method` is the name of the call in error messages. `fields` has the format described in
  // fields.h. `source` provides the numbers and typed arrays.
  Request(std::string_view method, std::string fields, const ArraySource& source);
  Request(const Request&) = delete;  // the fields point into text_
  Request& operator=(const Request&) = delete;

  // The first error, if any.
  const Status& status() const { return status_; }
  // Rejects fields that were not read, and returns the first failure. Must be called after reading
  // all fields.
  Status finish();
  bool has(std::string_view name, std::string_view leaf = {}) {
    return fields_.find(name, leaf) != nullptr;
  }
  void reject(Status failure);
  template <class... Values>
  void reject(phasor::Pattern<sizeof...(Values)> pattern, const Values&... values) {
    reject(phasor::invalid(pattern, values...));
  }
  // Rejects a request that contains `requested` and also one of `other_names`.
  void reject_combination(const char* requested, phasor::ChoiceList other_names);

  double number(const char* name);
  double number_or(const char* name, double default_value) {
    return has(name) ? number(name) : default_value;
  }
  std::optional<double> optional_number(const char* name) {
    return has(name) ? std::optional(number(name)) : std::nullopt;
  }
  // Reads a whole number that fits in an int. The library checks its range.
  int integer(const char* name);
  int integer_or(const char* name, int default_value) {
    return has(name) ? integer(name) : default_value;
  }
  std::uint32_t seed(const char* name);
  // Returns false if the field is missing.
  bool flag(const char* name);
  std::string string(const char* name);
  // Rejects a value that is not an object. The fields of the object are read separately, by their
  // paths.
  void object(const char* name);
  // A typed array, identified by its index among all arrays of the request.
  struct ArrayField {
    int index = 0;
    std::size_t count = 0;
  };
  ArrayField array(const char* name);
  // Returns the indices of the listed choices; empty if the field is missing.
  std::vector<int> choices(const char* name, phasor::ChoiceList choice_list);
  // Returns the choice as a value of Enum. The default is the first choice.
  template <class Enum>
  Enum choice(const char* name, phasor::ChoiceList choice_list) {
    return static_cast<Enum>(choice_index(name, choice_list));
  }

  // Reads a list, a typed array, or a tensor with one axis.
  std::vector<double> numbers(std::string_view name, std::string_view leaf = {});
  std::vector<int> whole_numbers(std::string_view name, std::string_view leaf = {});
  // Reads a list of flags. Each flag is 0, 1, true or false.
  std::vector<std::uint8_t> flags(const char* name);
  // Returns the tensor that a handle refers to, without a copy, or a tensor that the request owns.
  const Tensor& tensor(std::string_view name);
  // Returns a copy of the tensor, for calls that modify it.
  Tensor take_tensor(std::string_view name);
  // Reads positions from a list or a tensor [tokens], or coordinates from a tensor [tokens, axes].
  RequestPositions positions(std::string_view name);
  // Reads one position, which is a number or a list of coordinates.
  RequestPositions position(const char* name);

  // Reads an encoding, such as "rope" or {id: "rope", base: 500000}. If a parameter is a list, it
  // becomes a tensor with one axis.
  phasor::EncodingConfig encoding();
  // The encoding that the handle refers to; nullptr if the request has no handle.
  std::shared_ptr<phasor::Encoding> prepared_encoding();
  phasor::EncodingConfig encoding_or_none() {
    return has("encoding") ? encoding() : phasor::EncodingConfig();
  }
  phasor::RequestedOutputs outputs();
  phasor::TokenTensors token_tensors();
  const Handle* handle(std::string_view name, Field::Kind kind);
  // The number that the handle for the result will have.
  double new_handle();
  // Reads all values below a path in the same way as a config file: lists of numbers become tensors
  // with one axis, and other lists become strings.
  phasor::Params params(std::string_view path);
  // Reads a parameter value of any type. The field must exist.
  phasor::ParamValue value(std::string_view name) { return param(*fields_.find(name)); }

 private:
  int choice_index(const char* name, phasor::ChoiceList choice_list);
  Tensor tensor(const Field& data, std::vector<int> shape);
  const Tensor* find_handle_tensor(std::string_view name);
  std::vector<double> numbers(const Field& field);
  template <class T>
  void copy(const Field& field, std::vector<T>& out) const;
  struct ShapedField {
    const Field* data = nullptr;
    std::vector<int> shape{};
  };
  // Reads {shape, data}. If their sizes do not match, records an error and returns nullptr for
  // `data`.
  ShapedField read_shaped_field(std::string_view name);
  phasor::ParamValue param(const Field& field);
  void reject_unread();
  // Returns a hint that the parameter `name` belongs in the encoding, for error messages. Empty if
  // `name` is not a parameter.
  std::string misplaced_param_hint(std::string_view name);
  bool can_allocate(std::string_view name, std::size_t bytes);
  void fail(std::string_view name, const Field* value, std::string_view expected);
  // Rejects a value that is not one of `choices`. The error message lists them after `expected`.
  void reject_choice(std::string_view name, const Field* value, std::string_view expected,
                     phasor::ChoiceList choices);
  void fail(std::string_view name, std::string_view expected) {
    fail(name, fields_.find(name), expected);
  }

  std::string_view method_;
  std::string text_;
  std::vector<double> numbers_;
  const ArraySource& source_;
  Fields fields_;
  std::forward_list<Tensor> tensors_;
  Status status_;
};

}  // namespace phasor_js
