// Axial RoPE: the angle of each pair as in naver-ai/rope-vit, torchtune's Llama 4, Pixtral,
// Qwen2-VL, lucidrains and DINOv3.

#include <numbers>

#include "oracle.h"
#include "oracle/patch.h"
#include "oracle/rotation.h"

namespace phasor::test {
namespace {

class Rope2d : public Oracle {
 public:
  explicit Rope2d(const Settings& s)
      : convention_(s.word("convention")),
        base_(s.number("base")),
        rows_(s.number("rows")),
        columns_(s.number("columns")),
        max_freq_(s.number("max_freq")),
        prefix_(s.number("prefix_tokens")),
        dim_(s.integer("rotary_dim") > 0 ? s.integer("rotary_dim") : s.geometry.dim) {
    if (base_ == 1) base_ = convention_ == "rope_vit" || convention_ == "dinov3" ? 100 : 10000;
  }

  Vector rotate(Role, int, std::span<const double> position, const Vector& x) const override {
    const bool is_index = position.size() == 1;
    if (is_index && prefix_ > 0 && position[0] < prefix_) return x;
    const double patch_index = position[0] - prefix_;
    const Patch p = patch_of(is_index ? std::span(&patch_index, 1) : position, columns_);
    Vector angles;
    for (int t = 0; t < dim_ / 2; ++t) angles.push_back(angle(p, t));
    const bool half_split =
        convention_ == "pixtral" || convention_ == "qwen2_vl" || convention_ == "dinov3";
    return rotate_pairs(x, half_split, angles, Vector(angles.size(), 1));
  }

 private:
  double angle(const Patch& p, int t) const {
    const int half = dim_ / 4, within = t % half;  // pairs of one axis
    const bool second_half = t >= half;
    const double frequency = 1 / std::pow(base_, 4.0 * within / dim_);
    if (convention_ == "rope_vit") return (second_half ? p.row : p.column) * frequency;
    if (convention_ == "llama4") return (second_half ? p.row + 1 : p.column + 1) * frequency;
    if (convention_ == "dinov3") {
      // 2 pi times the centre of the patch, -1 .. 1 from edge to edge
      const double relative_position =
          second_half ? (p.column + 0.5) / columns_ : (p.row + 0.5) / rows_;
      return 2 * std::numbers::pi * (2 * relative_position - 1) * frequency;
    }
    if (convention_ == "qwen2_vl") return (second_half ? p.column : p.row) * frequency;
    // frequencies 0, 2, 4 ... of the whole list by row, then 1, 3, 5 ... by column
    if (convention_ == "pixtral") {
      const int position = 2 * within + (second_half ? 1 : 0);
      return (second_half ? p.column : p.row) / std::pow(base_, 2.0 * position / dim_);
    }
    const double step = half > 1 ? (max_freq_ / 2 - 1) / (half - 1) : 0;  // pixel
    const double coordinate =
        second_half ? edge_coordinate(p.column, columns_) : edge_coordinate(p.row, rows_);
    return coordinate * std::numbers::pi * (1 + step * within);
  }

  // -1 .. 1 in n steps
  static double edge_coordinate(double position, double n) {
    return n > 1 ? 2 * position / (n - 1) - 1 : position - 1;
  }

  std::string convention_;
  double base_, rows_, columns_, max_freq_, prefix_;
  int dim_;  // rotated channels
};

}  // namespace

PHASOR_ORACLE(rope_2d, Rope2d);

}  // namespace phasor::test
