#pragma once
// For figures: how a number that attention uses is computed, step by step. Encodings include this
// header, so that it only declares the types of attention.

#include <string_view>
#include <vector>

#include "phasor/content_bias.h"
#include "phasor/result.h"

namespace phasor {

struct AttentionConfig;

/// One step on the way to a bias: what it is called ("bucket", "slope"), and its value in double.
struct Step {
  std::string_view name;
  double value;
};

/// An encoding that can show how its term is computed for one pair.
class ExplainableBias {
 public:
  /// The steps after the distance, the term in double last. `pair` has one query and one key.
  virtual std::vector<Step> steps(const ContentTile& pair) const = 0;

 protected:
  ~ExplainableBias() = default;
};

/// How the term that an encoding adds to the score of one query and one key is computed.
struct BiasExplanation {
  /// "distance" (key - query) first, the term itself, formed in double, last
  std::vector<Step> steps;
  double bias = 0;          ///< the term as attention adds it
  double max_abs_diff = 0;  ///< difference of the two: rounding
};

/// The steps for query number `query` and key number `key` of head `head`, for q and k as attention
/// takes them, without a batch. Rejected for an encoding that adds no term, or has no steps to show
/// (one that sees whole rows).
Result<BiasExplanation> explain_bias(const Tensor& q, const Tensor& k,
                                     const AttentionConfig& config, int head, int query, int key);

/// One row of attention, step by step in double. Tensors are (keys).
struct SoftmaxExplanation {
  Tensor product;           ///< q.k of query and key as the encoding has transformed them
  Tensor scaled;            ///< times the scale
  Tensor bias;              ///< what the encoding adds
  Tensor score;             ///< their sum, capped; -infinity where the mask hides the key
  Tensor exponential;       ///< e^(score - row_max), 0 where hidden
  Tensor weight;            ///< exponential / row_sum
  double scale = 1;         ///< the factor on q.k
  double row_max = 0;       ///< the largest score or sink; -infinity in a row that sees neither
  double row_sum = 0;       ///< of the exponentials, that of the sink among them
  double sink_weight = 0;   ///< the weight of the sink; 0 without one
  double max_abs_diff = 0;  ///< how far the weights are from those of attention(): rounding
};

/// The row of query number `query` in head `head`, for q and k as attention takes them, without a
/// batch.
Result<SoftmaxExplanation> explain_softmax(const Tensor& q, const Tensor& k,
                                           const AttentionConfig& config, int head, int query);

}  // namespace phasor
