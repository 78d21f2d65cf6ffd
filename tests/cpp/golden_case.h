#pragma once
// One case of a golden file for its runner. Every request is recorded, so that a parameter, an
// input or an output that no runner read is a failure too: a case only passes if all of it was
// used.

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
  bool exact = false;  ///< integers and yes/no must match exactly
};

/// Errors allowed in |got - expected| / (1 + |expected|), for float32 with angles computed in
/// double.
inline constexpr double kTable = 1e-6, kAttention = 2e-6;
/// Layers of several matrix products (Transformer-XL, DeBERTa, CoPE, multi-head attention).
inline constexpr double kComposite = 5e-6;
inline constexpr double kGradient = 4e-6;
/// Some numbers of a long text, and its sums relative to the sum of sizes.
inline constexpr double kSample = 5e-6, kSum = 1e-4;

class Case {
 public:
  Case(const Json& entry, const Json& tensors) : entry_(entry), tensors_(tensors) {}

  // ---- params. A missing or wrong one fails the case and gives a harmless value, so runners read
  // on and ask no questions.
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
  std::vector<std::string> texts(const std::string& name);  ///< a list of words
  /// A param, or with `part` "outputs" an output, that is no number, text or list; null where there
  /// is none.
  const Json& raw(const std::string& name, const char* part = "params");
  /// A param that repeats what is param: it is compared, not used.
  void claims(const std::string& name, double value);
  void claims(const std::string& name, const std::string& value);

  // ---- inputs
  bool has_input(const std::string& name) const;
  Array input(const std::string& name);
  phasor::Tensor tensor(const std::string& name);  ///< the input in float32

  // ---- the answer
  bool has_output(const std::string& name) const;
  /// The expected numbers, where the runner needs their shape
  Array output(const std::string& name);
  void expect(const std::string& name, const phasor::Tensor& got, double tolerance);
  void expect(const std::string& name, const std::vector<int>& shape,
              const std::vector<double>& got, double tolerance);
  /// |got - expected| / |expected|
  void expect_relative(const std::string& name, const phasor::Tensor& got, double tolerance);
  /// Attention weights: what is exactly 0 because it is masked must be exactly 0.
  void expect_weights(const std::string& name, const phasor::Tensor& got,
                      double tolerance = kAttention);
  /// Fails the case with the error message of the library.
  bool ok(const phasor::Status& status);
  /// The same, and the value for `out` where there is one.
  template <class T>
  bool ok(phasor::Result<T> result, T& out) {
    if (!ok(result.status())) return false;
    out = *std::move(result);
    return true;
  }
  void fail(const std::string& why);
  bool failed() const { return !why_.empty(); }

  /// The reason why the case fails, or empty. Call last: it also looks for unread parts.
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
               const std::vector<double>& got, double tolerance, SimilarityMetric measure);

  const Json& entry_;
  const Json& tensors_;
  std::set<std::string> asked_;  ///< "params/base", "inputs/q", "outputs/pe"
  std::string why_;
};

/// A method of the golden files and its implementation by the library.
struct Method {
  const char* name;
  void (*run)(Case&);
};

}  // namespace golden

/// Defines the methods of golden/<id>.cpp, which is in golden::family::id.
#define GOLDEN_FAMILY(id) std::span<const Method> methods_of_##id()
