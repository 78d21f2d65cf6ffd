#pragma once
// The interface of a positional encoding: where it enters attention, and an interface for each
// place of entry. Every encoding is one file in cpp/src/encodings; this header is all that
// attention knows about any of them.

#include <concepts>
#include <vector>

#include "phasor/encoding_base.h"

namespace phasor {

/// none
class NoEncoding : public Encoding {
 public:
  static constexpr Injection kInjection = Injection::none;
  Injection injection() const final { return kInjection; }
  std::vector<Parameter*> parameters() final { return {}; }
};

/// input: a row for each position.
class TableEncoding : public Encoding {
 public:
  TableEncoding() { interfaces_.table = this; }
  static constexpr Injection kInjection = Injection::input;
  Injection injection() const final { return kInjection; }

  /// How many channels the table has; most have `dim`, and others have a number
  /// of their own.
  virtual int table_dim(int dim) const { return dim; }
  /// Writes the row of each position. out (positions, dim)
  virtual void table(Positions positions, MatrixRef out) const = 0;
  /// Adds to the gradients of the parameters. d_out (positions, dim) is dL/d(table)
  virtual void table_backward(Positions positions, ConstMatrixRef d_out) = 0;
};

/// A table of sines and cosines.
class SinusoidalTable : public TableEncoding {
 public:
  SinusoidalTable() { interfaces_.waves = this; }
  /// For figures: the waves that the channels of the table are, for positions of one coordinate.
  virtual std::vector<Sinusoid> waves(int dim) const = 0;
};

/// query_key: a map of each token of every head, by its position.
class QueryKeyEncoding : public Encoding {
 public:
  QueryKeyEncoding() { interfaces_.query_key = this; }
  static constexpr Injection kInjection = Injection::query_key;
  Injection injection() const final { return kInjection; }

  /// The channels of a transformed query or key.
  virtual int transformed_dim(int dim) const { return dim; }
  /// True if the transform is one matrix per position.
  virtual bool is_linear() const { return true; }
  /// Transforms token t by positions[t], in place. x (heads, positions, head_dim), which gets
  /// another shape where dim changes
  virtual void transform(Role role, Positions positions, Tensor& x) const = 0;
  /// On entry d_x is dL/d(transformed x), on exit dL/dx. Adds to the gradients of the parameters.
  /// x: as before the transform; not read by a linear map without parameters
  virtual void transform_backward(Role role, Positions positions, const Tensor& x, Tensor& d_x) = 0;

  /// At most how many bytes it allocates to transform x or its gradient: what it works in, and a
  /// result of another dim.
  double transform_bytes(const Tensor& x) const;
};

/// Rotates pairs of channels.
class RotaryEncoding : public QueryKeyEncoding {
 public:
  RotaryEncoding() { interfaces_.rotation = this; }
  /// How many pairs of channels rotate.
  virtual int pairs() const = 0;
  /// For figures: the angle of each pair in radians, formed in double. out (positions, pairs)
  virtual void angles(Positions positions, MatrixRef out) const = 0;
  /// Their frequencies where a description of context extension can change them; empty for all
  /// others.
  virtual Frequencies frequencies() const { return {}; }
  /// The distances at which it turns, where they are not i - j.
  virtual Remap remap() const { return {}; }
};

/// score: a bias for every pair of positions.
class ScoreEncoding : public Encoding {
 public:
  ScoreEncoding() { interfaces_.score_bias = this; }
  static constexpr Injection kInjection = Injection::score;
  Injection injection() const final { return kInjection; }

  /// Adds the bias of one head to a tile of scores. tile (queries, keys); position of row r is
  /// queries[r].
  virtual void add_bias(int head, Positions queries, Positions keys, MatrixRef tile) const = 0;
  /// The bias depends on the difference of the two positions alone, so that it need not be found
  /// for every pair.
  virtual bool is_toeplitz() const { return false; }
  /// Adds to the gradients of the parameters. d_tile (queries, keys) is dL/d(bias)
  virtual void bias_backward(int head, Positions queries, Positions keys,
                             ConstMatrixRef d_tile) = 0;
};

/// score_content: terms that depend on queries and keys.
class ContentEncoding : public Encoding, public ContentBias {
 public:
  ContentEncoding() { interfaces_.content_bias = this; }
  static constexpr Injection kInjection = Injection::score_content;
  Injection injection() const final { return kInjection; }
};

/// key_value: the same, and vectors aV(i, j) added to the values that query i sees.
class KeyValueEncoding : public Encoding, public ContentBias {
 public:
  KeyValueEncoding() {
    interfaces_.content_bias = this;
    interfaces_.value_bias = this;
  }
  static constexpr Injection kInjection = Injection::key_value;
  Injection injection() const final { return kInjection; }

  /// Adds sum_j weights(i, j) aV(i, j) to each output row. weights (rows, keys), output (rows,
  /// v_head_dim)
  virtual void add_values(int head, Positions queries, Positions keys, ConstMatrixRef weights,
                          MatrixRef output) const = 0;
  /// Adds to d_weights (rows, keys) and the gradients of the parameters.
  virtual void values_backward(int head, Positions queries, Positions keys, ConstMatrixRef weights,
                               ConstMatrixRef d_output, MatrixRef d_weights) = 0;
};

/// A TableEncoding, QueryKeyEncoding or ScoreEncoding without learned parameters: it defines the
/// functions about them. A class that does not derive from it must define its parameters and their
/// gradients.
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
