#pragma once
// The base class of all positional encodings. encoding.h has a derived class per injection point.

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

/// The role of a transformed vector. XPos transforms queries and keys differently.
enum class Role { query, key };

/// Gradients of an encoding's learned parameters by name, in the shapes of the parameters.
using Gradients = OrderedMap<Tensor>;

/// The size of a tile of scores. `distances` is queries + keys - 1 if positions are consecutive,
/// otherwise queries * keys.
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

/// An encoding with its parameters, created by create_encoding() or defined by the user. It can be
/// used for any number of calls. A user-defined encoding derives from one of the classes of
/// encoding.h and defines its functions; that class determines the injection point. Threads may
/// share a const Encoding (phasor.h): const functions have no side effects and store nothing
/// between calls.
class Encoding {
 public:
  Encoding() = default;
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;
  virtual ~Encoding() = default;

  virtual Injection injection() const = 0;
  /// Name in error messages; set by create_encoding().
  std::string_view id = "the encoding";
  /// The sizes passed to create_encoding(). User-defined classes leave this empty and check sizes
  /// themselves.
  std::optional<EncodingDims> dims{};

  /// The encoding's scale for q.k, if it is not 1 / sqrt(head_dim); T5's is 1. A scale set by the
  /// caller takes precedence.
  virtual std::optional<double> scale(int) const { return {}; }
  /// True if swapping the positions of query and key never changes a score, for any learned
  /// parameters: the encoding cannot distinguish left from right.
  virtual bool symmetric() const { return false; }
  /// True if the formula is undefined for keys after the query; attention then requires a causal
  /// mask.
  virtual bool causal_only() const { return false; }
  /// The encoding's sliding window in tokens, and the number of sink tokens that stay visible
  /// outside it. 0: none. If the call also has a window, both apply.
  struct SlidingWindow {
    int size = 0, sink_tokens = 0;
  };
  virtual SlidingWindow sliding_window() const { return {}; }
  /// The token tensors that a call must provide; set by create_encoding().
  std::span<const TokenTensorInfo> token_tensors{};
  /// Scale applied to sums of log_gates. The argument is the scale applied to q.k.
  virtual double gate_factor(double) const { return 1; }

  /// Rejects unsupported positions, such as those past the end of a learned table.
  virtual Status check_positions(Positions) const { return {}; }
  /// Rejects unsupported distances, such as those beyond a table.
  virtual Status check_distances(Positions, Positions) const { return {}; }

  /// Learned parameters, owned by the encoding.
  virtual std::vector<Parameter*> parameters() = 0;
  std::vector<const Parameter*> parameters() const {
    const std::vector<Parameter*> mutable_parameters = const_cast<Encoding*>(this)->parameters();
    return {mutable_parameters.begin(), mutable_parameters.end()};
  }
  /// Recomputes data derived from parameters. Call it after changing their values. Rejects a value
  /// whose shape is not Parameter::initial_shape.
  Status parameters_changed();

  /// Upper bound, in bytes, on the working memory of the content terms of one tile, forward or
  /// backward. Callers check it in advance, because a failed allocation ends the program.
  virtual double working_bytes(const TileSizes&) const { return 0; }

  /// The interfaces that this encoding implements; nullptr for the others.
  const TableEncoding* as_table() const { return interfaces_.table; }
  const SinusoidalTable* as_sinusoidal() const { return interfaces_.sinusoidal; }
  const QueryKeyEncoding* as_query_key() const { return interfaces_.query_key; }
  const RotaryEncoding* as_rotation() const { return interfaces_.rotation; }
  const ScoreEncoding* as_score_bias() const { return interfaces_.score_bias; }
  const ContentBias* as_content_bias() const { return interfaces_.content_bias; }
  const KeyValueEncoding* as_value_bias() const { return interfaces_.value_bias; }
  /// Explains the encoding's terms step by step; nullptr if not implemented.
  const ExplainableBias* as_explainable() const { return interfaces_.explainable; }

  TableEncoding* as_table() { return interfaces_.table; }
  QueryKeyEncoding* as_query_key() { return interfaces_.query_key; }
  ScoreEncoding* as_score_bias() { return interfaces_.score_bias; }
  ContentBias* as_content_bias() { return interfaces_.content_bias; }
  KeyValueEncoding* as_value_bias() { return interfaces_.value_bias; }
  /// Computes token tensors from a layer's input; nullptr if not implemented.
  TokenProjections* as_projections() { return interfaces_.projections; }
  const TokenProjections* as_projections() const { return interfaces_.projections; }
  /// The encoding's own dot product; nullptr if it uses the standard one.
  const CustomDotProduct* as_custom_dot_product() const { return interfaces_.products; }
  /// The encoding's head-mixing terms; nullptr if it has none.
  const HeadMixing* as_mixing() const { return interfaces_.mixing; }
  HeadMixing* as_mixing() { return interfaces_.mixing; }
  /// True if the encoding's terms depend on scale * q.k, or on queries and keys.
  bool is_content_dependent() const {
    return interfaces_.content_bias != nullptr || interfaces_.mixing != nullptr;
  }
  /// The encoding's transform of queries and keys by token tensors; nullptr if it has none.
  const TokenTransform* as_token_transform() const { return interfaces_.token_transform; }

 protected:
  /// Called by parameters_changed(). Override this if the encoding stores data derived from
  /// parameters.
  virtual Status recompute() { return {}; }
  /// The interfaces that this encoding implements, set in constructors; nullptr for the others.
  /// Each is this object or a part of it: `forgetting` sets query_key to its own rotation.
  struct Interfaces {
    TableEncoding* table = nullptr;
    const SinusoidalTable* sinusoidal = nullptr;
    QueryKeyEncoding* query_key = nullptr;
    const RotaryEncoding* rotation = nullptr;
    ScoreEncoding* score_bias = nullptr;
    /// Also set for a ScoreEncoding with content terms, which are added before its bias (weighted
    /// KERPLE)
    ContentBias* content_bias = nullptr;
    KeyValueEncoding* value_bias = nullptr;
    const ExplainableBias* explainable = nullptr;
    TokenProjections* projections = nullptr;
    const CustomDotProduct* products = nullptr;
    const TokenTransform* token_transform = nullptr;
    HeadMixing* mixing = nullptr;
  };
  Interfaces interfaces_{};
};

}  // namespace phasor
