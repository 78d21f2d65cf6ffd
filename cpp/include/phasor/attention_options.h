#pragma once
// What attention may do beside its mask and its encoding. A row is formed in this order: scale *
// q.k, then the soft cap, then what the encoding adds, then the mask, then a softmax with sinks.

#include <optional>

#include "phasor/tensor.h"

namespace phasor {

/// Options of attention, of a layer and of a cache. Each is off unless it is given.
struct AttentionOptions {
  /// (heads): a learned logit of each query head, which is one more entry of the softmax in every
  /// row: weight j is e^s_j / (e^sink + sum e^s). It is not scaled, never masked, and has no key
  /// and no value, so that the weights of a row sum to 1 less the weight of the sink, and a row
  /// that sees no key has output 0 and sink weight 1. Finite, or -infinity, which is the ordinary
  /// softmax to the bit; 0 is the "softmax off by one" (Miller 2023). gpt-oss, arXiv 2508.10925.
  Tensor sinks{};
  /// Scores of scale * q.k become c tanh(scale * q.k / c), which never leaves [-c, c], from 1e-30
  /// to 1e30. Gemma 2, arXiv 2408.00118, whose attention has 50. An encoding whose terms depend on
  /// scale * q.k (CoPE) sees it capped.
  std::optional<double> softcap{};
  /// The cap is around what the encoding adds too, as in x-transformers
  bool cap_includes_bias = false;
};

/// Gradients of a loss with respect to what is learned in the options. Summed over a batch; each
/// has the shape of what was given, and is empty where nothing was.
struct OptionGradients {
  Tensor sinks;  ///< (heads); 0 where the sink is -infinity
};

}  // namespace phasor
