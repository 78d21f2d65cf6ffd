#pragma once
// Options of attention other than the mask and the encoding. After an optional norm of queries and
// keys, weights are computed in this order: scale * q.k, the soft cap, the terms of the encoding,
// attn_bias, the mask, the softmax with sinks.

#include <optional>

#include "phasor/tensor.h"

namespace phasor {

/// Normalises queries and keys per token, and multiplies them by learned weights (Henry et al.
/// 2020, arXiv 2010.04245). A vector x of n channels becomes
///   rms    x / sqrt(mean(x^2) + eps), as in Qwen 3 and Gemma 3;
///   layer  (x - mean(x)) / sqrt(mean((x - mean(x))^2) + eps);
///   l2     x / max(|x|, eps), whose scores need a `scale` (10 in x-transformers).
/// The zero vector stays zero.
struct QkNorm {
  enum class Norm { rms, layer, l2 };
  enum class Over {
    head,       ///< over the channels of each head
    all_heads,  ///< over all heads of a token as one vector (OLMo 2)
  };
  enum class WeightForm {
    plain,
    one_plus,  ///< times 1 + weight (Gemma)
  };
  /// Whether the norm precedes or follows the encoding. For rms and l2, the order relative to a
  /// rotation matters only if the weights of channels differ.
  enum class Order { before_encoding, after_encoding };

  Norm norm = Norm::rms;
  Over over = Over::head;
  WeightForm weight_form = WeightForm::plain;
  Order order = Order::before_encoding;
  /// eps of the formulas above, from 0 to 1; default: 1e-6 (rms), 1e-5 (layer) or 1e-12 (l2)
  std::optional<double> eps{};
  /// (head_dim), or for Over::all_heads (heads * head_dim) and (kv_heads * head_dim); empty: the
  /// norm has no weight
  Tensor q_weight{}, k_weight{};

  double epsilon() const;
};

/// How to compute the distance from a query to a sink token outside the query's window.
enum class SinkPositions {
  original,  ///< their own positions, at distance i - j
  /// positions in a cache that contains only the sink tokens and the window, at distance min(i,
  /// sink_tokens + window - 1) - j
  cache,
};

/// Options of attention that layers and caches also accept. All are off by default.
struct AttentionOptions {
  /// (heads): a learned logit per query head, included in every row's softmax: weight j is e^s_j /
  /// (e^sink + sum e^s). The sink is not scaled or masked, and has no key or value. The weights of
  /// a row sum to 1 minus the sink's weight; a row without a visible key has output 0 and sink
  /// weight 1. With a logit of -infinity this is exactly the ordinary softmax, with 0 the "softmax
  /// off by one" (Miller 2023). gpt-oss learns the logits (arXiv 2508.10925).
  Tensor sinks{};
  /// Scores scale * q.k become c tanh(scale * q.k / c), within [-c, c], where the soft cap c is
  /// from 1e-30 to 1e30. Gemma 2 uses 50 (arXiv 2408.00118). An encoding whose terms depend on
  /// scale * q.k (CoPE) reads the uncapped product.
  std::optional<double> softcap{};
  /// If true, the soft cap also applies to the terms of the encoding and to attn_bias, as in
  /// x-transformers
  bool cap_includes_bias = false;
  std::optional<QkNorm> qk_norm{};
  /// The keys at positions 0 to sink_tokens - 1 stay visible outside the window, unless they are
  /// masked. StreamingLLM uses 4 (arXiv 2309.17453). Requires a window; positions start at 0.
  int sink_tokens = 0;
  /// `cache` numbers positions within the cache, as StreamingLLM does. Requires causal attention
  /// and a relative encoding that rotates queries and keys or adds a bias. A query sees sink_tokens
  /// + window keys, including its own.
  SinkPositions sink_positions = SinkPositions::original;
  /// If true, results are bitwise equal on every machine (four lanes, no fused multiply-add), at
  /// about a fifth of the speed. If false, attention uses the widest vectors available, so the last
  /// bits of results may differ between machines. WebAssembly is always portable. In the backward
  /// pass this option selects only the kernels for scores; gradients are always portable.
  bool portable = false;
  /// Maximum number of threads for the forward pass and decoding, 1 to 256. All calls share one
  /// thread pool. Results do not depend on the number. WebAssembly uses one thread; decoding uses
  /// at most kv_heads threads.
  int threads = 1;
};

/// Gradients of the learned tensors in AttentionOptions, summed over the batch. Each has the shape
/// of its option, and is empty if the option is not set.
struct OptionGradients {
  Tensor sinks;               ///< (heads); 0 where the sink is -infinity
  Tensor q_weight, k_weight;  ///< of QkNorm
};

}  // namespace phasor
