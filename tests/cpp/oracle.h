#pragma once
// The formulas of the papers for one query and one key, in double and element by element: the
// files of oracle/, one per encoding that takes part in attention. They share nothing with the
// library but the names, the defaults and the arrays of parameters; no function of an encoding is
// called. reference.h computes attention from them.

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/registry.h"

namespace phasor::test {

using Vector = std::vector<double>;

inline double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
  return sum;
}

/// A row of a learned table t (rows, dim) or (slices, rows, dim).
Vector row_of(const Tensor& t, int row, int slice = 0);

struct ScoreRow {
  int head;
  double i;                                   ///< position of the query
  const Vector& q;                            ///< (dim)
  std::span<const double> j;                  ///< positions of the keys
  std::span<const Vector> k;                  ///< (keys, dim)
  double scale;                               ///< the factor on q.k
  const std::vector<std::uint8_t>& key_mask;  ///< 0 hides a key; empty: none is hidden
  std::span<const Vector> products{};         ///< (heads, keys): scale * q.k of every head
};

/// An encoding with fixed parameters. Only the functions of its formula are overridden.
class Oracle {
 public:
  virtual ~Oracle() = default;

  /// The default scale of q.k.
  virtual double scale(int dim) const { return 1 / std::sqrt(static_cast<double>(dim)); }
  /// query_key: the query or key of a head at its position, which has one or more coordinates.
  virtual Vector rotate(Role role, int head, std::span<const double> position,
                        const Vector& x) const;
  /// score: b(h, i, j).
  virtual double bias(int head, double i, double j) const;
  /// score_content, key_value: the term that is added to the scaled score of the query and the key
  /// with index `key`.
  virtual double content_term(const ScoreRow& row, std::size_t key) const;
  /// content_term() for all keys of a row; overridden by encodings that compute them together.
  virtual Vector content_terms(const ScoreRow& row) const;
  /// key_value: aV(h, i, j), added to the value; empty if values are unchanged.
  virtual Vector value(int head, double i, double j) const;
};

/// The parameters of an encoding: from the configuration, else the declared default.
class Settings {
 public:
  Settings(const EncodingConfig& config, const EncodingDims& geometry);

  double number(std::string_view name) const;
  int integer(std::string_view name) const { return static_cast<int>(number(name)); }
  bool flag(std::string_view name) const;
  std::string word(std::string_view name) const;
  /// A provided array, or nullptr. It must outlive the oracle.
  const Tensor* array(std::string_view name) const;
  /// A learned array, which must be provided (given_learned in reference.h provides those that are
  /// drawn from a seed).
  const Tensor& parameter(std::string_view name) const;

  EncodingDims geometry;

 private:
  const ParamValue* param(std::string_view name) const { return config_->params.find(name); }
  double default_value(std::string_view name) const;

  const EncodingConfig* config_;
  const EncodingInfo* type_;
};

/// The oracle of an encoding, or nullptr if oracle/ has no file of that name. `config` must outlive
/// it.
std::unique_ptr<Oracle> make_oracle(const EncodingConfig& config, const EncodingDims& geometry);

/// Defines the oracle of the encoding `id`, which must be the name of the file.
#define PHASOR_ORACLE(id, Class)                                  \
  std::unique_ptr<Oracle> oracle_##id(const Settings& settings);  \
  std::unique_ptr<Oracle> oracle_##id(const Settings& settings) { \
    return std::make_unique<Class>(settings);                     \
  }                                                               \
  static_assert(true)

}  // namespace phasor::test
