#pragma once
// Per-token inputs of an attention call: gates, steps or vectors that the model computes from the
// tokens. They are passed alongside q, k and v, with the same batch axis. A cache stores them with
// its keys, and the backward pass returns their gradients under the same names.

#include <limits>
#include <string_view>

#include "phasor/ordered_map.h"
#include "phasor/result.h"
#include "phasor/tensor.h"

namespace phasor {

enum class Role;

/// Token tensors by name. Attention itself reads log_gates, the logarithms of forget gates. The
/// score of a query and a key increases by the sum of log_gates over the tokens after the key, up
/// to and including the query (Lin et al. 2025, arXiv 2503.02130).
using TokenTensors = OrderedMap<Tensor>;

/// A token tensor that an encoding reads.
struct TokenTensorInfo {
  std::string_view name{};
  /// Comma-separated axes, such as "heads, tokens": heads, kv_heads, tokens, dim or pairs (half of
  /// dim). The second axis is always tokens
  const char* shape = "";
  double min = -std::numeric_limits<double>::infinity();  ///< smallest allowed value
  double max = std::numeric_limits<double>::infinity();   ///< largest allowed value
  bool optional = false;                                  ///< may be omitted from calls
  std::string_view summary{};                             ///< one-line description
};

/// Computes token tensors from a layer's input x (tokens, embed_dim), with the encoding's
/// parameters.
class TokenProjections {
 public:
  virtual Status project(ConstMatrixRef x, TokenTensors& out) const = 0;
  /// True if a token's tensors depend on earlier tokens. Layers then reject packed sequences.
  virtual bool reads_earlier_tokens() const { return false; }
  /// Adds the gradient of x to d_x (tokens, embed_dim), and the gradients of the parameters to the
  /// existing ones. `projected` is the result of project(), and d_projected is its gradient.
  virtual void project_backward(ConstMatrixRef x, const TokenTensors& projected,
                                const TokenTensors& d_projected, MatrixRef d_x) = 0;

 protected:
  ~TokenProjections() = default;
};

/// Transforms queries and keys, using token tensors.
class TokenTransform {
 public:
  /// Transforms x (heads, tokens, head_dim) in place; its first token has index `first` in
  /// `tokens`.
  virtual void transform(Role role, const TokenTensors& tokens, int first, Tensor& x) const = 0;
  /// Replaces d_x, the gradient of the transformed x, with the gradient of x. `x` is the input of
  /// transform(). Adds the gradients of the token tensors to d_tokens.
  virtual void transform_backward(Role role, const TokenTensors& tokens, int first, const Tensor& x,
                                  Tensor& d_x, TokenTensors& d_tokens) const = 0;

 protected:
  ~TokenTransform() = default;
};

}  // namespace phasor
