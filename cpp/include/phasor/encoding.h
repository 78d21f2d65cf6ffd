#pragma once
// What a positional encoding is: where it enters attention, and an interface for each place of
// entry. Every encoding is one file in cpp/src/encodings; this header is all that attention knows
// about any of them.

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "phasor/content_bias.h"
#include "phasor/encoding_config.h"
#include "phasor/frequencies.h"
#include "phasor/head_mixing.h"
#include "phasor/key_products.h"
#include "phasor/ordered_map.h"
#include "phasor/parameter.h"
#include "phasor/positions.h"
#include "phasor/remap.h"
#include "phasor/status.h"
#include "phasor/tensor.h"
#include "phasor/token_tensors.h"
#include "phasor/waves.h"

namespace phasor {

/// Whether a vector that is transformed is a query or a key (XPos treats them differently).
enum class Role { query, key };

/// Gradients of the learned parameters of an encoding, by name; shapes are those of the parameters.
using Gradients = OrderedMap<Tensor>;

/// How large a tile of scores is. A tile has queries + keys - 1 distances where both are
/// consecutive, else one for each pair.
struct TileSizes {
  int queries, keys, distances, width, value_width;
};

class SteppedBias;
class TableEncoding;
class WaveTableEncoding;
class QueryKeyEncoding;
class RotaryEncoding;
class ScoreEncoding;
class KeyValueEncoding;

/// An encoding with its parameters: made once, by create() or by a caller's own class, and used for
/// any number of calls. Every encoding is of one of the classes below, whose functions it must
/// define; the injection point follows from the class. Threads may share a const Encoding
/// (phasor.h): a const function changes nothing, and so keeps nothing for the next call.
class Encoding {
 public:
  Encoding() = default;
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;
  virtual ~Encoding() = default;

  virtual Injection injection() const = 0;
  /// Its name in error messages; create() sets it.
  std::string_view id = "the encoding";
  /// The sizes that create() was asked for; none of a caller's own class, which checks by itself.
  std::optional<Geometry> made_for{};

  /// The factor on q.k that belongs to the method, where it is not 1 / sqrt(width) (T5: 1). A
  /// caller's scale wins.
  virtual std::optional<double> scale(int) const { return {}; }
  /// Whether the score of a query at i against a key at j stays the same when the two positions are
  /// swapped and the contents stay, whatever the learned parameters: the method cannot tell left
  /// from right.
  virtual bool symmetric() const { return false; }
  /// It only looks back: its formula has no answer for keys behind the query, so that attention
  /// asks for a causal mask.
  virtual bool causal_only() const { return false; }
  /// First tokens that every query sees, although a window is between them, and the window that
  /// belongs to the method; 0: none.
  struct Sight {
    int sink_tokens = 0, window = 0;
  };
  virtual Sight sight() const { return {}; }
  /// What a call has to bring with its tokens; create() sets it, as it sets `id`.
  std::span<const TokenTensorSpec> token_tensors{};
  /// The factor on sums of log_gates, where it is not 1. scale: the factor on q.k
  virtual double gate_factor(double) const { return 1; }

  /// Refuses positions the encoding has no answer for (past the end of a learned table).
  virtual Status check_positions(Positions) const { return {}; }
  /// Refuses pairs it has no answer for (a distance past the end of a table of distances).
  virtual Status check_distances(Positions, Positions) const { return {}; }

  /// Learned parameters, which belong to the encoding; none of a formula.
  virtual std::vector<Parameter*> parameters() = 0;
  std::vector<const Parameter*> parameters() const {
    const std::vector<Parameter*> all = const_cast<Encoding*>(this)->parameters();
    return {all.begin(), all.end()};
  }
  /// Call it after changing values of parameters: what was computed from them is computed again.
  /// Refuses values of another shape than create() made.
  Status parameters_changed();

  /// At most how many bytes its content terms allocate to work in, forward or backward, for a tile
  /// of such sizes. They are tried before the work begins, because an allocation that fails in its
  /// middle ends the program.
  virtual double working_bytes(const TileSizes&) const { return 0; }

  /// The class for its place of entry; nullptr where it does nothing there.
  const TableEncoding* as_table() const { return enters_.table; }
  const WaveTableEncoding* as_waves() const { return enters_.waves; }
  const QueryKeyEncoding* as_query_key() const { return enters_.query_key; }
  const RotaryEncoding* as_rotation() const { return enters_.rotation; }
  const ScoreEncoding* as_score_bias() const { return enters_.score_bias; }
  const ContentBias* as_content_bias() const { return enters_.content_bias; }
  const KeyValueEncoding* as_value_bias() const { return enters_.value_bias; }
  /// For figures: how its term is computed, where it can show that.
  const SteppedBias* as_stepped() const { return enters_.stepped; }

  TableEncoding* as_table() { return enters_.table; }
  QueryKeyEncoding* as_query_key() { return enters_.query_key; }
  ScoreEncoding* as_score_bias() { return enters_.score_bias; }
  ContentBias* as_content_bias() { return enters_.content_bias; }
  KeyValueEncoding* as_value_bias() { return enters_.value_bias; }
  /// How a layer makes its token tensors.
  TokenProjections* as_projections() { return enters_.projections; }
  const TokenProjections* as_projections() const { return enters_.projections; }
  /// How it forms products of queries and keys itself.
  const ProductEncoding* as_products() const { return enters_.products; }
  /// How it goes by the scores of all heads.
  const HeadMixing* as_mixing() const { return enters_.mixing; }
  HeadMixing* as_mixing() { return enters_.mixing; }
  /// Whether what it adds to a score depends on scale * q.k, or on queries and keys.
  bool reads_content() const {
    return enters_.content_bias != nullptr || enters_.mixing != nullptr;
  }
  /// How its token tensors move queries and keys.
  const TokenTransform* as_token_transform() const { return enters_.token_transform; }

 protected:
  /// Computes again what was computed from parameters.
  virtual Status recompute() { return {}; }
  /// Itself, wherever it enters: said once, by the constructors of the classes below, so that to
  /// ask is to read.
  struct Places {
    TableEncoding* table = nullptr;
    const WaveTableEncoding* waves = nullptr;
    QueryKeyEncoding* query_key = nullptr;
    const RotaryEncoding* rotation = nullptr;
    ScoreEncoding* score_bias = nullptr;
    /// A score encoding may have content terms too: they change the scores before the bias is added
    /// (KERPLE's weighted form).
    ContentBias* content_bias = nullptr;
    KeyValueEncoding* value_bias = nullptr;
    const SteppedBias* stepped = nullptr;
    TokenProjections* projections = nullptr;
    const ProductEncoding* products = nullptr;
    const TokenTransform* token_transform = nullptr;
    HeadMixing* mixing = nullptr;
  };
  Places enters_{};
};

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
  TableEncoding() { enters_.table = this; }
  static constexpr Injection kInjection = Injection::input;
  Injection injection() const final { return kInjection; }

  /// How many channels the table has; most fill the width they are given, and others have a width
  /// of their own.
  virtual int table_width(int width) const { return width; }
  /// Writes the row of each position. out (positions, width)
  virtual void table(Positions positions, MatrixRef out) const = 0;
  /// Adds to the gradients of the parameters. d_out (positions, width) is dL/d(table)
  virtual void table_backward(Positions positions, ConstMatrixRef d_out) = 0;
};

/// A table of sines and cosines.
class WaveTableEncoding : public TableEncoding {
 public:
  WaveTableEncoding() { enters_.waves = this; }
  /// For figures: the waves that the channels of the table are, for positions of one coordinate.
  virtual std::vector<Wave> waves(int width) const = 0;
};

/// query_key: a map of each token of every head, by its position.
class QueryKeyEncoding : public Encoding {
 public:
  QueryKeyEncoding() { enters_.query_key = this; }
  static constexpr Injection kInjection = Injection::query_key;
  Injection injection() const final { return kInjection; }

  /// How wide a transformed query or key is.
  virtual int transformed_width(int width) const { return width; }
  /// A matrix for each position says all that it does.
  virtual bool is_linear() const { return true; }
  /// Transforms token t by positions[t], in place. x (heads, positions, head width), which gets
  /// another shape where the width changes
  virtual void transform(Role role, Positions positions, Tensor& x) const = 0;
  /// On entry d_x is dL/d(transformed x), on exit dL/dx. Adds to the gradients of the parameters.
  /// x: as before the transform; not read by a linear map without parameters
  virtual void transform_backward(Role role, Positions positions, const Tensor& x, Tensor& d_x) = 0;

  /// At most how many bytes it allocates to transform x or its gradient: what it works in, and a
  /// result of another width.
  double transform_bytes(const Tensor& x) const;
};

/// Rotates pairs of channels.
class RotaryEncoding : public QueryKeyEncoding {
 public:
  RotaryEncoding() { enters_.rotation = this; }
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
  ScoreEncoding() { enters_.score_bias = this; }
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
  ContentEncoding() { enters_.content_bias = this; }
  static constexpr Injection kInjection = Injection::score_content;
  Injection injection() const final { return kInjection; }
};

/// key_value: the same, and vectors aV(i, j) added to the values that query i sees.
class KeyValueEncoding : public Encoding, public ContentBias {
 public:
  KeyValueEncoding() {
    enters_.content_bias = this;
    enters_.value_bias = this;
  }
  static constexpr Injection kInjection = Injection::key_value;
  Injection injection() const final { return kInjection; }

  /// Adds sum_j weights(i, j) aV(i, j) to each output row. weights (rows, keys), output (rows,
  /// value width)
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
class Formula;

template <std::derived_from<TableEncoding> Base>
class Formula<Base> : public Base {
 public:
  std::vector<Parameter*> parameters() final { return {}; }
  void table_backward(Positions, ConstMatrixRef) final {}
};

template <std::derived_from<QueryKeyEncoding> Base>
class Formula<Base> : public Base {
 public:
  std::vector<Parameter*> parameters() final { return {}; }
};

template <std::derived_from<ScoreEncoding> Base>
class Formula<Base> : public Base {
 public:
  std::vector<Parameter*> parameters() final { return {}; }
  void bias_backward(int, Positions, Positions, ConstMatrixRef) final {}
};

}  // namespace phasor
