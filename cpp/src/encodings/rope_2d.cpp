// Axial RoPE for images: half of the pairs rotate by the column x of a patch, half by its row y.
// Implementations differ in everything else:
//   rope_vit   (Heo et al. 2024, arXiv 2403.13298, naver-ai/rope-vit) neighbouring channels;
//              first x, then y; w_t = 100^(-4t/d)
//   llama4     (Llama 4 vision, torchtune) as rope_vit with base 10000, and rows and columns
//              counted from 1; a class token, which is not rotated, is at (-1, -1)
//   pixtral    (Hugging Face) pairs (t, t + d/2); w_t = 10000^(-2t/d); first even t, by row, then
//              odd t, by column
//   qwen2_vl   (Qwen2-VL's vision tower) pairs (t, t + d/2); first row, then column;
//              w_t = 10000^(-4t/d)
//   pixel      (lucidrains) neighbouring channels; first row, then column; positions are -1 .. 1
//              across the image and frequencies pi times 1 .. max_freq / 2 in equal steps
//   dinov3     (Siméoni et al. 2025, arXiv 2508.10104) pairs (t, t + d/2); first row, then column;
//              w_t = 2 pi 100^(-4t/d), and coordinates are patch centres, with -1 .. 1 from edge to
//              edge of the image
// A class token and registers are not rotated: `prefix_tokens` is their number before the patches,
// if positions have one coordinate. With two coordinates, a token at (-1, -1) of llama4, or in the
// centre of dinov3, is not rotated either. torchtune uses dim / 2 in its docstring and dim in code.

#include <algorithm>
#include <numbers>

#include "encoding_base/parts/grid.h"
#include "encoding_base/registry_entry.h"
#include "sinusoid/rotate_tokens.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor::encoding::rope_2d {
namespace {

enum class Convention { rope_vit, llama4, pixtral, qwen2_vl, pixel, dinov3 };

// A pair's frequencies for rows and columns, one of which is 0.
using Frequency = GridPoint;

struct ImageGrid {
  Convention convention;
  int rows, columns, prefix_tokens;

  // Coordinate of patch `position` of n patches that are evenly spaced from -1 to 1.
  static double evenly_spaced_coordinate(double position, int n) {
    return n == 1 ? position - 1.0 : -1.0 + 2.0 * position / (n - 1);
  }

  // Centre of patch `position` of n, in an image with edges at -1 and 1.
  static double patch_centre_coordinate(double position, int n) {
    return (2 * position + 1) / n - 1;
  }

  GridPoint point(Positions positions, int token) const {
    const bool is_patch_index = positions.axes() == 1;
    if (is_patch_index && prefix_tokens > 0 && positions[token] < prefix_tokens) return {0, 0};
    const double index = positions[token] - prefix_tokens;
    const GridPoint p = is_patch_index ? to_grid_point({std::span(&index, 1)}, 0, columns)
                                       : to_grid_point(positions, token, columns);
    if (convention == Convention::dinov3)
      return {patch_centre_coordinate(p.row, rows), patch_centre_coordinate(p.column, columns)};
    if (convention == Convention::llama4) return {p.row + 1, p.column + 1};
    if (convention == Convention::pixel)
      return {evenly_spaced_coordinate(p.row, rows), evenly_spaced_coordinate(p.column, columns)};
    return p;
  }
};

class AxialRope final : public Parameterless<RotaryEncoding> {
 public:
  AxialRope(ImageGrid grid, std::vector<Frequency> frequencies)
      : grid_(grid), frequencies_(std::move(frequencies)) {}

  int pairs() const override { return static_cast<int>(frequencies_.size()); }

  void angles(Positions positions, MatrixRef out) const override {
    for (int p = 0; p < out.rows; ++p) {
      for (int t = 0; t < out.columns; ++t)
        out.row(p)[t] = static_cast<float>(angle(grid_.point(positions, p), t));
    }
  }

  void transform(Role, Positions positions, Tensor& x) const override {
    rotate_all(RotationDirection::forward, positions, x);
  }

  void transform_backward(Role, Positions positions, const Tensor&, Tensor& d_x) override {
    rotate_all(RotationDirection::transposed, positions, d_x);
  }

 private:
  double angle(GridPoint point, int t) const {
    const Frequency& w = frequencies_[static_cast<std::size_t>(t)];
    return point.row * w.row + point.column * w.column;
  }

  void rotate_all(RotationDirection direction, Positions positions, Tensor& x) const {
    const bool is_half_split = grid_.convention == Convention::pixtral ||
                               grid_.convention == Convention::qwen2_vl ||
                               grid_.convention == Convention::dinov3;
    std::vector<double> rows, columns;
    for (const Frequency& w : frequencies_) {
      rows.push_back(w.row);
      columns.push_back(w.column);
    }
    SineGrid grid(rows, columns);
    rotate_tokens(is_half_split ? PairLayout::half_split : PairLayout::interleaved, direction,
                  pairs(), x, [&](int token, float* cosine, float* sine) {
                    const GridPoint point = grid_.point(positions, token);
                    grid.write(point.row, point.column, cosine, sine);
                  });
  }

  ImageGrid grid_;
  std::vector<Frequency> frequencies_;
};

std::vector<double> make_pixel_frequencies(int count, double max_freq) {
  std::vector<double> out;
  for (int t = 0; t < count; ++t) {
    out.push_back(std::numbers::pi *
                  (count == 1 ? 1.0 : 1.0 + (max_freq / 2.0 - 1.0) * t / (count - 1)));
  }
  return out;
}

std::vector<Frequency> make_frequencies(Convention convention, int dim, double base,
                                        double max_freq) {
  const int pairs_per_axis = dim / 4;
  std::vector<double> first_half, second_half;  // of the two halves of the pairs
  if (convention == Convention::pixtral) {
    const std::vector<double> axis_frequencies = inverse_frequencies(2 * pairs_per_axis, dim, base);
    for (std::size_t t = 0; t < axis_frequencies.size(); ++t)
      (t % 2 == 0 ? first_half : second_half).push_back(axis_frequencies[t]);
  } else {
    first_half = second_half = convention == Convention::pixel
                                   ? make_pixel_frequencies(pairs_per_axis, max_freq)
                                   : inverse_frequencies(pairs_per_axis, dim / 2.0, base);
  }
  if (convention == Convention::dinov3) {
    for (double& w : first_half) w *= 2 * std::numbers::pi;
    second_half = first_half;
  }
  const bool is_column_first =
      convention == Convention::rope_vit || convention == Convention::llama4;
  std::vector<Frequency> out(first_half.size() + second_half.size());
  Frequency* to = out.data();
  for (const double w : first_half) *to++ = is_column_first ? Frequency{0, w} : Frequency{w, 0};
  for (const double w : second_half) *to++ = is_column_first ? Frequency{w, 0} : Frequency{0, w};
  return out;
}

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  if (dims.axes == 3)
    return invalid(
        "positions: have 3 coordinates each; expected 2 (row, column) or 1 (row-major index)");
  const int provided_dim = values.integer("rotary_dim");
  if (provided_dim > dims.dim) {
    return invalid("rotary_dim: {} exceeds dim {}", provided_dim, dims.dim);
  }
  const int rotary_dim = provided_dim > 0 ? provided_dim : dims.dim;
  if (rotary_dim % 4 != 0) {
    return invalid(
        "{}: {} is not a multiple of 4, but rope_2d rotates pairs of channels on two axes",
        provided_dim > 0 ? "rotary_dim" : "dim", rotary_dim);
  }
  const Convention convention = values.choice<Convention>("convention");
  const double base = values.real("base"),
               default_base = convention == Convention::rope_vit || convention == Convention::dinov3
                                  ? 100
                                  : 10000;
  return EncodingResult(std::make_unique<AxialRope>(
      ImageGrid{convention, values.integer("rows"), values.integer("columns"),
                values.integer("prefix_tokens")},
      make_frequencies(convention, rotary_dim, base > 1 ? base : default_base,
                       values.real("max_freq"))));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::choice("convention", "rope_vit, llama4, pixtral, qwen2_vl, pixel, dinov3",
                      "Which channels form a pair, with the axis and frequency of each pair; "
                      "pixel: as in lucidrains' code"),
    ParamInfo::log_real("base", 1, 1, 1e9, "",
                        "Sets the lowest frequency; 1: the convention's default, 100 or 10000"),
    ParamInfo::integer("columns", 8, 1, 1048576, "patches",
                       "Width of the image, for dinov3 or if positions are row-major indices"),
    ParamInfo::integer("rows", 8, 1, 1048576, "patches", "Height of the image")
        .only_with("convention", "pixel, dinov3"),
    ParamInfo::integer(
        "prefix_tokens", 0, 0, 1048576, "tokens",
        "Number of initial tokens that are not rotated, if positions are row-major indices"),
    ParamInfo::real("max_freq", 10, 2, 1e6, "",
                    "The fastest pair rotates by pi max_freq / 2 from the image centre to an edge")
        .only_with("convention", "pixel"),
    ParamInfo::integer("rotary_dim", 0, 0, 1048576, "channels",
                       "Number of rotated channels; 0: all"),
};

}  // namespace

PHASOR_ENCODING(rope_2d) = {
    .id = "rope_2d",
    .injection = AxialRope::kInjection,
    .relative = true,
    .prefix_stable = true,
    .rotates = true,
    .axes = 2,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::rope_2d
