#pragma once
// The interface of a positional encoding: one class per injection point. Every encoding is one
// file in cpp/src/encodings; attention depends on this header only.

#include <concepts>
#include <vector>

#include "phasor/encoding_base.h"

namespace phasor {

/// Injection point `none`: scores do not depend on positions.
class NoEncoding : public Encoding {
 public:
  static constexpr Injection kInjection = Injection::none;
  Injection injection() const final { return kInjection; }
  std::vector<Parameter*> parameters() final { return {}; }
};

/// Injection point `input`: a table with a row for each position.
class TableEncoding : public Encoding {
 public:
  TableEncoding() { interfaces_.table = this; }
  static constexpr Injection kInjection = Injection::input;
  Injection injection() const final { return kInjection; }

  /// Number of channels of the table: `dim` for most encodings.
  virtual int table_dim(int dim) const { return dim; }
  /// Writes the table row of each position to out (positions, dim)
  virtual void table(Positions positions, MatrixRef out) const = 0;
  /// Adds to the gradients of the parameters. d_out (positions, dim) is dL/d(table)
  virtual void table_backward(Positions positions, ConstMatrixRef d_out) = 0;
};

/// A table whose channels are sinusoids of the position.
class SinusoidalTable : public TableEncoding {
 public:
  SinusoidalTable() { interfaces_.sinusoidal = this; }
  /// Returns the table's sinusoids, for positions with one coordinate.
  virtual std::vector<Sinusoid> waves(int dim) const = 0;
};

/// Injection point `query_key`: transforms queries and keys by their positions.
class QueryKeyEncoding : public Encoding {
 public:
  QueryKeyEncoding() { interfaces_.query_key = this; }
  static constexpr Injection kInjection = Injection::query_key;
  Injection injection() const final { return kInjection; }

  /// Number of channels of a transformed query or key.
  virtual int transformed_dim(int dim) const { return dim; }
  /// True if the transform at each position is linear, that is, a matrix.
  virtual bool is_linear() const { return true; }
  /// Transforms x (heads, positions, head_dim) in place; token t is at positions[t]. If head_dim
  /// changes, x is reshaped.
  virtual void transform(Role role, Positions positions, Tensor& x) const = 0;
  /// On entry d_x is dL/d(transformed x), on exit it is dL/dx. Adds to the gradients of the
  /// parameters. x is the input of the transform; it is not used by a linear transform without
  /// parameters.
  virtual void transform_backward(Role role, Positions positions, const Tensor& x, Tensor& d_x) = 0;

  /// Upper bound, in bytes, on the memory that the transform or its backward pass allocates.
  /// Includes the result if head_dim changes.
  double transform_bytes(const Tensor& x) const;
};

/// Rotates channel pairs.
class RotaryEncoding : public QueryKeyEncoding {
 public:
  RotaryEncoding() { interfaces_.rotation = this; }
  /// Number of rotated channel pairs.
  virtual int pairs() const = 0;
  /// Writes each pair's angle in radians, computed in double, to out (positions, pairs)
  virtual void angles(Positions positions, MatrixRef out) const = 0;
  /// The frequencies, if context extension can change them; empty otherwise.
  virtual Frequencies frequencies() const { return {}; }
  /// The remapping of distances; the identity by default.
  virtual Remap remap() const { return {}; }
};

/// Injection point `score`: adds a bias to the score of each pair of positions.
class ScoreEncoding : public Encoding {
 public:
  ScoreEncoding() { interfaces_.score_bias = this; }
  static constexpr Injection kInjection = Injection::score;
  Injection injection() const final { return kInjection; }

  /// Adds the bias of one head to a tile (queries, keys) of scores. Row r is at position
  /// queries[r].
  virtual void add_bias(int head, Positions queries, Positions keys, MatrixRef tile) const = 0;
  /// True if the bias depends only on the difference of the two positions; attention then computes
  /// it once per distance.
  virtual bool is_toeplitz() const { return false; }
  /// Adds to the gradients of the parameters. d_tile (queries, keys) is dL/d(bias)
  virtual void bias_backward(int head, Positions queries, Positions keys,
                             ConstMatrixRef d_tile) = 0;
};

/// Injection point `score_content`: adds terms to the scores that depend on queries and keys.
class ContentEncoding : public Encoding, public ContentBias {
 public:
  ContentEncoding() { interfaces_.content_bias = this; }
  static constexpr Injection kInjection = Injection::score_content;
  Injection injection() const final { return kInjection; }
};

/// Injection point `key_value`: adds terms to the scores like ContentEncoding. For query i, also
/// adds aV(i, j), a vector that depends on both positions, to value j.
class KeyValueEncoding : public Encoding, public ContentBias {
 public:
  KeyValueEncoding() {
    interfaces_.content_bias = this;
    interfaces_.value_bias = this;
  }
  static constexpr Injection kInjection = Injection::key_value;
  Injection injection() const final { return kInjection; }

  /// Adds sum_j weights(i, j) aV(i, j) to each row i of output (rows, v_head_dim). weights is
  /// (rows, keys)
  virtual void add_values(int head, Positions queries, Positions keys, ConstMatrixRef weights,
                          MatrixRef output) const = 0;
  /// Adds to d_weights (rows, keys) and the gradients of the parameters.
  virtual void values_backward(int head, Positions queries, Positions keys, ConstMatrixRef weights,
                               ConstMatrixRef d_output, MatrixRef d_weights) = 0;
};

/// Base class for encodings without learned parameters: defines parameters() and the functions that
/// add to parameter gradients. `Base` is TableEncoding, QueryKeyEncoding or ScoreEncoding.
template <class Base>
class Parameterless;

template <std::derived_from<TableEncoding> Base>
class Parameterless<Base> : public Base {
 public:
  std::vector<Parameter*> parameters() final { return {}; }
  void table_backward(Positions, ConstMatrixRef) final {}
};

template <std::derived_from<QueryKeyEncoding> Base>
class Parameterless<Base> : public Base {
 public:
  std::vector<Parameter*> parameters() final { return {}; }
};

template <std::derived_from<ScoreEncoding> Base>
class Parameterless<Base> : public Base {
 public:
  std::vector<Parameter*> parameters() final { return {}; }
  void bias_backward(int, Positions, Positions, ConstMatrixRef) final {}
};

}  // namespace phasor
