// Rotary position embedding (Su et al. 2021, arXiv 2104.09864, equation 15): each pair of channels
// of queries and keys is rotated by the angle p w_t, w_t = base^(-2t/d), so that q.k depends on
// positions only through their difference. Which channels form a pair differs between model
// families: `interleaved` (2t, 2t+1) in RoFormer, GPT-J and Meta's LLaMA code, `half_split` (t, t +
// d/2) in GPT-NeoX and Hugging Face's LLaMA, Mistral, Qwen. A wrong layout gives wrong scores
// without an error. There are two ways to rotate fewer pairs: partial rotary (`rotary_fraction`,
// GPT-NeoX, Phi) rotates only the first channels, with exponents scaled to their number; p-RoPE
// (`kept_fraction`, Barbero et al. 2024, arXiv 2410.06205; Gemma) leaves the slowest pairs
// unrotated and keeps the exponents. Context extension (`scaling`) is described in phasor/rope.h.
// LongRoPE may rotate the first tokens (`start_tokens`) without scaling or attention factor; their
// products depend on both positions. Multi-head latent attention (DeepSeek-V2, 2024, arXiv
// 2405.04434, section 2.1) rotates the last channels of a head (`rotary_offset`), which in keys are
// shared by all heads. `remap` computes scores at other distances, for texts longer than in
// training (phasor/rope.h); apply_rotary() and rotary_angles() ignore it. nanochat rotates by the
// negative angle (`direction`).

#include <algorithm>

#include "encoding_base/custom_dot_product/remapped_products.h"
#include "encoding_base/registry_entry.h"
#include "rope/rope_parameters.h"
#include "sinusoid/rotate_tokens.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor::encoding::rope {
namespace {

class Rope : public Parameterless<RotaryEncoding> {
 public:
  Rope(PairLayout layout, double angle_sign, int first_rotated_channel, double scaling_start,
       RopeFrequencies frequencies)
      : layout_(layout),
        angle_sign_(angle_sign),
        first_rotated_channel_(first_rotated_channel),
        scaling_start_(scaling_start),
        frequencies_(std::move(frequencies)) {}

  int pairs() const override { return static_cast<int>(frequencies_.frequencies.size()); }
  Frequencies frequencies() const override {
    return {frequencies_.frequencies, frequencies_.attention_factor};
  }

  // If kept_fraction is 0, no pair rotates and the scores do not depend on the positions.
  bool symmetric() const override {
    return std::all_of(frequencies_.frequencies.begin(), frequencies_.frequencies.end(),
                       [](double w) { return w == 0; });
  }

  void angles(Positions positions, MatrixRef out) const override {
    for (int p = 0; p < out.rows; ++p) {
      const std::vector<double>& frequencies = positions[p] < scaling_start_
                                                   ? frequencies_.original_frequencies
                                                   : frequencies_.frequencies;
      for (int t = 0; t < out.columns; ++t) {
        out.row(p)[t] = static_cast<float>(angle_sign_ * positions[p] *
                                           frequencies[static_cast<std::size_t>(t)]);
      }
    }
  }

  void transform(Role, Positions positions, Tensor& x) const override {
    rotate_all(RotationDirection::forward, positions, x);
  }

  void transform_backward(Role, Positions positions, const Tensor&, Tensor& d_x) override {
    rotate_all(RotationDirection::transposed, positions, d_x);
  }

 private:
  void rotate_all(RotationDirection direction, Positions positions, Tensor& x) const {
    SinusoidRows original_rows(frequencies_.original_frequencies),
        scaled_rows(frequencies_.frequencies);
    rotate_tokens(
        layout_, direction, pairs(), x,
        [&](int token, float* cosine, float* sine) {
          const double position = positions[token];
          if (position < scaling_start_)
            return original_rows.write(angle_sign_ * position, 1, cosine, sine);
          scaled_rows.write(angle_sign_ * position, frequencies_.attention_factor, cosine, sine);
        },
        first_rotated_channel_);
  }

  PairLayout layout_;
  double angle_sign_;  // 1 or -1
  int first_rotated_channel_;
  double scaling_start_;  // positions below this are rotated without scaling
  RopeFrequencies frequencies_;
};

class RemappedRope final : public Rope, public CustomDotProduct {
 public:
  RemappedRope(PairLayout layout, RopeFrequencies frequencies, const Remap& remap,
               SlidingWindow sliding_window)
      : Rope(layout, 1, 0, -2.0 * kMaxPosition, frequencies),
        config_{remap, layout, std::move(frequencies.frequencies), frequencies.attention_factor},
        sliding_window_(sliding_window) {
    interfaces_.products = this;
  }

  bool causal_only() const override { return true; }
  SlidingWindow sliding_window() const override { return sliding_window_; }
  Remap remap() const override { return config_.remap; }

  std::unique_ptr<DotProductState> products(int, int head_dim, bool requires_grad) const override {
    return create_remapped_products(config_, head_dim, requires_grad);
  }
  double product_bytes(int queries, int keys, int head_dim, bool requires_grad) const override {
    return compute_remapped_bytes(config_, queries, keys, head_dim, requires_grad);
  }

 private:
  RemapConfig config_;
  SlidingWindow sliding_window_;
};

Remap read_remap(const ResolvedParams& values) {
  Remap remap{.kind = values.choice<Remap::Kind>("remap")};
  using Kind = Remap::Kind;
  remap.window = values.integer(remap.kind == Kind::dual_chunk ? "chunk" : "window");
  if (remap.kind == Kind::self_extend) remap.group = values.integer("group");
  if (remap.kind == Kind::leaky_rerope) remap.group = values.real("leak");
  if (remap.kind == Kind::lm_infinite) remap.far = values.real("max_distance");
  if (remap.kind == Kind::dual_chunk) remap.far = values.real("max_position");
  if (remap.kind == Kind::rerope || remap.kind == Kind::leaky_rerope)
    remap.train_length = values.integer("training_length");
  return remap;
}

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  if (dims.axes != 1) {
    return invalid(
        "positions: have {} coordinates each; expected 1 (rope_2d and mrope accept more)",
        dims.axes);
  }
  const int rotary_offset = values.integer("rotary_offset");
  if (rotary_offset >= dims.dim)
    return invalid("rotary_offset: {} leaves none of the {} channels to rotate", rotary_offset,
                   dims.dim);
  RopeFrequencies frequencies;
  PHASOR_TRY(read_rope_frequencies(values, dims.dim - rotary_offset, frequencies));
  const int start_tokens = values.integer("start_tokens");
  const Remap remap = read_remap(values);
  const double angle_sign = values.integer("direction") == 0 ? 1 : -1;
  if (remap.kind != Remap::Kind::none) {
    if (start_tokens > 0)
      return invalid(
          "start_tokens: {} cannot be combined with remap, which rotates all tokens alike",
          detail(start_tokens));
    if (rotary_offset > 0)
      return invalid(
          "rotary_offset: {} cannot be combined with remap, which rotates the first channels",
          rotary_offset);
    if (angle_sign < 0)
      return invalid(
          "direction: \"negative\" cannot be combined with remap, which rotates by positive "
          "angles");
    // With a smaller max_position, a query's remapped position could precede keys of the previous
    // chunk.
    if (remap.kind == Remap::Kind::dual_chunk && remap.far < remap.window - 1)
      return invalid("max_position: {} is below the last position of a chunk, which is {}",
                     remap.far, remap.window - 1);
    Encoding::SlidingWindow sliding_window;
    if (remap.kind == Remap::Kind::lm_infinite)
      sliding_window = {.size = values.integer("window"),
                        .sink_tokens = values.integer("sink_tokens")};
    return EncodingResult(std::make_unique<RemappedRope>(
        values.choice<PairLayout>("layout"), std::move(frequencies), remap, sliding_window));
  }
  return EncodingResult(std::make_unique<Rope>(
      values.choice<PairLayout>("layout"), angle_sign, rotary_offset,
      start_tokens > 0 ? start_tokens : -2.0 * kMaxPosition, std::move(frequencies)));
}

constexpr auto kParams = with_rope_parameters(std::array{
    ParamInfo::log_real("base", 10000, 1.001, 1e12, "",
                        "Sets the lowest frequency, which is near 1 / base"),
    ParamInfo::choice(
        "layout", "interleaved, half_split",
        "Pairs of channels: interleaved, 2t and 2t + 1 (RoFormer, GPT-J, GLM, Meta's Llama files), "
        "or "
        "half-split, t and t + d/2 (GPT-NeoX, Qwen, Gemma, Hugging Face's Llama, most others)"),
    ParamInfo::choice(
        "direction", "positive, negative",
        "Sign of the angles: at position p, a pair with frequency w rotates by p w, or "
        "by -p w (nanochat)"),
    ParamInfo::integer(
        "rotary_offset", 0, 0, 1048576, "channels",
        "Number of unrotated channels before the rotated ones (DeepSeek's latent attention)"),
    ParamInfo::integer("start_tokens", 0, 0, 2147483647, "tokens",
                       "LongRoPE: number of initial tokens without scaling"),
    ParamInfo::choice("remap", "none, self_extend, rerope, leaky_rerope, lm_infinite, dual_chunk",
                      "Remaps distances for texts longer than the training length"),
    ParamInfo::integer("window", 512, 1, 2147483647, "tokens",
                       "remap: distances below this are unchanged")
        .only_with("remap", "self_extend, rerope, leaky_rerope, lm_infinite"),
    ParamInfo::integer(
        "group", 8, 1, 2147483647, "tokens",
        "self_extend: beyond the window, positions are divided by this and rounded down")
        .only_with("remap", "self_extend"),
    ParamInfo::real("leak", 16, 1, 1e9, "",
                    "leaky_rerope: divides the part of a distance that exceeds the window")
        .only_with("remap", "leaky_rerope"),
    ParamInfo::integer("sink_tokens", 10, 0, 2147483647, "tokens",
                       "lm_infinite: number of initial tokens visible beyond the window")
        .only_with("remap", "lm_infinite"),
    ParamInfo::real("max_distance", 512, 0, 2147483647, "tokens",
                    "lm_infinite: distance assigned to keys beyond the window")
        .only_with("remap", "lm_infinite"),
    ParamInfo::integer("chunk", 512, 1, 1073741823, "tokens", "dual_chunk: chunk size")
        .only_with("remap", "dual_chunk"),
    ParamInfo::real("max_position", 767, 0, 2147483647, "tokens",
                    "dual_chunk: largest position of a query (paper: training length - 1)")
        .only_with("remap", "dual_chunk"),
    ParamInfo::integer("training_length", 0, 0, 2147483647, "tokens",
                       "rerope, leaky_rerope: multiplies the scores of query i by max(1, ln(i + 1) "
                       "/ ln(training_length)); 0: no factor")
        .only_with("remap", "rerope, leaky_rerope"),
});

}  // namespace

PHASOR_ENCODING(rope) = {
    .id = "rope",
    .injection = Rope::kInjection,
    .relative = true,
    .prefix_stable = true,
    .rotates = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::rope
