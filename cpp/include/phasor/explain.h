#pragma once
// Step-by-step computations of scores and attention weights, for figures.

#include <string_view>
#include <vector>

#include "phasor/content_bias.h"
#include "phasor/result.h"

namespace phasor {

struct AttentionConfig;

/// A named step in the computation of a bias, such as "bucket" or "slope".
struct Step {
  std::string_view name;
  double value;
};

/// An encoding that can explain the term that it adds to the score of one query and one key.
class ExplainableBias {
 public:
  /// The steps after "distance"; the last one is the term itself. `pair` contains one query and one
  /// key.
  virtual std::vector<Step> steps(const ContentTile& pair) const = 0;

 protected:
  ~ExplainableBias() = default;
};

/// The computation of the term that an encoding adds to the score of one query and one key.
struct BiasExplanation {
  /// The steps from "distance" (key - query) to the term itself, computed in double
  std::vector<Step> steps;
  double bias = 0;          ///< the term that attention adds
  double max_abs_diff = 0;  ///< rounding error: |bias - last step|
};

/// Explains the term that the encoding adds to the score of one query and one key in one head. q
/// and k are as in attention(), without a batch axis. Rejects encodings that add no such term, or
/// whose term needs all keys of a row.
Result<BiasExplanation> explain_bias(const Tensor& q, const Tensor& k,
                                     const AttentionConfig& config, int head, int query, int key);

/// The steps from q.k to the attention weights of one query, computed in double. All tensors have
/// shape (keys).
struct SoftmaxExplanation {
  Tensor product;      ///< q.k after the encoding's transform
  Tensor scaled;       ///< product times scale
  Tensor bias;         ///< the encoding's term
  Tensor score;        ///< scaled + bias, capped; -infinity if masked
  Tensor exponential;  ///< e^(score - row_max); 0 if masked
  Tensor weight;       ///< exponential / row_sum
  double scale = 1;    ///< scale applied to q.k
  /// The largest score, including the sink; -infinity without a visible key or sink
  double row_max = 0;
  double row_sum = 0;       ///< sum of the exponentials, including the sink's
  double sink_weight = 0;   ///< weight of the sink; 0 without one
  double max_abs_diff = 0;  ///< rounding error: largest difference from the weights of attention()
};

/// Explains one row of the softmax: the attention weights of one query in one head. q and k are as
/// in attention(), without a batch axis.
Result<SoftmaxExplanation> explain_softmax(const Tensor& q, const Tensor& k,
                                           const AttentionConfig& config, int head, int query);

}  // namespace phasor
