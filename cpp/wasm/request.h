#pragma once
// JavaScript in: plain objects, read field by field. Types of JavaScript values are checked here, because only here they are
// seen; ranges are checked in the library.

#include <emscripten/val.h>

#include <cmath>
#include <limits>

#include "phasor/phasor.h"

namespace phasor_js {

using emscripten::val;
using phasor::Status;
using phasor::Tensor;

struct OwnedPositions {
  std::vector<double> values;
  int axes = 1;
  phasor::Positions view() const { return {values, axes}; }
};

// Reads fields of a request object. The first failure is kept and later reads give empty values, so that a call reads all
// its fields and asks once.
class Request {
 public:
  explicit Request(val object) : object_(std::move(object)) {}

  const Status& status() const { return status_; }
  bool has(const char* name) const { return !object_[name].isUndefined() && !object_[name].isNull(); }

  double number(const char* name) {
    const val value = object_[name];
    if (value.isNumber()) return value.as<double>();
    fail(name, value, "a number");
    return 0;
  }
  std::optional<double> optional_number(const char* name) { return has(name) ? std::optional(number(name)) : std::nullopt; }

  // A whole number that fits an int; its range is the library's business.
  int integer(const char* name) {
    const double value = number(name);
    if (!status_.ok()) return 0;
    if (value != std::floor(value) || std::fabs(value) > std::numeric_limits<int>::max()) {
      fail(name, object_[name], "a whole number below 2147483648");
      return 0;
    }
    return static_cast<int>(value);
  }

  // One of the words, as its index; the first when the field is left out.
  int choice(const char* name, std::initializer_list<const char*> words) {
    if (!has(name)) return 0;
    const val value = object_[name];
    std::string allowed;
    int index = 0;
    for (const char* word : words) {
      if (value.isString() && value.as<std::string>() == word) return index;
      allowed += std::string(allowed.empty() ? "" : ", ") + word;
      ++index;
    }
    fail(name, value, ("one of " + allowed).c_str());
    return 0;
  }

  template <class T>
  std::vector<T> numbers(const char* name) {
    const val value = object_[name];
    if (!value.isUndefined() && !value.isNull() && value["length"].isNumber()) return emscripten::convertJSArrayToNumberVector<T>(value);
    fail(name, value, "an array of numbers");
    return {};
  }

  std::vector<std::uint8_t> flags(const char* name) {
    std::vector<std::uint8_t> out;
    for (const double flag : numbers<double>(name)) out.push_back(flag != 0 ? 1 : 0);
    return out;
  }

  std::string word(const char* name) {
    if (object_[name].isString()) return object_[name].as<std::string>();
    fail(name, object_[name], "a word");
    return "";
  }

  Tensor tensor(const char* name) { return tensor(name, object_[name]); }

  Tensor tensor(const std::string& name, const val& value) {
    if (value.isUndefined() || value.isNull() || value["shape"].isUndefined() || value["data"].isUndefined()) {
      fail(name.c_str(), value, "a tensor {shape, data}");
      return {};
    }
    std::vector<int> shape = extents((name + ".shape").c_str(), value["shape"]);
    if (!status_.ok()) return {};
    const val data = value["data"];
    const double length = data["length"].isNumber() ? data["length"].as<double>() : 0;
    double total = 1;
    for (const int extent : shape) total *= extent;
    if (total != length) {
      fail((name + ".data").c_str(), val(std::to_string(static_cast<long long>(length)) + " numbers"),
           ("as long as its shape says: " + std::to_string(static_cast<long long>(total))).c_str());
      return {};
    }
    if (!has_room(name, length)) return {};
    return filled(std::move(shape), data);
  }

  std::vector<int> shape(const char* name) { return extents(name, object_[name]); }

  // One position per token as a list or a tensor [tokens], or several coordinates per token as a tensor [tokens, axes].
  OwnedPositions positions(const char* name) {
    const val value = object_[name];
    if (!has(name) || value["shape"].isUndefined()) return {numbers<double>(name), 1};
    const std::vector<int> shape = extents((std::string(name) + ".shape").c_str(), value["shape"]);
    const int axes = shape.size() == 2 ? shape[1] : 1;
    if (status_.ok() && (shape.empty() || shape.size() > 2 || axes < 1)) {
      fail((std::string(name) + ".shape").c_str(), value["shape"], "tokens, or tokens x axes");
    }
    if (!status_.ok()) return {};
    std::vector<double> values = emscripten::convertJSArrayToNumberVector<double>(value["data"]);
    if (values.size() != static_cast<std::size_t>(shape[0]) * static_cast<std::size_t>(axes)) {
      fail((std::string(name) + ".data").c_str(), val(std::to_string(values.size()) + " numbers"), "as long as its shape says");
      return {};
    }
    return {std::move(values), axes};
  }

  // One position by itself: a number, or its coordinates as a list.
  OwnedPositions position(const char* name) {
    if (object_[name].isNumber()) return {{number(name)}, 1};
    std::vector<double> coordinates = numbers<double>(name);
    if (coordinates.empty()) {
      fail(name, object_[name], "a number or its coordinates");
      return {};
    }
    const int axes = static_cast<int>(coordinates.size());
    return {std::move(coordinates), axes};
  }

  // Two ways to say the same in one request contradict each other sooner or later.
  void refuse_beside(const char* given, std::initializer_list<const char*> others) {
    for (const char* other : others) {
      if (has(other)) refuse(std::string(other) + ": it is given beside " + given + ", which already says it");
    }
  }

  std::uint32_t seed(const char* name) {
    const double value = has(name) ? number(name) : 0;
    if (value >= 0 && value <= 4294967295.0 && value == std::floor(value)) return static_cast<std::uint32_t>(value);
    fail(name, object_[name], "a whole number from 0 to 4294967295");
    return 0;
  }

  // An encoding given as "rope" or {id: "rope", base: 500000}.
  phasor::EncodingConfig encoding(const char* name) {
    if (!has(name)) return {};
    const val value = object_[name];
    if (value.isString()) return {.id = value.as<std::string>(), .params = {}};
    if (!value["id"].isString()) {
      fail(name, value, "the id of an encoding or {id, ...parameters}");
      return {};
    }
    return {.id = value["id"].as<std::string>(), .params = params(value, {"id"})};
  }

  // An encoding whose parameters stand beside the fields of the request itself.
  phasor::EncodingConfig inline_encoding(std::initializer_list<const char*> fields) {
    if (!object_["encoding"].isString()) {
      fail("encoding", object_["encoding"], "the id of an encoding");
      return {};
    }
    return {.id = object_["encoding"].as<std::string>(), .params = params(object_, fields)};
  }

  phasor::Want want() {
    phasor::Want want;
    if (!has("want")) return want;
    const val list = object_["want"];
    const int length = list["length"].isNumber() ? list["length"].as<int>() : 0;
    for (int i = 0; i < length; ++i) {
      const std::string word = list[i].isString() ? list[i].as<std::string>() : "";
      if (word == "weights")
        want.weights = true;
      else if (word == "scores")
        want.scores = true;
      else if (word == "bias")
        want.bias = true;
      else if (word == "map")
        want.map = true;
      else
        fail("want", list[i], "one of weights, scores, bias, map");
    }
    return want;
  }

  // The whole object as the library reads a file: every key under its path, nested objects joined by dots, lists of numbers as
  // tensors of rank 1, null left out. Lists of anything else stay as words, so that whoever wanted numbers can say so.
  std::map<std::string, phasor::ParamValue> entries() {
    std::map<std::string, phasor::ParamValue> out;
    flatten("", object_, kDeepest, out);
    return out;
  }

  void refuse(std::string sentence) {
    if (status_.ok()) status_ = Status::invalid(std::move(sentence));
  }

  // A field that is an object itself.
  val field(const char* name) {
    const val value = object_[name];
    if (value.typeOf().as<std::string>() == "object") return value;
    fail(name, value, "an object");
    return val::object();
  }

 private:
  static constexpr int kDeepest = 8;  // objects below are left out; files have 4, and an object that holds itself must end

  static std::vector<std::string> keys(const val& object) {
    return emscripten::vecFromJSArray<std::string>(val::global("Object").call<val>("keys", object));
  }

  // A number, a yes or no, or a word.
  static std::optional<phasor::ParamValue> scalar(const val& value) {
    if (value.isNumber()) return value.as<double>();
    if (value.isTrue() || value.isFalse()) return value.isTrue();
    if (value.isString()) return value.as<std::string>();
    return std::nullopt;
  }

  static void flatten(const std::string& path, const val& object, int depth, std::map<std::string, phasor::ParamValue>& out) {
    for (const std::string& key : keys(object)) {
      const val value = object[key];
      if (std::optional<phasor::ParamValue> known = scalar(value)) {
        out[path + key] = *std::move(known);
      } else if (value.isArray()) {
        out[path + key] = list(value);
      } else if (!value.isNull() && value.typeOf().as<std::string>() == "object" && depth > 1) {
        flatten(path + key + ".", value, depth - 1, out);
      }
    }
  }

  // The only door for arrays inwards: the view is written through in the line that makes it.
  static Tensor filled(std::vector<int> shape, const val& data) {
    Tensor out(std::move(shape));
    val(emscripten::typed_memory_view(out.data.size(), out.data.data())).call<void>("set", data);
    return out;
  }

  static phasor::ParamValue list(const val& value) {
    const int length = value["length"].as<int>();
    for (int i = 0; i < length; ++i) {
      if (!value[i].isNumber()) return words(value);
    }
    return filled({length}, value);
  }

  static std::string words(const val& value) { return val::global("String")(value).as<std::string>(); }

  // Whether the array fits in memory: an allocation that fails would end the instance, so it is tried first.
  bool has_room(const std::string& name, double numbers) {
    const std::size_t bytes = static_cast<std::size_t>(numbers) * sizeof(float);
    if (phasor::has_room(bytes)) return true;
    if (status_.ok()) {
      status_ = Status::exhausted(name + ": " + std::to_string(bytes >> 20) + " MiB are not left in this memory");
    }
    return false;
  }

  std::vector<int> extents(const char* name, const val& value) {
    std::vector<int> shape;
    if (value.isUndefined() || value.isNull() || !value["length"].isNumber()) {
      fail(name, value, "a list of whole numbers");
      return shape;
    }
    for (const double extent : emscripten::convertJSArrayToNumberVector<double>(value)) {
      if (!(extent >= 0 && extent <= std::numeric_limits<int>::max() && extent == std::floor(extent))) {
        fail(name, value, "a list of whole numbers");
        return {};
      }
      shape.push_back(static_cast<int>(extent));
    }
    return shape;
  }

  std::map<std::string, phasor::ParamValue> params(const val& object, std::initializer_list<const char*> fields) {
    std::map<std::string, phasor::ParamValue> out;
    for (const std::string& key : keys(object)) {
      bool reserved = key == "encoding";
      for (const char* field : fields) reserved = reserved || key == field;
      const val value = object[key];
      if (reserved || value.isUndefined()) continue;
      if (std::optional<phasor::ParamValue> known = scalar(value)) {
        out[key] = *std::move(known);
      } else if (!value.isNull() && !value["shape"].isUndefined()) {
        out[key] = tensor(key, value);
      } else {
        fail(key.c_str(), value, "a number, a word, true, false or a tensor {shape, data}");
      }
    }
    return out;
  }

  void fail(const char* name, const val& value, const char* allowed) {
    const std::string shown = value.isString() ? "\"" + value.as<std::string>() + "\"" : words(value);
    refuse(std::string(name) + ": " + shown.substr(0, 60) + " is not " + allowed);
  }

  val object_;
  Status status_;
};

}  // namespace phasor_js
