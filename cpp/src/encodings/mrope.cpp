// Multimodal RoPE (Qwen2-VL: Wang et al. 2024, arXiv 2409.12191, section 2.1): a position has three
// coordinates, time, row and column. Pair t rotates by the frequency w_t = base^(-2t/d) times one
// of them; `sections` lists the number of pairs per coordinate. In text the three coordinates are
// equal, and M-RoPE equals RoPE. An image starts one above the largest coordinate before it and
// counts rows and columns from there; the following text starts one above the largest coordinate of
// the image. The arrangement determines the coordinate of each pair. `contiguous` (Qwen2-VL): time,
// then rows, then columns. `interleaved` (Qwen3-VL): pairs 3m + 1 below 3 s_1 read rows, 3m + 2
// below 3 s_2 columns, all others time, so that each coordinate has fast and slow frequencies.
// `video` (VideoRoPE, Wei et al. 2025, arXiv 2502.05173): the slowest `temporal_pairs` read time,
// and of the others 0, 2, 4 ... rows and 1, 3, 5 ... columns (comments in its code say the
// opposite); video_positions() computes the positions of its tokens.

#include <algorithm>
#include <cmath>

#include "encoding_base/registry_entry.h"
#include "rope/rope_parameters.h"
#include "sinusoid/rotate_tokens.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor::encoding::mrope {
namespace {

enum class Arrangement { contiguous, interleaved, video };

class MultimodalRope final : public Parameterless<RotaryEncoding> {
 public:
  MultimodalRope(PairLayout layout, std::vector<int> axis_of_pair, RopeFrequencies frequencies)
      : layout_(layout),
        axis_of_pair_(std::move(axis_of_pair)),
        frequencies_(std::move(frequencies)) {}

  int pairs() const override { return static_cast<int>(axis_of_pair_.size()); }
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
      for (int t = 0; t < out.columns; ++t)
        out.row(p)[t] = static_cast<float>(angle(positions, p, t));
    }
  }

  void transform(Role, Positions positions, Tensor& x) const override {
    rotate_all(RotationDirection::forward, positions, x);
  }

  void transform_backward(Role, Positions positions, const Tensor&, Tensor& d_x) override {
    rotate_all(RotationDirection::transposed, positions, d_x);
  }

 private:
  double angle(Positions positions, int token, int t) const {
    const auto pair = static_cast<std::size_t>(t);
    return positions.at(token, positions.axes() == 1 ? 0 : axis_of_pair_[pair]) *
           frequencies_.frequencies[pair];
  }

  void rotate_all(RotationDirection direction, Positions positions, Tensor& x) const {
    const double attention_factor = frequencies_.attention_factor;
    std::vector<SinusoidRows> rows(static_cast<std::size_t>(positions.axes()),
                                   SinusoidRows(frequencies_.frequencies));
    std::vector<float> axis_cosine(axis_of_pair_.size()), axis_sine(axis_of_pair_.size());
    rotate_tokens(layout_, direction, pairs(), x, [&](int token, float* cosine, float* sine) {
      if (positions.axes() == 1)
        return rows[0].write(positions[token], attention_factor, cosine, sine);
      for (int axis = 0; axis < positions.axes(); ++axis) {
        rows[static_cast<std::size_t>(axis)].write(positions.at(token, axis), attention_factor,
                                                   axis_cosine.data(), axis_sine.data());
        for (std::size_t t = 0; t < axis_of_pair_.size(); ++t) {
          if (axis_of_pair_[t] != axis) continue;
          cosine[t] = axis_cosine[t];
          sine[t] = axis_sine[t];
        }
      }
    });
  }

  PairLayout layout_;
  std::vector<int> axis_of_pair_;  // 0: time, 1: row, 2: column
  RopeFrequencies frequencies_;
};

// Reads the numbers of pairs that rotate by time, row and column, which must sum to `pairs`. The
// default ratio is 2 : 3 : 3, as in Qwen2-VL.
Status read_sections(const Tensor* provided_sections, int pairs, std::vector<int>& out) {
  if (provided_sections == nullptr) {
    const int spatial_pairs = 3 * pairs / 8;
    out = {pairs - 2 * spatial_pairs, spatial_pairs, spatial_pairs};
    return {};
  }
  if (provided_sections->data.size() != 3) {
    return invalid("sections: has {} entries; expected 3 (time, row, column)",
                   provided_sections->data.size());
  }
  std::string sum_text;
  double section_sum = 0;
  for (const float section : provided_sections->data) {
    const double number = static_cast<double>(section);
    if (number < 0 || number > kMaxExtent || number != std::floor(number)) {
      return invalid("sections: {} is not a whole number of pairs", number);
    }
    out.push_back(static_cast<int>(number));
    sum_text += (sum_text.empty() ? "" : " + ") + to_message(number);
    section_sum += number;
  }
  if (section_sum == pairs) return {};
  return invalid("sections: {} sum to {}, but {} pairs of channels are rotated", detail(sum_text),
                 section_sum, pairs);
}

std::vector<int> assign_axes(Arrangement arrangement, const std::vector<int>& sections, int pairs) {
  std::vector<int> axis_of_pair;
  for (int t = 0; t < pairs; ++t) {
    if (arrangement == Arrangement::contiguous) {
      axis_of_pair.push_back(t < sections[0] ? 0 : t < sections[0] + sections[1] ? 1 : 2);
    } else {
      const int cyclic_axis = t % 3;
      axis_of_pair.push_back(
          cyclic_axis > 0 && t < 3 * sections[static_cast<std::size_t>(cyclic_axis)] ? cyclic_axis
                                                                                     : 0);
    }
  }
  return axis_of_pair;
}

// The slowest pairs rotate by time, the others alternately by row and column.
Status assign_video_axes(const ResolvedParams& values, int pairs, std::vector<int>& axis_of_pair) {
  const int provided_pairs = values.integer("temporal_pairs"),
            temporal_pairs = provided_pairs > 0 ? provided_pairs : pairs / 4;
  if (values.tensor("sections") != nullptr)
    return invalid("sections: has no effect with arrangement \"video\"; set temporal_pairs");
  if (temporal_pairs > pairs) {
    return invalid("temporal_pairs: {} exceeds the {} rotated pairs of channels", temporal_pairs,
                   pairs);
  }
  for (int t = 0; t < pairs; ++t)
    axis_of_pair.push_back(t >= pairs - temporal_pairs ? 0 : 1 + t % 2);
  return {};
}

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  if (dims.axes == 2) {
    return invalid(
        "positions: have 2 coordinates each; expected 3 (time, row, column), or 1 for text");
  }
  RopeFrequencies frequencies;
  PHASOR_TRY(read_rope_frequencies(values, dims.dim, frequencies));
  const int pairs = static_cast<int>(frequencies.frequencies.size());
  const Arrangement arrangement = values.choice<Arrangement>("arrangement");
  std::vector<int> sections, axis_of_pair;
  if (arrangement == Arrangement::video) {
    PHASOR_TRY(assign_video_axes(values, pairs, axis_of_pair));
  } else {
    PHASOR_TRY(read_sections(values.tensor("sections"), pairs, sections));
    axis_of_pair = assign_axes(arrangement, sections, pairs);
  }
  return EncodingResult(std::make_unique<MultimodalRope>(
      values.choice<PairLayout>("layout"), std::move(axis_of_pair), std::move(frequencies)));
}

constexpr ParamInfo layout_param() {
  ParamInfo param = ParamInfo::choice(
      "layout", "interleaved, half_split",
      "Pairs of channels: interleaved, 2t and 2t + 1, or half-split, t and t + d/2 (Qwen)");
  param.default_value = 1;
  return param;
}

constexpr auto kParams = with_rope_parameters(std::array{
    ParamInfo::log_real("base", 1000000, 1.001, 1e12, "",
                        "Sets the lowest frequency, which is near 1 / base"),
    layout_param(),
    ParamInfo::choice(
        "arrangement", "contiguous, interleaved, video",
        "Coordinate of each pair: blocks of time, row and column (Qwen2-VL), interleaved "
        "(Qwen3-VL), or time for the slowest pairs, with the others interleaved (VideoRoPE)"),
    ParamInfo::tensor("sections", "3",
                      "Numbers of pairs rotated by time, row and column; default: 2 : 3 : 3")
        .only_with("arrangement", "contiguous, interleaved"),
    ParamInfo::integer("temporal_pairs", 0, 0, 524288, "pairs",
                       "Number of pairs rotated by time; 0: a quarter of all pairs")
        .only_with("arrangement", "video"),
});

}  // namespace

PHASOR_ENCODING(mrope) = {
    .id = "mrope",
    .injection = MultimodalRope::kInjection,
    .relative = true,
    .prefix_stable = true,
    .rotates = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::mrope
