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
        dim_(s.whole("rotary_dim") > 0 ? s.whole("rotary_dim") : s.geometry.dim) {
    if (base_ == 1) base_ = convention_ == "rope_vit" || convention_ == "dinov3" ? 100 : 10000;
  }

  Vector rotated(Role, int, std::span<const double> position, const Vector& x) const override {
    const bool counted = position.size() == 1;
    if (counted && prefix_ > 0 && position[0] < prefix_) return x;
    const double moved = position[0] - prefix_;
    const Patch p = patch_of(counted ? std::span(&moved, 1) : position, columns_);
    Vector angles;
    for (int t = 0; t < dim_ / 2; ++t) angles.push_back(angle(p, t));
    const bool half_split =
        convention_ == "pixtral" || convention_ == "qwen2_vl" || convention_ == "dinov3";
    return turn_pairs(x, half_split, angles, Vector(angles.size(), 1));
  }

 private:
  double angle(const Patch& p, int t) const {
    const int half = dim_ / 4, within = t % half;  // pairs of one axis
    const bool second = t >= half;
    const double speed = 1 / std::pow(base_, 4.0 * within / dim_);
    if (convention_ == "rope_vit") return (second ? p.row : p.column) * speed;
    if (convention_ == "llama4") return (second ? p.row + 1 : p.column + 1) * speed;
    if (convention_ == "dinov3") {
      // 2 pi times the centre of the patch, -1 .. 1 from edge to edge
      const double place = second ? (p.column + 0.5) / columns_ : (p.row + 0.5) / rows_;
      return 2 * std::numbers::pi * (2 * place - 1) * speed;
    }
    if (convention_ == "qwen2_vl") return (second ? p.column : p.row) * speed;
    // frequencies 0, 2, 4 ... of the whole list by row, then 1, 3, 5 ... by column
    if (convention_ == "pixtral") {
      const int position = 2 * within + (second ? 1 : 0);
      return (second ? p.column : p.row) / std::pow(base_, 2.0 * position / dim_);
    }
    const double step = half > 1 ? (max_freq_ / 2 - 1) / (half - 1) : 0;  // pixel
    const double from_edge = second ? across(p.column, columns_) : across(p.row, rows_);
    return from_edge * std::numbers::pi * (1 + step * within);
  }

  // -1 .. 1 in n steps
  static double across(double position, double n) {
    return n > 1 ? 2 * position / (n - 1) - 1 : position - 1;
  }

  std::string convention_;
  double base_, rows_, columns_, max_freq_, prefix_;
  int dim_;  // rotated channels
};

}  // namespace

PHASOR_ORACLE(rope_2d, Rope2d);

}  // namespace phasor::test
