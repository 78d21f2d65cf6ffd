#pragma once
// Decoding: a text grows by a token, or a few, and each new one attends to all before it. What was computed is kept.

#include <memory>

#include "phasor/attention.h"

namespace phasor {

struct CacheConfig {
  int heads = 1;
  int kv_heads = 1;     ///< divides heads
  int width = 0;        ///< of a query and a key
  int value_width = 0;  ///< of a value; 0: as wide as a key
  int max_length = 0;   ///< tokens it may ever hold; encodings with a table per position are made for as many
  EncodingConfig encoding{};
  std::optional<int> window{};    ///< as in AttentionConfig
  std::optional<double> scale{};  ///< as in AttentionConfig
  OutputLayout output_layout = OutputLayout::head_major;
};

/// Keys and values of a text so far, already moved by their positions and packed for the product. A step costs time linear in the
/// length, and memory grows with the text.
class KeyValueCache {
 public:
  static Result<std::unique_ptr<KeyValueCache>> create(const CacheConfig& config);
  virtual ~KeyValueCache() = default;

  /// Appends k (kv_heads, new, width) and v (kv_heads, new, value width), and lets q (heads, new, width) attend with a causal mask:
  /// (heads, new, value width), or (new, heads * value width) if token_major, as `attention` would give it for the last rows of the whole
  /// text. Refused when that, or what is kept of k and v, has no room. After an error the cache is as it was.
  virtual Result<Tensor> decode(Tensor q, Tensor k, const Tensor& v) = 0;

  /// Tokens it holds.
  virtual int length() const = 0;
};

}  // namespace phasor
