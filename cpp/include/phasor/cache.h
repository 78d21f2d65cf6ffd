#pragma once
// Decoding: a text grows by one or a few tokens at a time, and each new one attends to all before
// it. Keys and values already computed are kept.

#include <memory>

#include "phasor/attention.h"

namespace phasor {

struct CacheConfig {
  int heads = 1;
  int kv_heads = 1;    ///< divides heads
  int head_dim = 0;    ///< of a query and a key
  int v_head_dim = 0;  ///< of a value; 0: that of a key
  /// Most tokens it can hold; encodings with a table of positions are made for that many
  int max_length = 0;
  EncodingConfig encoding{};
  std::optional<int> window{};    ///< as in AttentionConfig
  std::optional<double> scale{};  ///< as in AttentionConfig
  OutputLayout output_layout = OutputLayout::head_major;
  AttentionOptions options{};
};

/// Options of a step, about its new tokens.
struct DecodeConfig {
  /// (new); 0 hides a key from all queries, also those of later steps; empty: every key is visible
  std::vector<std::uint8_t> key_mask{};
  /// The tensors that the encoding needs of each new token, as in AttentionConfig
  TokenTensors token_tensors{};
  /// Of the new rows: weights, scores and bias are (heads, new, length), sink weights (heads, new);
  /// no pooled weights
  RequestedOutputs outputs{};
};

/// How far a step may be from attention, see KeyValueCache::decode; 1.8e-7 is the largest
/// difference measured.
inline constexpr double kDecodeTolerance = 1e-6;

/// Keys and values of a text so far, already transformed by their positions and packed for the
/// product. A step costs time linear in the length, and memory grows with the text. One thread at a
/// time may use a cache; caches of several threads may share an encoding.
///
/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1), whose scores are
/// (q_content.k_content + rope(q_rotary).rope(k_rotary)) / sqrt(content + rotary) with
/// k_content = latent key_up and v = latent value_up, has two forms here, which give the same. Both
/// rotate the last channels of a head: rope with `rotary_offset`.
/// - As latents, all that a model has to keep of a token: one head of keys, [latent, k_rotary], and
///   of values, latent; q of each head is [q_content key_up^T, q_rotary], and its output times
///   value_up is that of the layer. rotary_offset is the latent's dim, and `scale` must be given,
///   since head_dim no longer says it.
/// - As whole heads: [k_content, k_rotary], the rotary key repeated, and narrower values.
/// A token of DeepSeek-V3 (128 heads, latent 512, content and values 128, rotary 64) takes 1,088
/// numbers as a latent and 40,960 as heads. The latent is kept twice, since the product with
/// queries reads keys by channels and the sum reads values by tokens. The cache does not multiply
/// by key_up and value_up itself: that is one product of a step and not one of each token kept.
class KeyValueCache {
 public:
  static Result<std::unique_ptr<KeyValueCache>> create(const CacheConfig& config);
  /// The same with an encoding that is already made, which several caches and calls of attention
  /// may share; config.encoding is left at its default, and `max_length` is at most the length it
  /// was made for. Its parameters must not change while a cache has it.
  static Result<std::unique_ptr<KeyValueCache>> create(const CacheConfig& config,
                                                       std::shared_ptr<const Encoding> encoding);
  virtual ~KeyValueCache() = default;

  /// Appends k (kv_heads, new, head_dim) and v (kv_heads, new, v_head_dim), and lets q (heads, new,
  /// head_dim) attend with a causal mask. The output is (heads, new, v_head_dim), or (new, heads *
  /// v_head_dim) if token_major. Rejected when there is no memory for that, or for what is kept of
  /// k and v. After an error the cache is as it was.
  ///
  /// A step computes what `attention` does for the last rows of the whole text, with an encoding
  /// made for as many tokens (max_length) and the key masks of all steps in a row. Scores and bias
  /// are the same to the bit. Where a row has fewer keys behind it, its sums are grouped
  /// differently: a weight differs by at most kDecodeTolerance, an output by at most
  /// kDecodeTolerance times the largest magnitude in v. The exception is a text with products or
  /// sums near the limits of float32, which attention computes in double throughout.
  virtual Result<AttentionResult> decode(Tensor q, Tensor k, const Tensor& v,
                                         const DecodeConfig& config) = 0;
  /// The output alone.
  Result<Tensor> decode(Tensor q, Tensor k, const Tensor& v);

  /// Truncates to the first `length` tokens, as after speculative decoding; bitwise equal to never
  /// having decoded the rest. The next token is at position `length`.
  virtual Status truncate(int length) = 0;
  /// A copy, as for beam search: both continue independently, each bitwise as it would alone.
  /// Rejected when there is no memory for it.
  virtual Result<std::unique_ptr<KeyValueCache>> fork() const = 0;

  /// Tokens it holds.
  virtual int length() const = 0;
  /// Memory that they take, which is what fork() needs: kv_heads * (head_dim + v_head_dim) float32
  /// a token, values filled up to a multiple of 16 channels, in blocks of 1,024 tokens, and what
  /// the encoding keeps beside them.
  virtual double bytes() const = 0;
};

}  // namespace phasor
