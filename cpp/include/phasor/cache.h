#pragma once
// A key-value cache for decoding one or a few tokens at a time.

#include <memory>

#include "phasor/attention.h"

namespace phasor {

struct CacheConfig {
  int heads = 1;
  int kv_heads = 0;    ///< must divide heads; 0: same as heads
  int head_dim = 0;    ///< channels of a query and a key
  int v_head_dim = 0;  ///< channels of a value; 0: head_dim
  /// Maximum number of tokens, and the length for which the encoding is created
  int max_length = 0;
  EncodingConfig encoding{};
  std::optional<int> window{};    ///< as in AttentionConfig
  std::optional<double> scale{};  ///< as in AttentionConfig
  OutputLayout output_layout = OutputLayout::head_major;
  AttentionOptions options{};
};

/// Options for the new tokens of a step.
struct DecodeConfig {
  /// (new); 0 hides a key from all queries, including later ones; empty: every key is visible
  std::vector<std::uint8_t> key_mask{};
  /// For packed sequences: the segment id of each new token, (new), as in AttentionConfig. A
  /// token's position is the number of earlier tokens of its segment in the cache. Must be set in
  /// all steps or in none
  std::vector<int> segment_ids{};
  /// The encoding's token tensors for the new tokens, as in AttentionConfig
  TokenTensors token_tensors{};
  /// Outputs for the new rows: weights, scores and bias are (heads, new, length), sink weights
  /// (heads, new); pooled weights are not supported
  RequestedOutputs outputs{};
};

/// Bound on the difference between KeyValueCache::decode and attention; the largest measured
/// difference is 1.8e-7.
inline constexpr double kDecodeTolerance = 1e-6;

/// Keys and values of the tokens so far, with their positions applied and packed for matrix
/// multiplication. The time of a step is linear in the number of tokens in the cache, and memory
/// grows with it. Only one thread at a time may use a cache; caches of several threads may share an
/// encoding.
///
/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1), whose scores are
/// (q_content.k_content + rope(q_rotary).rope(k_rotary)) / sqrt(content + rotary) with k_content =
/// latent key_up and v = latent value_up, has two equivalent forms here. Both rotate the last
/// channels of a head: rope with `rotary_offset`.
/// - As latents, the smallest form: one kv head with the keys [latent, k_rotary] and the values
///   latent. q of each head is [q_content key_up^T, q_rotary], and the layer's output is the head's
///   output times value_up. rotary_offset is the latent's dim, and `scale` must be set, because it
///   does not follow from head_dim.
/// - As whole heads: keys [k_content, k_rotary] with k_rotary repeated per head, and values with
///   fewer channels.
/// A token of DeepSeek-V3 (128 heads, latent 512, content and values 128, rotary 64) takes 1,088
/// values as a latent and 40,960 as heads. The latent is stored twice, because the product with
/// queries reads keys by channels and the sum reads values by tokens. The caller multiplies by
/// key_up and value_up, once per step and not once per stored token.
class KeyValueCache {
 public:
  static Result<std::unique_ptr<KeyValueCache>> create(const CacheConfig& config);
  /// Creates a cache with an existing encoding, which may be shared by several caches and attention
  /// calls. config.encoding must have its default value, and `max_length` may not exceed the
  /// encoding's length. The encoding's parameters must not change during the cache's lifetime.
  static Result<std::unique_ptr<KeyValueCache>> create(const CacheConfig& config,
                                                       std::shared_ptr<const Encoding> encoding);
  virtual ~KeyValueCache() = default;

  /// Appends k (kv_heads, new, head_dim) and v (kv_heads, new, v_head_dim), and computes causal
  /// attention of q (heads, new, head_dim). The output is (heads, new, v_head_dim), or (new, heads
  /// * v_head_dim) if token_major. Rejected if memory is insufficient. An error leaves the cache
  /// unchanged. The result is equal to the last rows of `attention` on the whole sequence, with the
  /// key masks of all steps and an encoding created for max_length tokens. Scores and bias are
  /// bitwise equal. Row sums may be grouped differently, so weights differ by at most
  /// kDecodeTolerance, and outputs by at most kDecodeTolerance times the largest magnitude in v.
  /// This does not hold for products or sums near the limits of float32, which attention computes
  /// in double.
  virtual Result<AttentionResult> decode(Tensor q, Tensor k, const Tensor& v,
                                         const DecodeConfig& config) = 0;
  /// Decodes without options and returns only the output.
  Result<Tensor> decode(Tensor q, Tensor k, const Tensor& v);

  /// Keeps only the first `length` tokens, for example after speculative decoding. The cache is
  /// then bitwise equal to one that never decoded the other tokens. The next token is at position
  /// `length`.
  virtual Status truncate(int length) = 0;
  /// Returns a copy, for example for beam search. Later calls on one cache do not affect the other.
  /// Rejected if memory is insufficient.
  virtual Result<std::unique_ptr<KeyValueCache>> fork() const = 0;

  /// Number of tokens in the cache.
  virtual int length() const = 0;
  /// Memory of the cache in bytes; fork() allocates the same amount. It contains kv_heads *
  /// (head_dim + v_head_dim) float32 values per token, and the data that the encoding stores. Value
  /// vectors are padded to a multiple of 16 channels; memory is allocated in blocks of 1,024
  /// tokens.
  virtual double bytes() const = 0;
};

}  // namespace phasor
