#pragma once
// The part of the interface that all positional encodings share. encoding.h has a class for each
// injection point, from which encodings derive.

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

/// Whether a transformed vector is a query or a key (XPos treats them differently).
enum class Role { query, key };

/// Gradients of the learned parameters of an encoding, by name; shapes are those of the parameters.
using Gradients = OrderedMap<Tensor>;

/// The size of a tile of scores. A tile has queries + keys - 1 distances if both are consecutive,
/// else one per pair.
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

/// An encoding with its parameters, from create_encoding() or a class of the caller, for any number
/// of calls. Every encoding derives from one of the classes of encoding.h, whose functions it must
/// define; the injection point follows from the class. Threads may share a const Encoding
/// (phasor.h): const functions have no side effects and store nothing between calls.
class Encoding {
 public:
  Encoding() = default;
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;
  virtual ~Encoding() = default;

  virtual Injection injection() const = 0;
  /// Its name in error messages; create_encoding() sets it.
  std::string_view id = "the encoding";
  /// The sizes that create_encoding() was called with; none for a class of the caller, which checks
  /// sizes itself.
  std::optional<EncodingDims> dims{};

  /// The factor on q.k that the method defines instead of 1 / sqrt(head_dim) (T5: 1). A caller's
  /// scale has priority.
  virtual std::optional<double> scale(int) const { return {}; }
  /// True if swapping the positions of query and key never changes a score, whatever the learned
  /// parameters: the method cannot distinguish left from right.
  virtual bool symmetric() const { return false; }
  /// The formula is undefined for keys after the query, so attention requires a causal mask.
  virtual bool causal_only() const { return false; }
  /// The window of the method, in tokens, which attention intersects with the window of the call,
  /// and the sink tokens that stay visible outside it. 0: none.
  struct SlidingWindow {
    int size = 0, sink_tokens = 0;
  };
  virtual SlidingWindow sliding_window() const { return {}; }
  /// The token tensors that a call must provide; create_encoding() sets it, like `id`.
  std::span<const TokenTensorInfo> token_tensors{};
  /// The factor on sums of log_gates, if it is not 1. scale: the factor on q.k
  virtual double gate_factor(double) const { return 1; }

  /// Rejects unsupported positions (beyond a learned table).
  virtual Status check_positions(Positions) const { return {}; }
  /// Rejects unsupported distances (beyond a table of distances).
  virtual Status check_distances(Positions, Positions) const { return {}; }

  /// Learned parameters, owned by the encoding; empty for a formula.
  virtual std::vector<Parameter*> parameters() = 0;
  std::vector<const Parameter*> parameters() const {
    const std::vector<Parameter*> all = const_cast<Encoding*>(this)->parameters();
    return {all.begin(), all.end()};
  }
  /// Must be called after values of parameters change: recomputes what depends on them. Rejects
  /// values of another shape than create_encoding() made.
  Status parameters_changed();

  /// Upper bound in bytes of the working memory of content terms, forward or backward, for a tile
  /// of this size. It is checked before the work begins, because a failed allocation ends the
  /// program.
  virtual double working_bytes(const TileSizes&) const { return 0; }

  /// The class of its injection point; nullptr for others.
  const TableEncoding* as_table() const { return interfaces_.table; }
  const SinusoidalTable* as_sinusoidal() const { return interfaces_.waves; }
  const QueryKeyEncoding* as_query_key() const { return interfaces_.query_key; }
  const RotaryEncoding* as_rotation() const { return interfaces_.rotation; }
  const ScoreEncoding* as_score_bias() const { return interfaces_.score_bias; }
  const ContentBias* as_content_bias() const { return interfaces_.content_bias; }
  const KeyValueEncoding* as_value_bias() const { return interfaces_.value_bias; }
  /// For figures: the steps of its term, if it can explain them.
  const ExplainableBias* as_explainable() const { return interfaces_.stepped; }

  TableEncoding* as_table() { return interfaces_.table; }
  QueryKeyEncoding* as_query_key() { return interfaces_.query_key; }
  ScoreEncoding* as_score_bias() { return interfaces_.score_bias; }
  ContentBias* as_content_bias() { return interfaces_.content_bias; }
  KeyValueEncoding* as_value_bias() { return interfaces_.value_bias; }
  /// How a layer computes its token tensors.
  TokenProjections* as_projections() { return interfaces_.projections; }
  const TokenProjections* as_projections() const { return interfaces_.projections; }
  /// Its replacement of the dot product.
  const CustomDotProduct* as_custom_dot_product() const { return interfaces_.products; }
  /// Its terms that mix the scores of all heads.
  const HeadMixing* as_mixing() const { return interfaces_.mixing; }
  HeadMixing* as_mixing() { return interfaces_.mixing; }
  /// True if its terms depend on scale * q.k, or on queries and keys.
  bool is_content_dependent() const {
    return interfaces_.content_bias != nullptr || interfaces_.mixing != nullptr;
  }
  /// How its token tensors transform queries and keys.
  const TokenTransform* as_token_transform() const { return interfaces_.token_transform; }

 protected:
  /// Recomputes what depends on parameters.
  virtual Status recompute() { return {}; }
  /// This object as the class of its injection point: set once, by the constructors of those
  /// classes.
  struct Interfaces {
    TableEncoding* table = nullptr;
    const SinusoidalTable* waves = nullptr;
    QueryKeyEncoding* query_key = nullptr;
    const RotaryEncoding* rotation = nullptr;
    ScoreEncoding* score_bias = nullptr;
    /// A score encoding may have content terms too: they change the scores before the bias is added
    /// (weighted KERPLE).
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
