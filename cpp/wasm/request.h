#pragma once
// JavaScript in: a request comes as a flat list of fields, all at once
// (web/engine/request/flat-request.ts), because every question put to a JavaScript object costs as
// much as a row of attention. Kinds of values are checked here, because only here they are seen;
// ranges are checked in the library. Nothing here knows Emscripten, so that the tests read requests
// natively.

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

/// The names that a field of version 0.1 may have now; none where it was not renamed.
std::vector<std::string_view> current_names(std::string_view before);
Status renamed_to(std::string_view before, std::string_view now);

struct OwnedPositions {
  std::vector<double> values;
  int axes = 1;
  phasor::Positions view() const { return {values, axes}; }
};

// Reads the fields. The first failure is kept and later reads give empty values, so that a call
// reads all its fields and asks once. Names of fields are literals: they are remembered.
class Request {
 public:
  // method: for sentences; fields: as fields.h has them; source: its numbers, and the typed arrays
  Request(std::string_view method, std::string fields, const ArraySource& source);
  Request(const Request&) = delete;  // fields point into its text
  Request& operator=(const Request&) = delete;

  // The first failure so far.
  const Status& status() const { return status_; }
  // The same after everything was read: a field that no read has requested is rejected, because it
  // would be ignored.
  Status done();
  bool has(std::string_view name, std::string_view leaf = {}) {
    return fields_.find(name, leaf) != nullptr;
  }
  void refuse(Status failure);
  template <class... Values>
  void refuse(phasor::Pattern<sizeof...(Values)> pattern, const Values&... values) {
    refuse(phasor::invalid(pattern, values...));
  }
  // Two ways to say the same in one request contradict each other sooner or later.
  void refuse_beside(const char* given, phasor::ChoiceList others);

  double number(const char* name);
  double number_or(const char* name, double default_value) {
    return has(name) ? number(name) : default_value;
  }
  std::optional<double> optional_number(const char* name) {
    return has(name) ? std::optional(number(name)) : std::nullopt;
  }
  // A whole number that fits an int; its range is the library's business.
  int integer(const char* name);
  int integer_or(const char* name, int default_value) {
    return has(name) ? integer(name) : default_value;
  }
  std::uint32_t seed(const char* name);
  // true or false; false when the field is left out
  bool flag(const char* name);
  std::string word(const char* name);
  // Rejects what is not an object; its fields are read by their paths.
  void object(const char* name);
  // One of the words, as its index; the first when the field is left out.
  template <class Enum>
  Enum choice(const char* name, phasor::ChoiceList words) {
    return static_cast<Enum>(choice_index(name, words));
  }

  // A list, a typed array or a tensor of one axis.
  std::vector<double> numbers(std::string_view name, std::string_view leaf = {});
  std::vector<int> whole_numbers(std::string_view name, std::string_view leaf = {});
  // Each 0, 1, true or false.
  std::vector<std::uint8_t> flags(const char* name);
  // One that is kept stays where it is; the request owns any other.
  const Tensor& tensor(std::string_view name);
  // For calls that change it: a copy of one that is kept.
  Tensor take_tensor(std::string_view name);
  // One position per token as a list or a tensor [tokens], or several coordinates per token as a
  // tensor [tokens, axes].
  OwnedPositions positions(std::string_view name);
  // One position by itself: a number, or its coordinates as a list.
  OwnedPositions position(const char* name);

  // An encoding given as "rope" or {id: "rope", base: 500000}. A parameter that has one axis may
  // come as a list.
  phasor::EncodingConfig encoding();
  // The one that is already made, if the request has one; nullptr otherwise.
  std::shared_ptr<phasor::Encoding> prepared_encoding();
  phasor::EncodingConfig encoding_or_none() {
    return has("encoding") ? encoding() : phasor::EncodingConfig();
  }
  phasor::RequestedOutputs outputs();
  // The token tensors of a call by name.
  phasor::TokenTensors token_tensors();
  const Handle* handle(std::string_view name, Field::Kind kind);
  // The number of what the call makes.
  double new_handle();
  // All below a path, as the library reads a file: lists of numbers as tensors of rank 1; lists of
  // anything else stay as words, so that the caller that wanted numbers can refuse them.
  phasor::Params entries(std::string_view path);
  // A value of any kind that a parameter may have. The field must be there.
  phasor::ParamValue value(std::string_view name) { return param(*fields_.find(name)); }

 private:
  int choice_index(const char* name, phasor::ChoiceList words);
  Tensor tensor(const Field& data, std::vector<int> shape);
  const Tensor* kept_tensor(std::string_view name);
  std::vector<double> numbers(const Field& field);
  template <class T>
  void copy(const Field& field, std::vector<T>& out) const;
  struct Shaped {
    const Field* data = nullptr;
    std::vector<int> shape{};
  };
  // {shape, data} of which the one is as long as the other says; without data where it is not,
  // which is rejected.
  Shaped shaped(std::string_view name);
  phasor::ParamValue param(const Field& field);
  void refuse_unread();
  // Says where a field belongs that is the parameter of an encoding; empty where it is none.
  std::string misplaced_param(std::string_view name);
  bool can_allocate(std::string_view name, std::size_t bytes);
  void fail(std::string_view name, const Field* value, std::string_view allowed);
  // allowed: what is said before the choices
  void refuse_choice(std::string_view name, const Field* value, std::string_view allowed,
                     phasor::ChoiceList choices);
  void fail(std::string_view name, std::string_view allowed) {
    fail(name, fields_.find(name), allowed);
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
