#pragma once
// Builds requests in the format of web/engine/request/flat-request.ts without JavaScript.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wasm/array_source.h"
#include "wasm/request.h"

namespace phasor::test {

// Aborts the test if an array does not have its declared size, as a RangeError ends a call in
// JavaScript.
class FlatRequest final : public phasor_js::ArraySource {
 public:
  FlatRequest() = default;
  // The parts are not checked and may be inconsistent.
  FlatRequest(std::string fields, std::vector<double> numbers,
              std::vector<std::vector<double>> arrays)
      : fields_(std::move(fields)), numbers_(std::move(numbers)), arrays_(std::move(arrays)) {}

  FlatRequest& number(std::string_view path, double value) {
    field('n', path);
    numbers_.push_back(value);
    return *this;
  }
  FlatRequest& flag(std::string_view path, bool flag_value) {
    field(flag_value ? 'y' : 'f', path);
    return *this;
  }
  FlatRequest& word(std::string_view path, std::string_view text) {
    return text_of('w', path, text);
  }
  FlatRequest& words(std::string_view path, std::string_view text) {
    return text_of('s', path, text);
  }
  FlatRequest& other(std::string_view path, std::string_view text) {
    return text_of('x', path, text);
  }
  FlatRequest& list(std::string_view path, const std::vector<double>& values) {
    return list_of('l', path, values);
  }
  FlatRequest& flags(std::string_view path, const std::vector<double>& values) {
    return list_of('b', path, values);
  }
  FlatRequest& array(std::string_view path, std::vector<double> values) {
    field('a', path);
    numbers_.push_back(static_cast<double>(values.size()));
    arrays_.push_back(std::move(values));
    return *this;
  }
  FlatRequest& object(std::string_view path) {
    field('o', path);
    return *this;
  }
  FlatRequest& tensor(const std::string& path, const std::vector<double>& shape,
                      std::vector<double> values) {
    return object(path).list(path + ".shape", shape).array(path + ".data", std::move(values));
  }

  phasor_js::Request read(std::string_view method) const { return {method, fields_, *this}; }

  std::size_t list_size() const override { return numbers_.size(); }
  void copy_list(std::span<double> out) const override { copy(numbers_, out); }
  std::size_t array_count() const override { return arrays_.size(); }
  void copy_array(int index, std::span<double> out) const override {
    copy(arrays_.at(static_cast<std::size_t>(index)), out);
  }
  void copy_array(int index, std::span<float> out) const override {
    copy(arrays_.at(static_cast<std::size_t>(index)), out);
  }

 private:
  void field(char kind, std::string_view path) {
    fields_ += kind;
    text(path);
  }
  void text(std::string_view letters) {
    fields_ += letters;
    numbers_.push_back(static_cast<double>(letters.size()));
  }
  FlatRequest& text_of(char kind, std::string_view path, std::string_view letters) {
    field(kind, path);
    text(letters);
    return *this;
  }
  FlatRequest& list_of(char kind, std::string_view path, const std::vector<double>& values) {
    field(kind, path);
    numbers_.push_back(static_cast<double>(values.size()));
    numbers_.insert(numbers_.end(), values.begin(), values.end());
    return *this;
  }
  template <class T>
  static void copy(const std::vector<double>& source, std::span<T> out) {
    if (source.size() != out.size()) std::abort();
    std::transform(source.begin(), source.end(), out.begin(),
                   [](double value) { return static_cast<T>(value); });
  }

  std::string fields_;
  std::vector<double> numbers_;
  std::vector<std::vector<double>> arrays_;
};

}  // namespace phasor::test
