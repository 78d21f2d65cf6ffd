#pragma once
// One case of a golden file. Every access is recorded, so that a case with a parameter, an input or
// an output that its runner did not read fails too.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "phasor/phasor.h"

namespace golden {

using Json = nlohmann::json;

/// A tensor of the file, in double.
struct Array {
  std::vector<int> shape;
  std::vector<double> data;
  bool exact = false;  ///< whether values must match exactly: integers and booleans
};

/// Tolerances of |actual - expected| / (1 + |expected|), for float32 with angles computed in
/// double.
inline constexpr double kTable = 1e-6, kAttention = 2e-6;
/// Layers of several matrix products (Transformer-XL, DeBERTa, CoPE, multi-head attention).
inline constexpr double kComposite = 5e-6;
inline constexpr double kGradient = 4e-6;
/// Samples of a long text, and its sums relative to the sum of absolute values.
inline constexpr double kSample = 5e-6, kSum = 1e-4;

class Case {
 public:
  Case(const Json& entry, const Json& tensors) : entry_(entry), tensors_(tensors) {}

  // ---- params. A missing or invalid param fails the case and returns a default, so runners need
  // no checks.
  bool has(const std::string& name) const;
  bool is_null(const std::string& name);
  bool is_text(const std::string& name) const;
  double number(const std::string& name);
  double number_or(const std::string& name, double default_value) {
    return has(name) ? number(name) : default_value;
  }
  int integer(const std::string& name);
  int integer_or(const std::string& name, int default_value) {
    return has(name) ? integer(name) : default_value;
  }
  bool boolean(const std::string& name);
  std::string word(const std::string& name);
  std::vector<double> numbers(const std::string& name);
  std::vector<std::string> texts(const std::string& name);
  /// A param (or an output if `part` is "outputs") of any JSON type; null if it is missing.
  const Json& raw(const std::string& name, const char* part = "params");
  /// Compares a redundant param, if it is present, with its only valid value.
  void expect_param(const std::string& name, double value);
  void expect_param(const std::string& name, const std::string& value);

  // ---- inputs
  bool has_input(const std::string& name) const;
  Array input(const std::string& name);
  phasor::Tensor tensor(const std::string& name);

  // ---- outputs
  bool has_output(const std::string& name) const;
  /// The expected values, for runners that need their shape.
  Array output(const std::string& name);
  void expect(const std::string& name, const phasor::Tensor& actual, double tolerance);
  void expect(const std::string& name, const std::vector<int>& shape,
              const std::vector<double>& actual, double tolerance);
  /// |actual - expected| / |expected|
  void expect_relative(const std::string& name, const phasor::Tensor& actual, double tolerance);
  /// Compares attention weights; an expected weight of exactly 0 must be exactly 0.
  void expect_weights(const std::string& name, const phasor::Tensor& actual,
                      double tolerance = kAttention);
  /// Fails the case with the error message of `status` if there is one.
  bool ok(const phasor::Status& status);
  /// Also moves the value to `out` if there is no error.
  template <class T>
  bool ok(phasor::Result<T> result, T& out) {
    if (!ok(result.status())) return false;
    out = *std::move(result);
    return true;
  }
  void fail(const std::string& reason);
  bool failed() const { return !reason_.empty(); }

  /// The reason why the case fails, or "". Call this last: unread parts fail the case too.
  std::string verdict();

 private:
  enum class SimilarityMetric { mixed, relative, weights };
  const Json& section(const char* name) const;
  const Json& params() const { return section("params"); }
  const Json& inputs() const { return section("inputs"); }
  const Json& outputs() const { return section("outputs"); }
  const Json* param(const std::string& name);
  std::optional<Array> array(const Json& value, const std::string& name);
  void compare(const std::string& name, const std::vector<int>& shape,
               const std::vector<double>& actual, double tolerance, SimilarityMetric measure);

  const Json& entry_;
  const Json& tensors_;
  std::set<std::string> asked_;  ///< "params/base", "inputs/q", "outputs/pe"
  std::string reason_;
};

struct Method {
  const char* name;
  void (*run)(Case&);
};

}  // namespace golden

/// Defines the function that lists the methods of golden/<id>.cpp, in golden::family::id.
#define GOLDEN_FAMILY(id) std::span<const Method> methods_of_##id()
