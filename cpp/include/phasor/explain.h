#pragma once
// For figures: the computation of a score, step by step. Encodings include this header, so
// AttentionConfig is only declared.

#include <string_view>
#include <vector>

#include "phasor/content_bias.h"
#include "phasor/result.h"

namespace phasor {

struct AttentionConfig;

/// One step in the computation of a bias: its name ("bucket", "slope"), and its value in double.
struct Step {
  std::string_view name;
  double value;
};

/// An encoding that can explain its term for one pair.
class ExplainableBias {
 public:
  /// The steps after the distance; the last is the term in double. `pair` has one query and one
  /// key.
  virtual std::vector<Step> steps(const ContentTile& pair) const = 0;

 protected:
  ~ExplainableBias() = default;
};

/// The computation of the term that an encoding adds to the score of one query and one key.
struct BiasExplanation {
  /// "distance" (key - query) first, the term itself, formed in double, last
  std::vector<Step> steps;
  double bias = 0;          ///< the term as added by attention
  double max_abs_diff = 0;  ///< difference between `bias` and the last step: rounding
};

/// The steps for query number `query` and key number `key` of head `head`, for unbatched q and k of
/// attention. Rejected for an encoding that adds no such term or has no steps for it (because the
/// term needs whole rows).
Result<BiasExplanation> explain_bias(const Tensor& q, const Tensor& k,
                                     const AttentionConfig& config, int head, int query, int key);

/// One row of attention, step by step in double. Tensors have shape (keys).
struct SoftmaxExplanation {
  Tensor product;      ///< q.k after the encoding's transform
  Tensor scaled;       ///< product times scale
  Tensor bias;         ///< the encoding's term
  Tensor score;        ///< scaled + bias, capped; -infinity if masked
  Tensor exponential;  ///< e^(score - row_max), 0 where hidden
  Tensor weight;       ///< exponential / row_sum
  double scale = 1;    ///< the factor on q.k
  /// The largest score, including the sink; -infinity without a visible key or sink
  double row_max = 0;
  double row_sum = 0;       ///< sum of the exponentials, including the sink's
  double sink_weight = 0;   ///< weight of the sink; 0 without one
  double max_abs_diff = 0;  ///< largest difference from the weights of attention(): rounding
};

/// The row of query number `query` in head `head`, for unbatched q and k of attention.
Result<SoftmaxExplanation> explain_softmax(const Tensor& q, const Tensor& k,
                                           const AttentionConfig& config, int head, int query);

}  // namespace phasor
