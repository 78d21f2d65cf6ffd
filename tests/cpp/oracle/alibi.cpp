// b(h, i, j) = -m_h (i - j), Press et al. 2022; slopes as in MPT's gen_slopes.

#include <algorithm>

#include "oracle.h"

namespace phasor::test {
namespace {

// 2^(-bias_max h / P) for h = 1 .. P, where P is the next power of two. If the number of heads is
// not P, even h come first, then odd ones.
Vector slopes(int heads, double bias_max) {
  int power = 1;
  while (power < heads) power *= 2;
  const auto slope = [&](int h) { return std::exp2(-bias_max * h / power); };
  Vector all;
  for (int h = heads < power ? 2 : 1; h <= power; h += heads < power ? 2 : 1)
    all.push_back(slope(h));
  for (int h = 1; heads < power && h <= power; h += 2) all.push_back(slope(h));
  all.resize(static_cast<std::size_t>(heads));
  return all;
}

class Alibi : public Oracle {
 public:
  explicit Alibi(const Settings& s)
      : form_(s.word("form")),
        heads_(s.geometry.heads),
        right_factor_(s.number("right_factor")),
        longest_(s.number("max_seq_len")) {
    const int half = (heads_ + 1) / 2;
    if (const Tensor* provided = s.array("slopes")) {
      slopes_.assign(provided->data.begin(), provided->data.end());
    } else if (form_ == "half_heads") {
      slopes_ = slopes(half, s.number("bias_max"));
      for (int h = half; h < heads_; ++h)
        slopes_.push_back(slopes_[static_cast<std::size_t>(h - half)]);
    } else {
      slopes_ = slopes(heads_, s.number("bias_max"));
    }
  }

  double bias(int head, double i, double j) const override {
    const double m = slopes_[static_cast<std::size_t>(head)], left = std::max(i - j, 0.0),
                 right = std::max(j - i, 0.0);
    if (form_ == "symmetric") return -m * left - right_factor_ * m * right;
    if (form_ == "causal") return -m * left;
    if (form_ == "row_shifted") return m * j;
    if (form_ == "mpt") return m * (j - (longest_ - 1));
    return head < (heads_ + 1) / 2 ? -m * left : -m * right;  // half_heads
  }

 private:
  std::string form_;
  int heads_;
  double right_factor_, longest_;
  Vector slopes_;
};

}  // namespace

PHASOR_ORACLE(alibi, Alibi);

}  // namespace phasor::test
