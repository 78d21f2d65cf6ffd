#include "golden_case.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

namespace golden {

namespace {

std::string to_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string to_text(const std::vector<int>& shape) {
  std::string text = "[";
  for (const int extent : shape) text += (text.size() > 1 ? "," : "") + std::to_string(extent);
  return text + "]";
}

// The index of a flat position in each axis: "[1,0,3]".
std::string index_text(std::size_t flat, const std::vector<int>& shape) {
  std::vector<int> index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = static_cast<int>(flat % static_cast<std::size_t>(shape[axis]));
    flat /= static_cast<std::size_t>(shape[axis]);
  }
  return to_text(index);
}

std::optional<double> number_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "Infinity") return std::numeric_limits<double>::infinity();
  if (value == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

}  // namespace

const Json& Case::section(const char* name) const {
  static const Json empty = Json::object();
  const auto iterator = entry_.find(name);
  return iterator != entry_.end() && iterator->is_object() ? *iterator : empty;
}

void Case::fail(const std::string& reason) {
  if (reason_.empty()) reason_ = reason;
}

bool Case::ok(const phasor::Status& status) {
  if (!status.ok()) fail(std::string(phasor::to_string(status.code())) + ": " + status.message());
  return status.ok();
}

// ---- params

const Json* Case::param(const std::string& name) {
  asked_.insert("params/" + name);
  const auto iterator = params().find(name);
  if (iterator != params().end()) return &*iterator;
  fail("params lack " + name);
  return nullptr;
}

bool Case::has(const std::string& name) const { return params().contains(name); }
bool Case::is_text(const std::string& name) const {
  return has(name) && params()[name].is_string();
}
bool Case::has_input(const std::string& name) const { return inputs().contains(name); }
bool Case::has_output(const std::string& name) const { return outputs().contains(name); }

bool Case::is_null(const std::string& name) {
  const Json* value = param(name);
  return value != nullptr && value->is_null();
}

double Case::number(const std::string& name) {
  const Json* value = param(name);
  if (value == nullptr) return 0;
  if (!value->is_number()) fail("param " + name + " is not a number: " + value->dump());
  return value->is_number() ? value->get<double>() : 0;
}

int Case::integer(const std::string& name) {
  const double value = number(name);
  if (value == std::floor(value) && std::fabs(value) < 1e9) return static_cast<int>(value);
  fail("param " + name + " is not a whole number: " + to_text(value));
  return 0;
}

bool Case::boolean(const std::string& name) {
  const Json* value = param(name);
  if (value != nullptr && !value->is_boolean())
    fail("param " + name + " is not true or false: " + value->dump());
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

std::string Case::word(const std::string& name) {
  const Json* value = param(name);
  if (value != nullptr && value->is_string()) return value->get<std::string>();
  if (value != nullptr) fail("param " + name + " is not a text: " + value->dump());
  return "";
}

const Json& Case::raw(const std::string& name, const char* part) {
  static const Json kNone;
  asked_.insert(std::string(part) + "/" + name);
  const Json& all = section(part);
  return all.contains(name) ? all[name] : kNone;
}

std::vector<double> Case::numbers(const std::string& name) {
  std::vector<double> all;
  const Json* value = param(name);
  if (value != nullptr && !value->is_array())
    fail("param " + name + " is not a list: " + value->dump());
  if (value == nullptr || !value->is_array()) return all;
  for (const Json& entry : *value) {
    if (!entry.is_number())
      fail("param " + name + " holds something that is not a number: " + entry.dump());
    all.push_back(entry.is_number() ? entry.get<double>() : 0);
  }
  return all;
}

std::vector<std::string> Case::texts(const std::string& name) {
  std::vector<std::string> all;
  const Json* value = param(name);
  if (value != nullptr && !value->is_array())
    fail("param " + name + " is not a list: " + value->dump());
  if (value == nullptr || !value->is_array()) return all;
  for (const Json& entry : *value) {
    if (!entry.is_string())
      fail("param " + name + " holds something that is not a text: " + entry.dump());
    all.push_back(entry.is_string() ? entry.get<std::string>() : "");
  }
  return all;
}

void Case::expect_param(const std::string& name, double value) {
  if (has(name) && number(name) != value)
    fail("param " + name + " says " + to_text(number(name)) + ", but it is " + to_text(value));
}

void Case::expect_param(const std::string& name, const std::string& value) {
  if (has(name) && word(name) != value)
    fail("param " + name + " says \"" + word(name) + "\"; only \"" + value + "\" is known");
}

// ---- tensors

std::optional<Array> Case::array(const Json& value, const std::string& name) {
  if (value.is_string()) {
    const std::string reference = value.get<std::string>();
    if (reference.size() > 1 && reference[0] == '@' && tensors_.contains(reference.substr(1))) {
      return array(tensors_[reference.substr(1)], name);
    }
  }
  const bool is_complete = value.is_object() && value.contains("shape") &&
                           value["shape"].is_array() && value.contains("data") &&
                           value["data"].is_array() && value.contains("dtype") &&
                           value["dtype"].is_string();
  if (!is_complete) {
    fail(name + " is not a tensor");
    return std::nullopt;
  }
  Array out;
  out.exact = value["dtype"] != "f64";
  double total = 1;
  for (const Json& extent : value["shape"]) {
    out.shape.push_back(extent.is_number_integer() ? extent.get<int>() : -1);
    total *= out.shape.back();
  }
  for (const Json& entry : value["data"]) {
    const std::optional<double> number = number_of(entry);
    if (!number) fail(name + " holds something that is not a number: " + entry.dump());
    out.data.push_back(number.value_or(0));
  }
  if (total != static_cast<double>(out.data.size())) {
    fail(name + " has " + std::to_string(out.data.size()) + " numbers for the shape " +
         to_text(out.shape));
    return std::nullopt;
  }
  return out;
}

Array Case::input(const std::string& name) {
  asked_.insert("inputs/" + name);
  const auto iterator = inputs().find(name);
  if (iterator == inputs().end()) {
    fail("inputs lack " + name);
    return {};
  }
  return array(*iterator, "input " + name).value_or(Array());
}

phasor::Tensor Case::tensor(const std::string& name) {
  const Array source = input(name);
  phasor::Tensor out;
  out.shape = source.shape;
  for (const double x : source.data) out.data.push_back(static_cast<float>(x));
  return out;
}

Array Case::output(const std::string& name) {
  const auto iterator = outputs().find(name);
  if (iterator == outputs().end()) {
    fail("outputs lack " + name);
    return {};
  }
  return array(*iterator, "output " + name).value_or(Array());
}

// ---- outputs

void Case::expect(const std::string& name, const phasor::Tensor& actual, double tolerance) {
  compare(name, actual.shape, {actual.data.begin(), actual.data.end()}, tolerance,
          SimilarityMetric::mixed);
}
void Case::expect(const std::string& name, const std::vector<int>& shape,
                  const std::vector<double>& actual, double tolerance) {
  compare(name, shape, actual, tolerance, SimilarityMetric::mixed);
}
void Case::expect_relative(const std::string& name, const phasor::Tensor& actual,
                           double tolerance) {
  compare(name, actual.shape, {actual.data.begin(), actual.data.end()}, tolerance,
          SimilarityMetric::relative);
}
void Case::expect_weights(const std::string& name, const phasor::Tensor& actual, double tolerance) {
  compare(name, actual.shape, {actual.data.begin(), actual.data.end()}, tolerance,
          SimilarityMetric::weights);
}

void Case::compare(const std::string& name, const std::vector<int>& shape,
                   const std::vector<double>& actual, double tolerance, SimilarityMetric measure) {
  asked_.insert("outputs/" + name);
  const Array expected = output(name);
  if (!reason_.empty()) return;
  if (shape != expected.shape)
    return fail(name + " has the shape " + to_text(shape) + ", expected " +
                to_text(expected.shape));
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double expected_value = expected.data[i];
    if (actual[i] == expected_value) continue;  // equal infinities too
    const double difference = std::fabs(actual[i] - expected_value);
    double error =
        difference / (measure == SimilarityMetric::relative ? std::fabs(expected_value)
                                                            : 1 + std::fabs(expected_value));
    if (expected.exact || (measure == SimilarityMetric::weights && expected_value == 0))
      error = std::numeric_limits<double>::infinity();
    if (!(error <= tolerance)) {
      return fail(name + index_text(i, shape) + ": got " + to_text(actual[i]) + ", expected " +
                  to_text(expected_value) + ", error " + to_text(error) + ", allowed " +
                  to_text(tolerance));
    }
  }
}

std::string Case::verdict() {
  for (const auto& [key, value] : entry_.items()) {
    static const std::set<std::string> known = {"id",      "method", "params", "inputs",
                                                "outputs", "source", "notes",  "tol"};
    if (!known.contains(key)) fail("unknown field " + key);
  }
  for (const char* part : {"params", "inputs", "outputs"}) {
    for (const auto& [key, value] : section(part).items()) {
      if (!asked_.contains(std::string(part) + "/" + key)) {
        fail("unknown " + std::string(part).substr(0, std::string(part).size() - 1) + " " + key);
      }
    }
  }
  if (outputs().empty()) fail("there are no outputs to compare with");
  return reason_;
}

}  // namespace golden
