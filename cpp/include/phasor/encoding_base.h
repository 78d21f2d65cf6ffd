#pragma once
// The part of the interface that all positional encodings share, wherever they enter attention.
// encoding.h has a class for each place of entry, from which encodings derive.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "phasor/content_bias.h"
#include "phasor/custom_dot_product.h"
#include "phasor/encoding_config.h"
#include "phasor/head_mixing.h"
#include "phasor/ordered_map.h"
#include "phasor/parameter.h"
#include "phasor/positions.h"
#include "phasor/rope.h"
#include "phasor/sinusoid.h"
#include "phasor/status.h"
#include "phasor/tensor.h"
#include "phasor/token_tensors.h"

namespace phasor {

/// Whether a vector that is transformed is a query or a key (XPos treats them differently).
enum class Role { query, key };

/// Gradients of the learned parameters of an encoding, by name; shapes are those of the parameters.
using Gradients = OrderedMap<Tensor>;

/// How large a tile of scores is. A tile has queries + keys - 1 distances where both are
/// consecutive, else one for each pair.
struct TileSizes {
  int queries, keys, distances, head_dim, v_head_dim;
};

class ExplainableBias;
class TableEncoding;
class SinusoidalTable;
class QueryKeyEncoding;
class RotaryEncoding;
class ScoreEncoding;
class KeyValueEncoding;

/// An encoding with its parameters: made once, by create_encoding() or by a caller's own class, and
/// used for any number of calls. Every encoding is of one of the classes below, whose functions it
/// must define; the injection point follows from the class. Threads may share a const Encoding
/// (phasor.h): a const function changes nothing, and so keeps nothing for the next call.
class Encoding {
 public:
  Encoding() = default;
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;
  virtual ~Encoding() = default;

  virtual Injection injection() const = 0;
  /// Its name in error messages; create_encoding() sets it.
  std::string_view id = "the encoding";
  /// The sizes that create_encoding() was called with; none of a caller's own class, which checks
  /// by itself.
  std::optional<EncodingDims> dims{};

  /// The factor on q.k that belongs to the method, where it is not 1 / sqrt(head_dim) (T5: 1). A
  /// caller's scale wins.
  virtual std::optional<double> scale(int) const { return {}; }
  /// Whether the score of a query at i against a key at j stays the same when the two positions are
  /// swapped and the contents stay, whatever the learned parameters: the method cannot tell left
  /// from right.
  virtual bool symmetric() const { return false; }
  /// It only looks back: its formula has no answer for keys behind the query, so that attention
  /// needs a causal mask.
  virtual bool causal_only() const { return false; }
  /// A window that belongs to the method, in tokens, which attention intersects with the window of
  /// the call, and the first tokens that stay visible outside it. 0: none.
  struct SlidingWindow {
    int size = 0, sink_tokens = 0;
  };
  virtual SlidingWindow sliding_window() const { return {}; }
  /// The tensors that a call must provide per token; create_encoding() sets it, as it sets `id`.
  std::span<const TokenTensorInfo> token_tensors{};
  /// The factor on sums of log_gates, where it is not 1. scale: the factor on q.k
  virtual double gate_factor(double) const { return 1; }

  /// Rejects positions the encoding has no answer for (past the end of a learned table).
  virtual Status check_positions(Positions) const { return {}; }
  /// Rejects pairs it has no answer for (a distance past the end of a table of distances).
  virtual Status check_distances(Positions, Positions) const { return {}; }

  /// Learned parameters, which belong to the encoding; none of a formula.
  virtual std::vector<Parameter*> parameters() = 0;
  std::vector<const Parameter*> parameters() const {
    const std::vector<Parameter*> all = const_cast<Encoding*>(this)->parameters();
    return {all.begin(), all.end()};
  }
  /// Call it after changing values of parameters: what was computed from them is computed again.
  /// Rejects values of another shape than create_encoding() made.
  Status parameters_changed();

  /// At most how many bytes its content terms allocate to work in, forward or backward, for a tile
  /// of such sizes. They are tried before the work begins, because an allocation that fails in its
  /// middle ends the program.
  virtual double working_bytes(const TileSizes&) const { return 0; }

  /// The class for its place of entry; nullptr where it does nothing there.
  const TableEncoding* as_table() const { return interfaces_.table; }
  const SinusoidalTable* as_sinusoidal() const { return interfaces_.waves; }
  const QueryKeyEncoding* as_query_key() const { return interfaces_.query_key; }
  const RotaryEncoding* as_rotation() const { return interfaces_.rotation; }
  const ScoreEncoding* as_score_bias() const { return interfaces_.score_bias; }
  const ContentBias* as_content_bias() const { return interfaces_.content_bias; }
  const KeyValueEncoding* as_value_bias() const { return interfaces_.value_bias; }
  /// For figures: how its term is computed, where it can show that.
  const ExplainableBias* as_explainable() const { return interfaces_.stepped; }

  TableEncoding* as_table() { return interfaces_.table; }
  QueryKeyEncoding* as_query_key() { return interfaces_.query_key; }
  ScoreEncoding* as_score_bias() { return interfaces_.score_bias; }
  ContentBias* as_content_bias() { return interfaces_.content_bias; }
  KeyValueEncoding* as_value_bias() { return interfaces_.value_bias; }
  /// How a layer makes its token tensors.
  TokenProjections* as_projections() { return interfaces_.projections; }
  const TokenProjections* as_projections() const { return interfaces_.projections; }
  /// How it forms products of queries and keys itself.
  const CustomDotProduct* as_custom_dot_product() const { return interfaces_.products; }
  /// How it goes by the scores of all heads.
  const HeadMixing* as_mixing() const { return interfaces_.mixing; }
  HeadMixing* as_mixing() { return interfaces_.mixing; }
  /// Whether what it adds to a score depends on scale * q.k, or on queries and keys.
  bool is_content_dependent() const {
    return interfaces_.content_bias != nullptr || interfaces_.mixing != nullptr;
  }
  /// How its token tensors move queries and keys.
  const TokenTransform* as_token_transform() const { return interfaces_.token_transform; }

 protected:
  /// Computes again what was computed from parameters.
  virtual Status recompute() { return {}; }
  /// Itself, wherever it enters: set once, by the constructors of the classes below.
  struct Interfaces {
    TableEncoding* table = nullptr;
    const SinusoidalTable* waves = nullptr;
    QueryKeyEncoding* query_key = nullptr;
    const RotaryEncoding* rotation = nullptr;
    ScoreEncoding* score_bias = nullptr;
    /// A score encoding may have content terms too: they change the scores before the bias is added
    /// (KERPLE's weighted form).
    ContentBias* content_bias = nullptr;
    KeyValueEncoding* value_bias = nullptr;
    const ExplainableBias* stepped = nullptr;
    TokenProjections* projections = nullptr;
    const CustomDotProduct* products = nullptr;
    const TokenTransform* token_transform = nullptr;
    HeadMixing* mixing = nullptr;
  };
  Interfaces interfaces_{};
};

}  // namespace phasor
